import * as z from "zod";
import { defineKind, type Kind, type KindOf } from "../../kernel/kind.ts";
import { draft, type DraftOf, type NewRecord } from "../../kernel/unit.ts";
import { moment } from "../../kernel/wire.ts";
import { json } from "../../platform/json.ts";

/** What a task says of the features above: plain data that they fill in and read. */
const slot = z.strictObject({ schedule: z.string(), at: moment });
const event = z.strictObject({ id: z.string(), handler: z.string(), outside: z.boolean() });

const defined = defineKind({
  name: "task",
  body: z.strictObject({
    /** The run type, or a function's name: its queue is `task@{name}`. */
    name: z.string(),
    input: json,
    at: moment,
    target: z.string(),
    /** The workspace it runs in. */
    in: z.string().optional(),
    slot: slot.optional(),
    event: event.optional(),
  }),
  outcome: z.strictObject({ summary: z.string().nullable(), reason: z.string().nullable() }),
  states: {
    pending: ["needs_human", "completed", "failed", "skipped"],
    needs_human: ["pending", "failed"],
  },
  holds: ["run:"],
  target: (body) => body.target,
});

export interface TaskKind extends KindOf<typeof defined> {}
export const task: Kind<TaskKind> = defined;

/** Every task is made here. */
export function makeTask(
  body: TaskKind["body"],
  more: Pick<NewRecord<TaskKind>, "id" | "key" | "holds" | "parent" | "lane"> = {},
): DraftOf<TaskKind> {
  return draft(task, {
    queue: taskQueue(body.name),
    body,
    state: "pending",
    wakeAt: body.at,
    ...more,
  });
}

export function taskQueue(name: string): string {
  return `task@${name}`;
}

import { makeTask, type TaskKind, type TaskWorkspaces } from "../features/tasks/index.ts";
import type { LedgerRecord } from "../kernel/record.ts";
import type { Draft } from "../kernel/unit.ts";
import { present } from "../platform/json.ts";

type Task = LedgerRecord<TaskKind>;

/** Whether a time alone starts the task: it is not at work, and waits for no answer, callback or ping. */
export function isForeseen({ state, body, wakeAt, lease, outcome }: Task): boolean {
  const isAsleep = outcome?.awaitsUntil !== undefined && outcome.callback === undefined;
  const isWaiting = state === "pending" && wakeAt !== null && lease === null;
  return isWaiting && !isAsleep && body.name !== "ping";
}

/** The run of a copy is shown, and none of its consequences: no output, no event and no retry follows. */
export function taskDraft({ id, body, priority, wakeAt }: Task): Draft {
  const { name, at, target, origin, timeoutMs, slot, turns, keeps } = body;
  const copy: TaskKind["body"] = present({
    name,
    input: null,
    at,
    target,
    origin,
    timeoutMs,
    slot: slot && { ...slot, notify: "never" as const },
    turns,
    in: body.in,
  });
  const draft = makeTask(copy, { holds: turns === undefined ? keeps : undefined });
  return { ...draft, id, priority, parent: slot?.schedule ?? null, wakeAt: wakeAt ?? at };
}

/** What its line of the simulation shows. */
export function taskText({ body: { name, event, slot } }: Task): string {
  return slot?.name ?? event?.handler ?? name;
}

/** Every workspace runs when a run needs it: what starting one takes or meets is not foreseen. */
export const runningWorkspaces: TaskWorkspaces = {
  observe: async ({ body }) => ({ is: "ready", id: body.in ?? "" }),
  reobserve: async ({ body }) => ({ is: "ready", id: body.in ?? "" }),
};

import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { pageWhere } from "../../../kernel/list-all.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { oneLine } from "../../../platform/text.ts";
import { fields } from "../../notifications/index.ts";
import {
  type TaskKind,
  taskKind,
  handlerFields,
  handlerFieldsOf,
  runLine,
  runLineOf,
  type HandledTasks,
} from "../../tasks/index.ts";
import { eventKind } from "../kind.ts";
import { questionId, questionKind } from "../question.ts";
import { endsEvent } from "../task-end.ts";
import { textsOf } from "../texts.ts";

/** A task in a list. */
export const taskLine = runLine.extend({
  id: z.string().describe("the same as run_id: what claim and cancel take"),
  name: z.string().describe("its schedule's name, or who runs it"),
  ...handlerFields,
  priority: z.enum(["low", "normal", "high"]),
});

export type TaskLine = z.infer<typeof taskLine>;

export async function taskLineOf(book: Book, record: Task): Promise<TaskLine> {
  const { body, priority } = record;
  return {
    ...(await runLineOf(book, record)),
    id: record.id,
    name: body.slot?.name ?? body.event?.handler ?? body.name,
    ...handlerFieldsOf(body),
    priority,
  };
}

const output = z.object({
  tasks: z.array(taskLine),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

/** Beside the states: what is pending and somebody works on, as it is shown and as its folder is called. */
const atWork = "in_progress";

const input = z.strictObject({
  state: z
    .enum([...taskLine.shape.status.options, atWork])
    .optional()
    .describe("only what is in this state"),
  handler: z.string().optional().describe("only what this handler has to do"),
  event: z.string().optional().describe("only what is done for this event, by its id or name"),
  at_work: z.boolean().optional().describe("only what somebody works on right now"),
  limit: fields.limit,
  after: fields.after,
});

export const listTasks = operation({
  name: "list_tasks",
  summary: "Show everything that runs or ran, the newest first.",
  input,
  output,
  aliases: { status: "state", event_id: "event" },
  example: { handler: "gen-docs" },
  route: { method: "GET", path: "/v1/tasks" },
  command: { name: "tasks", positionals: [] },
  async run({ limit, after, ...asked }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const { state } = asked;
    const query: ListQuery<TaskKind> = {
      kind: taskKind,
      order: "newest",
      limit,
      after,
      ...(state === undefined ? {} : { state: state === atWork ? "pending" : state }),
    };
    const { records, next } = await pageWhere(book, query, (record) => isAsked(record, asked));
    const tasks = [];
    for (const record of records) tasks.push(await taskLineOf(book, record));
    return { tasks, next };
  },
  render({ tasks, next }, { language }) {
    const texts = textsOf(language);
    if (tasks.length === 0 && next === null) return texts.noTasks();
    const lines = tasks.map(({ run_id: id, name, status, at_work: isAtWork, ...task }) => {
      const state = texts.state(isAtWork && status === "pending" ? atWork : status);
      const said = oneLine(task.reason ?? task.output_summary ?? "", 80);
      return `${id}  ${state.padEnd(11)}  ${task.handler ?? name}  ${said}`.trimEnd();
    });
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});

type Input = Omit<z.infer<typeof input>, "limit" | "after">;

function isAsked(
  { body, lease }: LedgerRecord<TaskKind>,
  { state, handler, event, at_work: isAtWork }: Input,
): boolean {
  if (state === atWork && lease === null) return false;
  if (handler !== undefined && body.event?.handler !== handler) return false;
  if (event !== undefined && ![body.event?.id, body.event?.name].includes(event)) return false;
  return isAtWork === undefined || (lease !== null) === isAtWork;
}

type Task = LedgerRecord<TaskKind>;
/** Tasks of handlers: their events end with them, and what they asked waits as a question. */
export const handledTasks: HandledTasks = {
  async cancels(book, { id, body, endedAt }, reason) {
    if (body.event === undefined || endedAt !== null) return {};
    const event = await book.get(body.event.id);
    const isOurs = is(eventKind, event) && event.outcome?.task === id;
    if (!isOurs || event.endedAt !== null) return {};
    return { edit: [endsEvent(event, "cancelled", reason)] };
  },
  async cancelsLater(book, { body }) {
    const event = body.event && (await book.get(body.event.id));
    return is(eventKind, event) ? { wake: [{ id: event.id }] } : {};
  },
  async openQuestion(book, { id, body }) {
    if (body.event === undefined) return null;
    const found = await book.get(questionId(id));
    if (!is(questionKind, found) || found.state !== "open" || found.body.task !== id) return null;
    return { id: found.id, text: found.body.text, choices: found.body.choices };
  },
};

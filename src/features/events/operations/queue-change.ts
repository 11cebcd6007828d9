import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf, untilFresh } from "../../../kernel/own-book.ts";
import type { Priority } from "../../../kernel/record.ts";
import type { EditOf } from "../../../kernel/unit.ts";
import { DaybookError } from "../../../platform/errors.ts";
import type { Json } from "../../../platform/json.ts";
import { quote } from "../../../platform/text.ts";
import {
  type NotificationKind,
  cancelNotification,
  fields,
  priorityOf,
} from "../../notifications/index.ts";
import { makeTask, type TaskKind, taskKind, cancelTask, handlerRunner } from "../../tasks/index.ts";
import { checkEvent, type EventKind, eventKind } from "../kind.ts";
import { handlerNamed } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { plain } from "./emit.ts";
import { stopEvent } from "./events.ts";
import { queuedRecord, type Queued, folderOf, entry, entryOf, queuedId } from "./queued.ts";
import { redrive } from "./redrive.ts";
import { handledTasks } from "./tasks.ts";

const input = z.strictObject({
  id: queuedId,
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("another payload, as JSON; @FILE or - for what is in a file or comes in"),
  input: z.unknown().optional().describe("what the task gets instead, as JSON"),
  priority: fields.priority,
});
type Input = z.infer<typeof input>;

export const queueEdit = operation({
  name: "edit_queued",
  summary: "Change an event, task or message that waits.",
  input,
  output: entry.extend({ revision: z.number() }),
  example: { id: "task-20261115-001", priority: "high" },
  route: { method: "PATCH", path: "/v1/queue/{id}" },
  command: { name: "queue edit", positionals: ["id"] },
  async run(request, context) {
    if ([request.payload, request.input, request.priority].every((each) => each === undefined)) {
      throw new DaybookError("invalid", "Say what to change: payload, input or priority.");
    }
    const changed = await untilFresh(() => change(request, context));
    return { ...entryOf(changed), revision: changed.revision };
  },
  render: ({ id }, { language }) => textsOf(language).queueEdited(id),
});

async function change(request: Input, context: Context): Promise<Queued> {
  const book = bookOf(context);
  const record = await queuedRecord(book, request.id);
  checkWaits(record);
  const { priority }: { priority?: Priority } = priorityOf(request.priority);
  const { id, revision: ifRevision } = record;
  const same = { id, ifRevision, ...(priority === undefined ? {} : { priority }) };
  if (is(eventKind, record)) return book.edit(eventEdit(record, request, same));
  if (is(taskKind, record)) {
    const body = taskBody(record.body, request, context);
    return book.edit<TaskKind>({ kind: "task", ...same, body });
  }
  if (request.payload === undefined && request.input === undefined) {
    return book.edit<NotificationKind>({ kind: "notification", ...same });
  }
  const sentence = `A message has no payload: change its words with daybook update ${id} --message.`;
  throw new DaybookError("invalid", sentence);
}

type Same = Pick<EditOf<EventKind>, "id" | "ifRevision" | "priority">;

function eventEdit(
  { body }: Extract<Queued, { kind: "event" }>,
  { payload, input: given }: Input,
  same: Same,
): EditOf<EventKind> {
  if (given !== undefined) throw new DaybookError("invalid", "An event has a payload, no input.");
  const changed = payload === undefined ? body : { ...body, payload: plain(payload) };
  checkEvent(changed);
  return { kind: "event", ...same, body: changed };
}

function taskBody(body: TaskKind["body"], request: Input, context: Context): TaskKind["body"] {
  const { payload, input: given } = request;
  if (body.event === undefined || payload === undefined) {
    if (payload !== undefined) {
      throw new DaybookError("invalid", "This task has no payload: give it another input.");
    }
    const changed = given === undefined ? body : { ...body, input: given as Json };
    return makeTask(changed).body; // which checks it
  }
  if (given !== undefined) {
    throw new DaybookError("invalid", "Its input is made of its payload: change that.");
  }
  const event = { ...body.event, payload: plain(payload) };
  const handler = handlerNamed(context, event.handler);
  const made = handler === undefined ? {} : handlerRunner(handler, event);
  // Who runs it stays: it lies in their queue.
  return makeTask({ ...body, ...made, name: body.name, event }).body;
}

function checkWaits({ id, state, lease, endedAt }: Queued): void {
  if (endedAt === null && lease === null && state === "pending") return;
  const details = { state };
  if (endedAt !== null) {
    const sentence = `${id} has ended, being ${state}: do it once more with daybook queue redrive ${id} --payload ….`;
    throw new DaybookError("ended", sentence, { details });
  }
  const who = lease === null ? `it is ${state}` : `${lease.holder} is at work on it`;
  throw new DaybookError("leased", `${id} does not wait any more: ${who}.`, { details });
}

const output = entry.extend({
  of: z.string().nullable().describe("what it is done once more for; null: it is the same record"),
  result: z
    .enum(["cancelled", "cancelling", "redriven"])
    .describe("cancelling: somebody is at work on it, and is told to stop"),
});

export const queueMv = operation({
  name: "move_queued",
  summary: "Move an event, task or message to another state, where that means something.",
  input: z.strictObject({
    id: queuedId,
    state: z.string().min(1).describe("where to: cancelled, or pending to do it once more"),
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  example: { id: "task-20261115-001", state: "cancelled" },
  route: { method: "POST", path: "/v1/queue/{id}/mv" },
  command: { name: "queue mv", positionals: ["id", "state"] },
  async run({ id, state, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const record = await queuedRecord(book, id);
    if (!movesOf(record).includes(state)) throw noMove(record, state);
    if (state === "pending") {
      const again = await redrive({ id }, context);
      const entry = entryOf(await queuedRecord(book, again.id));
      return { ...entry, of: record.id, result: "redriven" };
    }
    const result = await cancelled(record, reason, context);
    return { ...entryOf(await queuedRecord(book, id)), of: null, result };
  },
  render({ id, of, state, result }, { language }) {
    const texts = textsOf(language);
    if (of !== null) return texts.redriven({ of, id });
    const now = result === "cancelling" ? texts.state("in_progress") : texts.state(state);
    return texts.queueMoved({ id, state: now });
  },
});

/** What can become of it from outside: all else is for whoever works on it to say. */
function movesOf({ kind, state, endedAt, cancelling }: Queued): readonly string[] {
  if (endedAt === null) return cancelling ? [] : ["cancelled"];
  const isSaid = kind === "notification" && (state === "delivered" || state === "cancelled");
  return isSaid ? [] : ["pending"];
}

function noMove(record: Queued, request: string): DaybookError {
  const { id, state } = record;
  const moves = movesOf(record);
  const possible =
    moves.length === 0
      ? "nothing can be done about it"
      : moves.includes("pending")
        ? `it can only be done once more: queue mv ${id} pending`
        : `it can only be cancelled: queue mv ${id} cancelled`;
  const is = folderOf(record) === state ? state : `${state} (in ${folderOf(record)})`;
  const sentence = `${id} is ${is} and cannot be moved to ${quote(request)}: ${possible}.`;
  const code = record.endedAt === null ? "invalid" : "ended";
  return new DaybookError(code, sentence, { details: { state, moves } });
}

async function cancelled(
  record: Queued,
  reason: string | undefined,
  context: Context,
): Promise<"cancelled" | "cancelling"> {
  const book = bookOf(context);
  const request = { reason, now: context.now() };
  const result = await (is(eventKind, record)
    ? stopEvent(book, record, request)
    : is(taskKind, record)
      ? cancelTask(book, record, { ...request, handled: handledTasks })
      : cancelNotification(record.id, reason ?? "", context).then(({ result: how }) => how));
  if (result !== "ended") return result === "cancelling" ? result : "cancelled";
  throw noMove(await queuedRecord(book, record.id), "cancelled");
}

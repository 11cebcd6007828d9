import * as z from "zod";
import { bookOf, retryIfStale } from "../../../kernel/book.ts";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
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
import {
  contentInputs,
  entry,
  entryOf,
  folderOf,
  queuedId,
  queuedRecord,
  type Queued,
} from "./queue-entry.ts";
import { redrive } from "./redrive.ts";
import { handledTasks } from "./tasks.ts";

const input = z.strictObject({ id: queuedId, ...contentInputs, priority: fields.priority });
type Input = z.infer<typeof input>;

export const queueEdit = operation({
  name: "edit_queued",
  summary: "Change the payload, input or priority of an event, task or message that waits.",
  input,
  output: entry.extend({ revision: z.number() }),
  example: { id: "task-20261115-001", priority: "high" },
  route: { method: "PATCH", path: "/v1/queue/{id}" },
  command: { name: "queue edit", positionals: ["id"] },
  async run(request, context) {
    if ([request.payload, request.input, request.priority].every((each) => each === undefined)) {
      throw new DaybookError("invalid", "There is no change: give a payload, input or priority.");
    }
    const changed = await retryIfStale(() => change(request, context));
    return { ...entryOf(changed), revision: changed.revision };
  },
  render: ({ id }, { language }) => textsOf(language).queueEdited(id),
});

async function change(request: Input, context: Context): Promise<Queued> {
  const book = bookOf(context);
  const record = await queuedRecord(book, request.id);
  checkWaits(record);
  const { id, revision: ifRevision } = record;
  const edit = { id, ifRevision, priority: priorityOf(request.priority) };
  if (is(eventKind, record)) {
    return book.edit<EventKind>({ kind: "event", ...edit, body: eventBody(record.body, request) });
  }
  if (is(taskKind, record)) {
    const body = taskBody(record.body, request, context);
    return book.edit<TaskKind>({ kind: "task", ...edit, body });
  }
  if (request.payload === undefined && request.input === undefined) {
    return book.edit<NotificationKind>({ kind: "notification", ...edit });
  }
  const sentence = `A message has no payload or input. To change its text: daybook notification edit ${id} --message.`;
  throw new DaybookError("invalid", sentence);
}

function eventBody(body: EventKind["body"], { payload, input: given }: Input): EventKind["body"] {
  if (given !== undefined) {
    throw new DaybookError("invalid", "An event has no input: give a payload instead.");
  }
  const changed = payload === undefined ? body : { ...body, payload: plain(payload) };
  checkEvent(changed);
  return changed;
}

function taskBody(body: TaskKind["body"], request: Input, context: Context): TaskKind["body"] {
  const { payload, input: given } = request;
  if (body.event === undefined || payload === undefined) {
    if (payload !== undefined) {
      throw new DaybookError("invalid", "This task has no payload: give an input instead.");
    }
    const changed = given === undefined ? body : { ...body, input: given as Json }; // makeTask checks it
    return makeTask(changed).body;
  }
  if (given !== undefined) {
    const sentence = "The input of this task is made from its payload: give a payload only.";
    throw new DaybookError("invalid", sentence);
  }
  const event = { ...body.event, payload: plain(payload) };
  const handler = handlerNamed(context, event.handler);
  const run = handler && handlerRunner(handler, event);
  // The record stays in its queue, so the name of its runner stays too.
  return makeTask({ ...body, ...run, name: body.name, event }).body;
}

function checkWaits({ id, state, lease, endedAt }: Queued): void {
  if (endedAt === null && lease === null && state === "pending") return;
  const details = { state };
  if (endedAt !== null) {
    const sentence = `${id} has ended (${state}). To run it again: daybook queue redrive ${id} --payload ….`;
    throw new DaybookError("ended", sentence, { details });
  }
  const reason = lease === null ? `its state is ${state}` : `${lease.holder} is working on it`;
  throw new DaybookError("leased", `${id} cannot be changed: ${reason}.`, { details });
}

const output = entry.extend({
  of: z
    .string()
    .nullable()
    .describe("the record that this one repeats; null: it is the same record"),
  result: z
    .enum(["cancelled", "cancelling", "redriven"])
    .describe("cancelling: it is running and was told to stop"),
});

export const queueMv = operation({
  name: "move_queued",
  summary: "Cancel an event, task or message, or run again one that has ended.",
  input: z.strictObject({
    id: queuedId,
    state: z
      .string()
      .min(1)
      .describe("the new state: cancelled, or pending to run again what has ended"),
    reason: z.string().max(1_000).optional().describe("the reason, kept in the history"),
  }),
  output,
  example: { id: "task-20261115-001", state: "cancelled" },
  route: { method: "POST", path: "/v1/queue/{id}/move", oldPath: "/v1/queue/{id}/mv" },
  command: { name: "queue move", aliases: ["queue mv"], positionals: ["id", "state"] },
  async run({ id, state, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const record = await queuedRecord(book, id);
    if (!movesOf(record).includes(state)) throw noMove(record, state);
    if (state === "pending") {
      const again = await redrive({ id: record.id }, context);
      const entry = entryOf(await queuedRecord(book, again.id));
      return { ...entry, of: record.id, result: "redriven" };
    }
    const result = await cancel(record, reason, context);
    return { ...entryOf(await queuedRecord(book, record.id)), of: null, result };
  },
  render({ id, of, state, result }, { language }) {
    const texts = textsOf(language);
    if (of !== null) return texts.redriven({ of, id });
    const now = result === "cancelling" ? texts.state("in_progress") : texts.state(state);
    return texts.queueMoved({ id, state: now });
  },
});

/** Callers may move it to these states. All other states are for its controller or worker to decide. */
function movesOf({ kind, state, endedAt, cancelling }: Queued): readonly string[] {
  if (endedAt === null) return cancelling ? [] : ["cancelled"];
  const isClosed = kind === "notification" && (state === "delivered" || state === "cancelled");
  return isClosed ? [] : ["pending"];
}

function noMove(record: Queued, request: string): DaybookError {
  const { id, state, endedAt } = record;
  const moves = movesOf(record);
  const [move] = moves;
  const advice =
    move === undefined
      ? "it cannot be moved any more"
      : `the only move is daybook queue move ${id} ${move}`;
  const folder = folderOf(record);
  const shown = folder === state ? state : `${state} (in ${folder})`;
  const sentence = `${id} is ${shown} and cannot be moved to ${quote(request)}: ${advice}.`;
  const code = endedAt === null ? "invalid" : "ended";
  return new DaybookError(code, sentence, { details: { state, moves } });
}

async function cancel(
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
      : cancelNotification(record.id, reason ?? "", context).then((answer) => answer.result));
  if (result !== "ended") return result === "cancelling" ? result : "cancelled";
  throw noMove(await queuedRecord(book, record.id), "cancelled");
}

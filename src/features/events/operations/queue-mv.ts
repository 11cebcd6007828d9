import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import { operation, type Context } from "../../../kernel/operation.ts";
import { bookOf } from "../../../kernel/own-book.ts";
import { DaybookError } from "../../../platform/errors.ts";
import { quote } from "../../../platform/text.ts";
import { cancelNotification } from "../../notifications/operations/end.ts";
import { taskKind } from "../../tasks/kind.ts";
import { cancelTask } from "../../tasks/operations/cancel.ts";
import { eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { endEvent } from "./cancel-event.ts";
import { handledTasks } from "./handled-tasks.ts";
import { entry, entryOf } from "./queue-ls.ts";
import { queuedId } from "./queue-show.ts";
import { placeOf, queuedRecord, type Queued } from "./queued.ts";
import { redrive } from "./redrive.ts";

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
  scope: "write",
  effect: "changes",
  route: { method: "POST", path: "/v1/queue/{id}/mv" },
  command: { name: "queue mv", positionals: ["id", "state"] },
  tool: "on request",
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
  const is = placeOf(record) === state ? state : `${state} (in ${placeOf(record)})`;
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
    ? endEvent(book, record, request)
    : is(taskKind, record)
      ? cancelTask(book, record, { ...request, handled: handledTasks })
      : cancelNotification(record.id, reason ?? "", context).then(({ result: how }) => how));
  if (result !== "ended") return result === "cancelling" ? result : "cancelled";
  throw noMove(await queuedRecord(book, record.id), "cancelled");
}

import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { taskKind, type TaskKind } from "../kind.ts";
import { handledTasks, type HandledTasks } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { runView, shownRunOf } from "./view.ts";

const output = runView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: it is at work, and is being stopped; ended: it was over before"),
});

export const cancelRun = operation({
  name: "cancel_run",
  summary: "Stop a run, or let it not begin.",
  input: z.strictObject({
    id: runId,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output,
  aliases: { run_id: "id" },
  effect: "ends",
  example: { id: exampleRunId, reason: "not today" },
  route: { method: "POST", path: "/v1/runs/{id}/cancel", also: "/v1/tasks/{id}/cancel" },
  command: { name: "cancel-run", positionals: ["id"] },
  async run({ id, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const handled = context.use(handledTasks);
    const result = await cancelTask(book, await find(book, taskKind, id), {
      reason,
      now: context.now(),
      handled,
    });
    const record = await find(book, taskKind, id);
    return { ...(await shownRunOf(book, record, handled)), cancel: result };
  },
  render({ cancel: result, status }, { language }) {
    const texts = textsOf(language);
    if (result === "cancelled") return texts.runCancelled();
    return result === "cancelling" ? texts.runStopping() : texts.runEnded(status);
  },
});

type Task = LedgerRecord<TaskKind>;

interface CancelRequest {
  readonly reason: string | undefined;
  readonly now: number;
  /** Absent: nothing ends with a task. */
  readonly handled: HandledTasks | undefined;
}

/** Cancels a task, and with one that nobody works on what it is done for: one unit. */
export async function cancelTask(
  book: Book,
  task: Task,
  { reason, now, handled }: CancelRequest,
): Promise<Cancelled["result"]> {
  const cancel = { id: task.id, ...(reason === undefined ? {} : { reason }) };
  try {
    const consequences = isAtWork(task, now)
      ? {}
      : await handled?.cancels(book, task, reason ?? null);
    return (await book.cancel(cancel, consequences ?? {})).result;
  } catch (error) {
    // Somebody looks at what ends with it right now, or it has ended: it is looked at once more, and ends then.
    if (!hasCode(error, "leased", "ended", "not_found") || task.body.event === undefined)
      throw error;
    return (await book.cancel(cancel, (await handled?.cancelsLater(book, task)) ?? {})).result;
  }
}

/** Whoever works on it ends what it is done for with it. One who went away does not. */
function isAtWork({ lease, wakeAt }: Task, now: number): boolean {
  return lease !== null && (wakeAt ?? 0) > now;
}

import * as z from "zod";
import { bookOf, findRecord } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { taskKind, type TaskKind } from "../kind.ts";
import { handledTasks, type HandledTasks } from "../ports.ts";
import { textsOf } from "../texts.ts";
import { exampleRunId, runId } from "./inputs.ts";
import { runView, runViewOf } from "./view.ts";

const output = runView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: it is running, and is being stopped; ended: it had ended before"),
});

export const cancelRun = operation({
  name: "cancel_run",
  summary: "Cancel a run, and stop it if it is running.",
  input: z.strictObject({
    id: runId,
    reason: z.string().max(1_000).optional().describe("why; stored with the run"),
  }),
  output,
  aliases: { run_id: "id" },
  effect: "ends",
  example: { id: exampleRunId, reason: "not today" },
  route: { method: "POST", path: "/v1/runs/{id}/cancel", also: "/v1/tasks/{id}/cancel" },
  command: { name: "run cancel", aliases: ["cancel-run"], positionals: ["id"] },
  async run({ id, reason }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const handled = context.use(handledTasks);
    const task = await findRecord(book, taskKind, id);
    const result = await cancelTask(book, task, { reason, now: context.now(), handled });
    const record = await findRecord(book, taskKind, task.id);
    return { ...(await runViewOf(record, context)), cancel: result };
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
  /** Undefined: no other record ends with a task. */
  readonly handled: HandledTasks | undefined;
}

/** Cancels a task. The event of a task that no runner has ends in the same unit. */
export async function cancelTask(
  book: Book,
  task: Task,
  { reason, now, handled }: CancelRequest,
): Promise<Cancelled["result"]> {
  const cancel = { id: task.id, reason };
  try {
    const consequences = isAtWork(task, now)
      ? {}
      : await handled?.cancels(book, task, reason ?? null);
    return (await book.cancel(cancel, consequences ?? {})).result;
  } catch (error) {
    // A record that ends with the task is leased or has ended: its controller decides again, and ends it then.
    if (!hasCode(error, "leased", "ended", "not_found") || task.body.event === undefined)
      throw error;
    return (await book.cancel(cancel, (await handled?.cancelsLater(book, task)) ?? {})).result;
  }
}

/** A runner that has the task ends its event with it. A runner whose lease is over does not. */
function isAtWork({ lease, wakeAt }: Task, now: number): boolean {
  return lease !== null && (wakeAt ?? 0) > now;
}

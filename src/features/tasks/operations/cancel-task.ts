import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import type { TaskKind } from "../kind.ts";
import type { HandledTasks } from "../ports.ts";

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

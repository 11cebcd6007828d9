import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled, Follows } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { eventKind } from "../../events/kind.ts";
import { endsEvent } from "../../events/task-end.ts";
import type { TaskKind } from "../kind.ts";

type Task = LedgerRecord<TaskKind>;

/** Cancels a task, and with one that nobody works on the event that it handles: one unit. */
export async function cancelTask(
  book: Book,
  task: Task,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<Cancelled["result"]> {
  const cancel = { id: task.id, ...(reason === undefined ? {} : { reason }) };
  try {
    const follows = isAtWork(task, now) ? {} : await endOfEvent(book, task, reason ?? null);
    return (await book.cancel(cancel, follows)).result;
  } catch (error) {
    // Somebody looks at the event right now, or it has ended: it is looked at once more, and ends then.
    if (!hasCode(error, "leased", "ended", "not_found") || task.body.event === undefined)
      throw error;
    const event = await book.get(task.body.event.id);
    const wake = is(eventKind, event) ? { wake: [{ id: event.id }] } : {};
    return (await book.cancel(cancel, wake)).result;
  }
}

/** Whoever works on it ends the event with it. One who went away does not. */
function isAtWork({ lease, wakeAt }: Task, now: number): boolean {
  return lease !== null && (wakeAt ?? 0) > now;
}

async function endOfEvent(book: Book, task: Task, reason: string | null): Promise<Follows> {
  const { body, endedAt } = task;
  if (body.event === undefined || endedAt !== null) return {};
  const event = await book.get(body.event.id);
  const isOurs = is(eventKind, event) && event.outcome?.task === task.id;
  if (!isOurs || event.endedAt !== null) return {};
  return { edit: [endsEvent(event, "cancelled", reason)] };
}

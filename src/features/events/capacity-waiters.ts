import type { Book, Ledger } from "../../kernel/ledger.ts";
import { priorities, type Claimed, type LedgerRecord } from "../../kernel/record.ts";
import { isInLine, takesCapacity } from "../tasks/capacity.ts";
import { type TaskKind, taskKind } from "../tasks/kind.ts";

type Task = LedgerRecord<TaskKind>;

/** So many of an owner's oldest tasks, and of the newest, are looked through for who waits for a place. */
const lookedMax = 50;
const givenMax = 1_000;

/**
 * Finds who is next when a task of a handler gives its place away: the most urgent of its owner's that wait for one,
 * then the oldest. Of two that end together, the second is given the one after that.
 */
export function placeWaiters(
  ledger: Ledger,
): (record: Claimed<TaskKind>) => Promise<string | undefined> {
  const given = new Map<string, { to: string; revision: number }>();
  return async (record) => {
    if (!takesCapacity(record)) return undefined;
    const waiting = (await tasksIn(ledger.of(record.owner, record.by))).filter(isInLine);
    const next = waiting.toSorted(byUrgency).find(({ id, revision }) => {
      const before = given.get(id);
      // One that has looked since then found no place.
      return before === undefined || before.to === record.id || before.revision !== revision;
    });
    if (next === undefined) return undefined;
    if (given.size >= givenMax) given.clear(); // at worst one is given twice, and another looks by itself
    given.set(next.id, { to: record.id, revision: next.revision });
    return next.id;
  };
}

async function tasksIn(book: Book): Promise<readonly Task[]> {
  const query = { kind: taskKind, live: true, limit: lookedMax } as const;
  const oldest = await book.list(query);
  if (oldest.next === null) return oldest.records;
  // What is urgent and came just now is behind many.
  const newest = await book.list({ ...query, order: "newest" });
  const known = new Set(oldest.records.map(({ id }) => id));
  return [...oldest.records, ...newest.records.toReversed().filter(({ id }) => !known.has(id))];
}

/** Sorted by it, the older of two that are as urgent stays before the other. */
function byUrgency(one: Task, other: Task): number {
  return priorities.indexOf(one.priority) - priorities.indexOf(other.priority);
}

import type { Book } from "../../kernel/ledger.ts";
import type { Page } from "../../kernel/reading.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { type TaskKind, taskKind } from "./kind.ts";
import { type RunCauseView, shownRunCause } from "./run-cause.ts";

type Task = LedgerRecord<TaskKind>;

const pageSize = 500;
/** So many pages are counted at most. */
const pagesMax = 20;
const runsShown = 3;
/** Its first slot is decided in one of its first changes. */
const firstChanges = 20;

/**
 * Which of its schedule's runs it is, from the first one on. Null when that cannot be known: nobody scheduled
 * it, earlier ones are forgotten, or there are too many to count.
 */
export async function numberOf(book: Book, { id, body }: Task): Promise<number | null> {
  if (body.slot === undefined) return null;
  const { schedule: parent } = body.slot;
  const query = { kind: taskKind, parent, order: "oldest", limit: pageSize } as const;
  let count = 0;
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { records, next }: Page = await book.list(
      after === undefined ? query : { ...query, after },
    );
    const [first] = records;
    if (first === undefined) return null;
    if (page === 0 && (await hasForgotten(book, parent, first.createdAt))) return null;
    const index = records.findIndex((record) => record.id === id);
    if (index !== -1) return count + index + 1;
    if (next === null) return null;
    count += records.length;
    after = next;
  }
  return null;
}

/** Slots were decided before the oldest run that is still in the book. */
async function hasForgotten(book: Book, schedule: string, oldestAt: number): Promise<boolean> {
  const { changes } = await book.changes({ id: schedule, limit: firstChanges });
  const decided = changes.find(({ what }) => what === "settled");
  return changes.length === 0 || (decided !== undefined && decided.at < oldestAt);
}

/** The newest runs of a schedule. */
export async function recentRuns(book: Book, schedule: string): Promise<RunCauseView[]> {
  const runs = await siblings(book, schedule, runsShown);
  const [newest] = runs;
  if (newest === undefined) return [];
  const number = await numberOf(book, newest);
  return runs.map((run, index) => shownRunCause(run, number === null ? null : number - index));
}

/** The run that was at work when this one's time came, if it is still to be found. */
export async function runBefore(book: Book, task: Task): Promise<RunCauseView | null> {
  if (task.body.slot === undefined || task.outcome?.reason !== "overlap") return null;
  const { createdAt } = task;
  const all = await siblings(book, task.body.slot.schedule, pageSize);
  const before = all.find(
    (run) =>
      run.id !== task.id && run.createdAt <= createdAt && (run.endedAt ?? Infinity) > createdAt,
  );
  return before === undefined ? null : shownRunCause(before, await numberOf(book, before));
}

async function siblings(book: Book, parent: string, limit: number): Promise<readonly Task[]> {
  const query = { kind: taskKind, parent, order: "newest", limit } as const;
  return (await book.list(query)).records;
}

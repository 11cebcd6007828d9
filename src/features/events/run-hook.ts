import { recordOf } from "../../kernel/book.ts";
import type { Ledger, Book } from "../../kernel/ledger.ts";
import { type Claimed, priorities, type LedgerRecord } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { dayOf } from "../../time/zone.ts";
import type { Numbers } from "../notifications/index.ts";
import {
  takesCapacity,
  holdsWhileWaiting,
  isInLine,
  sameAttempt,
  type TaskKind,
  taskKind,
  emptyOutcome,
  type RunAttempt,
  runHook,
  type RunHook,
  type StartFacts,
  retryMsOf,
} from "../tasks/index.ts";
import { healthy, type Condition, overloadFor } from "./health.ts";
import { eventKind } from "./kind.ts";
import {
  endingEvent,
  finishHandled,
  interpretResult,
  isOfHandler,
  type HandlerFacts,
  countMessages,
} from "./task-end.ts";

type Task = Claimed<TaskKind>;

interface HandlerRunsOptions {
  ledger: Ledger;
  /** Gives messages their ids; absent: the store does. */
  numbers?: Numbers;
  /** The load of this machine; absent: it is always healthy. */
  health?(): Condition;
}

/** Ends the event of a handler's task by its result, writes its messages and question, and sheds load. */
export function handlerRuns(options: HandlerRunsOptions): RunHook {
  const read = handlerFacts(options);
  return runHook<HandlerFacts>({
    applies: isOfHandler,
    before: waitsAfterLapse,
    postpones: (task) => overloadFor(task, options.health?.() ?? healthy),
    interpret: interpretResult,
    read: (task, attempt, { zone }) => read(task, attempt, zone),
    finish: finishHandled,
    waits: endingEvent,
    // Another program took the id of a message: it gets the next one.
    refused: ({ code, details }, { messageIds }) =>
      code === "conflict" && messageIds.includes(String(details["id"])),
  });
}

/** After an interrupted attempt a task waits as after a failed one: what ended the attempt may still be there. */
function waitsAfterLapse(
  record: Task,
  { now, concurrency }: StartFacts,
): Verdict<TaskKind> | undefined {
  const { lapses } = record;
  const before = record.outcome ?? emptyOutcome;
  // After a callback nothing runs again: only the end is read.
  if (lapses === 0 || before.callback !== undefined) return undefined;
  const { holds, ...waiting } = holdsWhileWaiting(record, concurrency);
  return {
    state: "pending",
    wakeAt: now + retryMsOf(record),
    freshStart: true,
    outcome: { ...sameAttempt(record, before), ...waiting },
    note: "the node went away in the middle of it",
    holds,
  };
}

/** Reads what the end of a handler's task needs. */
function handlerFacts({
  ledger,
  numbers,
}: HandlerRunsOptions): (task: Task, attempt: RunAttempt, zone: string) => Promise<HandlerFacts> {
  const nextAfter = capacityQueue(ledger);
  const messageIdsFor = async (task: Task, attempt: RunAttempt, zone: string) => {
    const ids: string[] = [];
    if (numbers === undefined) return ids;
    const day = dayOf(task.lease.claimedAt, zone);
    for (let left = countMessages(task, attempt); left > 0; left -= 1) {
      ids.push(await numbers.label("msg", day));
    }
    return ids;
  };
  return async (task, attempt, zone) => {
    const { event, slot } = task.body;
    const book = ledger.of(task.owner, task.by);
    // A slot of a schedule handles no event, even if there is one of that name.
    const found = await recordOf(book, eventKind, slot === undefined ? event?.id : undefined);
    return {
      event: found?.endedAt === null ? found : undefined,
      messageIds: await messageIdsFor(task, attempt, zone),
      next: await nextAfter(task),
    };
  };
}

/** The task in line is searched among this many of the owner's oldest tasks, and of the newest. */
const searchedMax = 50;
const wokenMax = 1_000;

/**
 * Finds the task that gets the capacity of one that ends: the most urgent in line of the same owner, then the oldest.
 * When two end together, the second wakes the next one in line.
 */
function capacityQueue(ledger: Ledger): (task: Task) => Promise<string | undefined> {
  const woken = new Map<string, { by: string; revision: number }>();
  return async (task) => {
    if (!takesCapacity(task)) return undefined;
    const waiting = (await tasksIn(ledger.of(task.owner, task.by))).filter(isInLine);
    const next = waiting.toSorted(byUrgency).find(({ id, revision }) => {
      const before = woken.get(id);
      // With another revision it was claimed since then, and found no capacity.
      return before === undefined || before.by === task.id || before.revision !== revision;
    });
    if (next === undefined) return undefined;
    if (woken.size >= wokenMax) woken.clear(); // at worst one is woken twice, and another claims at its own time
    woken.set(next.id, { by: task.id, revision: next.revision });
    return next.id;
  };
}

async function tasksIn(book: Book): Promise<readonly LedgerRecord<TaskKind>[]> {
  const query = { kind: taskKind, live: true, limit: searchedMax } as const;
  const oldest = await book.list(query);
  if (oldest.next === null) return oldest.records;
  // A new urgent task is behind many older ones.
  const newest = await book.list({ ...query, order: "newest" });
  const ids = new Set(oldest.records.map(({ id }) => id));
  return [...oldest.records, ...newest.records.toReversed().filter(({ id }) => !ids.has(id))];
}

/** A stable sort: the older of two equally urgent tasks stays first. */
function byUrgency(one: LedgerRecord, other: LedgerRecord): number {
  return priorities.indexOf(one.priority) - priorities.indexOf(other.priority);
}

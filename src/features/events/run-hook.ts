import { is } from "../../kernel/kind.ts";
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
  retryMs,
} from "../tasks/index.ts";
import { well, type Condition, overloadFor } from "./health.ts";
import { eventKind } from "./kind.ts";
import {
  endingEvent,
  finishHandled,
  interpretResult,
  isOfHandler,
  type HandlerFacts,
  countMessages,
} from "./task-end.ts";

interface HandlerRunsOptions {
  ledger: Ledger;
  /** What gives messages their names; absent: the store. */
  numbers?: Numbers;
  /** How this machine is; absent: it is always well. */
  health?(): Condition;
}

/** Reads the result of a handler's task, ends its event with it, says and asks what it says, and sheds load. */
export function handlerRuns(options: HandlerRunsOptions): RunHook {
  const read = handlerFacts(options);
  return runHook<HandlerFacts>({
    applies: isOfHandler,
    before: waitsAfterLapse,
    postpones: (task) => overloadFor(task, options.health?.() ?? well),
    interpret: interpretResult,
    read: (task, attempt, { zone }) => read(task, attempt, zone),
    finish: finishHandled,
    waits: endingEvent,
    // Somebody else gave that name to something: what is said gets the next one.
    refused: ({ code, details }, { messageIds }) =>
      code === "conflict" && messageIds.includes(String(details["id"])),
  });
}

/**
 * What a task of a handler that is to run waits for when the attempt before was cut off: the same minute as after one
 * that failed, for what ended it may still be there. Undefined: nothing.
 */
function waitsAfterLapse(
  record: Claimed<TaskKind>,
  { now, concurrency }: StartFacts,
): Verdict<TaskKind> | undefined {
  const { lapses } = record;
  const before = record.outcome ?? emptyOutcome;
  // With its callback, only the end of what was done is read.
  if (lapses === 0 || before.callback !== undefined) return undefined;
  const { holds, ...waiting } = holdsWhileWaiting(record, concurrency);
  return {
    state: "pending",
    wakeAt: now + retryMs,
    freshStart: true,
    outcome: { ...sameAttempt(record, before), ...waiting },
    note: "the node went away in the middle of it",
    ...(holds === undefined ? {} : { holds }),
  };
}

type Task = Claimed<TaskKind>;

/** Reads what must be known at the end of a task of a handler. */
function handlerFacts(options: {
  ledger: Ledger;
  /** What gives its messages their names; absent: the store. */
  numbers?: Numbers;
}): (record: Task, made: RunAttempt, zone: string) => Promise<HandlerFacts> {
  const { ledger, numbers } = options;
  const nextFor = capacityWaiters(ledger);
  const idsFor = async (record: Task, made: RunAttempt, zone: string): Promise<string[]> => {
    const ids: string[] = [];
    if (numbers === undefined) return ids;
    const day = dayOf(record.lease.claimedAt, zone);
    for (let left = countMessages(record, made); left > 0; left -= 1) {
      ids.push(await numbers.label("msg", day));
    }
    return ids;
  };
  return async (record, made, zone) => {
    const { event, slot } = record.body;
    const book = ledger.of(record.owner, record.by);
    // A slot of a schedule handles no event, whatever there is of that name.
    const id = slot === undefined ? event?.id : undefined;
    const found = id === undefined ? undefined : await book.get(id);
    const isLive = is(eventKind, found) && found.endedAt === null;
    return {
      event: isLive ? found : undefined,
      messageIds: await idsFor(record, made, zone),
      next: await nextFor(record),
    };
  };
}

/** So many of an owner's oldest tasks, and of the newest, are looked through for who waits for a place. */
const lookedMax = 50;
const givenMax = 1_000;

/**
 * Finds who is next when a task of a handler gives its place away: the most urgent of its owner's that wait for one,
 * then the oldest. Of two that end together, the second is given the one after that.
 */
function capacityWaiters(
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

async function tasksIn(book: Book): Promise<readonly LedgerRecord<TaskKind>[]> {
  const query = { kind: taskKind, live: true, limit: lookedMax } as const;
  const oldest = await book.list(query);
  if (oldest.next === null) return oldest.records;
  // What is urgent and came just now is behind many.
  const newest = await book.list({ ...query, order: "newest" });
  const known = new Set(oldest.records.map(({ id }) => id));
  return [...oldest.records, ...newest.records.toReversed().filter(({ id }) => !known.has(id))];
}

/** Sorted by it, the older of two that are as urgent stays before the other. */
function byUrgency(one: LedgerRecord, other: LedgerRecord): number {
  return priorities.indexOf(one.priority) - priorities.indexOf(other.priority);
}

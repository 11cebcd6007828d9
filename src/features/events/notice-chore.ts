import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { type Chore, type ChoreMemory, systemOwner } from "../nodes/index.ts";
import { makeNotification, type NotificationKind, inboxOf } from "../notifications/index.ts";
import { type TaskKind, taskKind, timedOutMark } from "../tasks/index.ts";
import type { Condition } from "./health.ts";
import { eventKind } from "./kind.ts";
import {
  noticesOf,
  readSentNotices,
  timeoutsWithinMs,
  type Notice,
  type Overview,
} from "./notices.ts";
import { isOfHandler } from "./task-end.ts";

interface NoticesOptions {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  /** Owners with events in the current settings. */
  owners(): readonly string[];
  /** The owner of the installation, who gets the notices about the machine. */
  home: string;
  /** The target of messages of work that no chat requested; null: the inbox. */
  defaultTarget(): string | null;
  /** The name and the load of this machine. */
  host: string;
  health(): Condition;
}

/** The most of the newest tasks, and of the oldest events, that are read. */
const readMax = 100;
const dayMs = 86_400_000;

/** Notifies owners of trouble with their events, once until it is over. One node at a time runs it. */
export function noticesChore(options: NoticesOptions): Chore {
  const { ledger, profile, owners, home, host, health } = options;
  const send = async (owner: string, notice: Notice, now: number, { round }: ChoreMemory) => {
    const { language } = await profile(owner);
    const target = (owner === home ? options.defaultTarget() : null) ?? inboxOf(owner);
    const draft = noticeOf(notice.text(language), target, now);
    const name = `when-notice:${round}:${notice.name}`;
    const key = { name, asked: { name }, until: now + dayMs };
    await ledger.of(owner, systemOwner).append({ ...draft, key });
  };
  return {
    name: "when-notices",
    everyMs: 60_000,
    async run(now, signal, memory) {
      const before = (memory.kept ?? {}) as Readonly<Record<string, Json>>;
      const kept: Record<string, Json> = {};
      let count = 0;
      for (const owner of new Set([home, ...owners()])) {
        if (signal.aborted) throw new Error("stopped before its end: it runs again");
        const overview = await overviewOf(ledger.of(owner, systemOwner), now);
        const machine = owner === home ? { host, condition: health() } : undefined;
        const { fresh, sent } = noticesOf({ ...overview, machine }, readSentNotices(before[owner]));
        for (const notice of fresh) await send(owner, notice, now, memory);
        kept[owner] = { ...sent };
        count += fresh.length;
      }
      return { did: `sent ${count} notices`, kept };
    },
  };
}

function noticeOf(message: string, target: string, now: number): DraftOf<NotificationKind> {
  return makeNotification({
    message,
    at: now,
    atText: "now",
    target,
    origin: null,
    type: "notice",
  });
}

async function overviewOf(book: Book, now: number): Promise<Overview> {
  const newest = { kind: taskKind, order: "newest", limit: readMax } as const;
  const ended = (await book.list({ ...newest, live: false })).records.filter(isOfHandler);
  const live = (await book.list({ ...newest, live: true })).records.filter(isOfHandler);
  const waiting = { kind: eventKind, live: true, state: "pending", limit: readMax } as const;
  const { records: pending, next } = await book.list(waiting);
  const timeouts = await countTimeouts(book, [...ended, ...live], now - timeoutsWithinMs);
  return { now, tasks: ended, timeouts, pending, isMore: next !== null };
}

/** Counts every attempt that timed out, also those with a retry. */
async function countTimeouts(
  book: Book,
  tasks: readonly LedgerRecord<TaskKind>[],
  since: number,
): Promise<number> {
  let count = 0;
  for (const { id, updatedAt, outcome, attempt } of tasks) {
    const mayHaveTimedOut = attempt > 1 || outcome?.reason?.startsWith(timedOutMark) === true;
    if (updatedAt < since || !mayHaveTimedOut) continue;
    const { changes } = await book.changes({ id });
    count += changes.filter(
      ({ at, note }) => at >= since && note?.startsWith(timedOutMark) === true,
    ).length;
  }
  return count;
}

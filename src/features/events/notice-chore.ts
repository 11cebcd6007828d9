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
import { noticesOf, readSent, timeoutsWithinMs, type Notice, type Overview } from "./notices.ts";

interface NoticesOptions {
  ledger: Ledger;
  profile(owner: string): Promise<Profile>;
  /** In whose books events are heard, as it is set now. */
  owners(): readonly string[];
  /** The installation's own owner, who hears how the machine is. */
  home: string;
  /** Where work speaks that no chat asked for; null: in the inbox. */
  defaultTarget(): string | null;
  /** This machine, and how it is. */
  host: string;
  health(): Condition;
}

/** So many are looked at, newest tasks and oldest events. */
const lookedMax = 100;
const dayMs = 86_400_000;

/** Tells owners what goes wrong with their events, once until it is over. Of many nodes one does it. */
export function noticesChore(options: NoticesOptions): Chore {
  const { ledger, profile, owners, home, host, health } = options;
  const tell = async (owner: string, news: Notice, now: number, { round }: ChoreMemory) => {
    const { language } = await profile(owner);
    const target = (owner === home ? options.defaultTarget() : null) ?? inboxOf(owner);
    const draft = noticeOf(news.say(language), target, now);
    const name = `when-notice:${round}:${news.name}`;
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
        if (signal.aborted) throw new Error("stopped in the middle: it is done again");
        const seen = await overview(ledger.of(owner, systemOwner), now);
        const machine = owner === home ? { machine: { host, condition: health() } } : {};
        const { news, told } = noticesOf({ ...seen, ...machine }, readSent(before[owner]));
        for (const each of news) await tell(owner, each, now, memory);
        kept[owner] = { troubles: told.troubles, machines: told.machines };
        count += news.length;
      }
      return { did: `told ${count} notices`, kept };
    },
  };
}

function noticeOf(message: string, target: string, now: number): DraftOf<NotificationKind> {
  const said = { message, at: now, atText: "now", target, origin: null } as const;
  return makeNotification({ ...said, type: "notice" });
}

async function overview(book: Book, now: number): Promise<Overview> {
  const newest = { kind: taskKind, order: "newest", limit: lookedMax } as const;
  const ended = (await book.list({ ...newest, live: false })).records.filter(isOfHandler);
  const live = (await book.list({ ...newest, live: true })).records.filter(isOfHandler);
  const waiting = { kind: eventKind, live: true, state: "pending", limit: lookedMax } as const;
  const { records: pending, next } = await book.list(waiting);
  const timeouts = await countTimeouts(book, [...ended, ...live], now - timeoutsWithinMs);
  return { now, tasks: ended, timeouts, pending, isMore: next !== null };
}

function isOfHandler({ body }: LedgerRecord<TaskKind>): boolean {
  return body.event !== undefined;
}

/** Every attempt that took too long counts, also one that was made again. */
async function countTimeouts(
  book: Book,
  tasks: readonly LedgerRecord<TaskKind>[],
  since: number,
): Promise<number> {
  let count = 0;
  for (const { id, updatedAt, outcome, attempt } of tasks) {
    const isTold = attempt > 1 || outcome?.reason?.startsWith(timedOutMark) === true;
    if (updatedAt < since || !isTold) continue;
    const { changes } = await book.changes({ id });
    count += changes.filter(
      ({ at, note }) => at >= since && note?.startsWith(timedOutMark) === true,
    ).length;
  }
  return count;
}

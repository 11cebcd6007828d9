import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { PruneSelection } from "../../kernel/work-unit.ts";
import type { Json } from "../../platform/json.ts";
import { type Chore, systemOwner } from "../nodes/index.ts";
import { type CounterKind, counterKind } from "../notifications/index.ts";

const dayMs = 86_400_000;
/** A day is over this long after its start, in every time zone. */
const dayMsMax = 3 * dayMs;
/** How long events and their tasks are kept by default. */
const handledKeepMs = 7 * dayMs;
/** A question waits for a week, and the task that resumes sends messages to the old thread. */
const threadKeepMs = 8 * dayMs;

/** Events and their consequences. The keys keep the names of events longer. */
const handled: readonly PruneSelection[] = [
  { kind: "event" },
  { kind: "question" },
  { kind: "counter" },
  { kind: "task", has: "event" },
  { kind: "permit" },
  { kind: "notification", has: "thread" },
  { kind: "notification", has: "change" },
];
/** First messages of threads, and messages outside of threads. */
const threadStarts: readonly PruneSelection[] = [{ kind: "notification", has: "seedType" }];

interface PruneOptions {
  /** Counted from their end. */
  keepMs?(): number;
  /** Removes files from before a time that lie beside the records; returns their number. */
  sweep?: ((before: number) => Promise<number>) | undefined;
}

/** Prunes events and their consequences long before other records. */
export function pruneHandled(ledger: Ledger, options: PruneOptions = {}): Chore {
  const { keepMs = () => handledKeepMs, sweep } = options;
  return {
    name: "forget-handled",
    everyMs: 60 * 60_000,
    async run(now, signal, { kept }) {
      const ends = Math.max(now - keepMs(), 0);
      const threads = Math.max(ends - threadKeepMs, 0);
      const before = progressOf(kept);
      await endCounters(ledger, Math.min(ends, now - dayMsMax));
      const pruned =
        (await prune(ledger, { of: handled, from: before.ends, to: ends, signal })) +
        (await prune(ledger, { of: threadStarts, from: before.threads, to: threads, signal }));
      const swept = (await sweep?.(ends)) ?? 0;
      const did = `deleted ${pruned} records and ${swept} files`;
      return { did, kept: signal.aborted ? kept : { ends, threads } };
    },
  };
}

/** The times that earlier rounds reached: older records are not searched again. */
function progressOf(kept: Json): { ends: number; threads: number } {
  const { ends, threads } = (kept ?? {}) as { ends?: Json; threads?: Json };
  const timeOr0 = (time: Json | undefined): number => (typeof time === "number" ? time : 0);
  return { ends: timeOr0(ends), threads: timeOr0(threads) };
}

const limit = 1_000;

async function prune(
  ledger: Ledger,
  round: { of: readonly PruneSelection[]; from: number; to: number; signal: AbortSignal },
): Promise<number> {
  const { of, to, signal } = round;
  // A day is searched again for records that were locked then.
  const endedFrom = Math.max(Math.min(round.from, to) - dayMs, 0);
  let pruned = 0;
  for (let last = limit; last === limit && !signal.aborted;) {
    last = await ledger.work.prune({ endedBefore: to, endedFrom, of, limit });
    pruned += last;
  }
  return pruned;
}

/** The counter of a day that is over is not needed any more. */
async function endCounters(ledger: Ledger, before: number): Promise<void> {
  const book = ledger.of(systemOwner, systemOwner);
  const old: LedgerRecord<CounterKind>[] = [];
  for await (const counter of recordsIn(book, { kind: counterKind, live: true })) {
    if (counter.updatedAt < before) old.push(counter);
  }
  for (const { id } of old) await book.cancel({ id, reason: "its day is over" });
}

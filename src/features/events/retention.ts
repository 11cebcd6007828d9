import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Forgettable } from "../../kernel/work-unit.ts";
import type { Json } from "../../platform/json.ts";
import { type Chore, systemOwner } from "../nodes/index.ts";
import { type CounterKind, counterKind } from "../notifications/index.ts";
const dayMs = 86_400_000;
/** Wherever on Earth somebody is, a day is over this long after it began. */
const dayMsMax = 3 * dayMs;
/** How long what was done for events is kept, unless it is set otherwise. */
const handledKeepMs = 7 * dayMs;
/** A question waits for a week, and what goes on after it speaks in the thread that was begun before. */
const threadKeepMs = 8 * dayMs;

/** Events and what came of them. Their names are known longer, by their keys. */
const handled: readonly Forgettable[] = [
  { kind: "event" },
  { kind: "question" },
  { kind: "counter" },
  { kind: "task", has: "event" },
  { kind: "notification", has: "thread" },
  { kind: "notification", has: "change" },
];
/** What begins a thread, and what is said outside of one. */
const beginnings: readonly Forgettable[] = [{ kind: "notification", has: "seedType" }];

interface ForgettingOptions {
  /** Since their end. */
  keepMs?(): number;
  /** Removes what lies beside the records from before a time; answers how much. */
  sweep?: ((before: number) => Promise<number>) | undefined;
}

/** Forgets what was done for events, long before the rest. */
export function forgetHandled(ledger: Ledger, options: ForgettingOptions = {}): Chore {
  const { keepMs = () => handledKeepMs, sweep } = options;
  return {
    name: "forget-handled",
    everyMs: 60 * 60_000,
    async run(now, signal, { kept }) {
      const ends = Math.max(now - keepMs(), 0);
      const threads = Math.max(ends - threadKeepMs, 0);
      const before = doneOf(kept);
      await endCounters(ledger, Math.min(ends, now - dayMsMax));
      const forgotten =
        (await forget(ledger, { of: handled, from: before.ends, to: ends, signal })) +
        (await forget(ledger, { of: beginnings, from: before.threads, to: threads, signal }));
      const swept = (await sweep?.(ends)) ?? 0;
      const did = `forgot ${forgotten} records and ${swept} files`;
      return { did, kept: signal.aborted ? kept : { ends, threads } };
    },
  };
}

/** Up to where earlier rounds came: the rest of the book is not looked through each time. */
function doneOf(kept: Json): { ends: number; threads: number } {
  const { ends, threads } = (kept ?? {}) as { ends?: Json; threads?: Json };
  const known = (time: Json | undefined): number => (typeof time === "number" ? time : 0);
  return { ends: known(ends), threads: known(threads) };
}

const limit = 1_000;

async function forget(
  ledger: Ledger,
  round: { of: readonly Forgettable[]; from: number; to: number; signal: AbortSignal },
): Promise<number> {
  const { of, to, signal } = round;
  // A day more: what was locked by another then is forgotten now.
  const endedFrom = Math.max(Math.min(round.from, to) - dayMs, 0);
  let forgotten = 0;
  for (let last = limit; last === limit && !signal.aborted;) {
    last = await ledger.work.prune({ endedBefore: to, endedFrom, of, limit });
    forgotten += last;
  }
  return forgotten;
}

/** Numbers of a day that is over are not given out any more. */
async function endCounters(ledger: Ledger, before: number): Promise<void> {
  const book = ledger.of(systemOwner, systemOwner);
  const old: LedgerRecord<CounterKind>[] = [];
  for await (const counter of recordsIn(book, { kind: counterKind, live: true })) {
    if (counter.updatedAt < before) old.push(counter);
  }
  for (const { id } of old) await book.cancel({ id, reason: "its day is over" });
}

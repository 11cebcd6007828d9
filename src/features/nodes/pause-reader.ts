import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { cached } from "../../platform/cached.ts";
import type { Clock } from "../../platform/clock.ts";
import { systemOwner } from "./node.ts";
import { type Pause, pauseKind } from "./pause.ts";

/** Everything that rests now, or did until its time was over. */
export async function readPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  return Array.fromAsync(recordsIn(book, { kind: pauseKind, live: true }));
}

const newestMax = 100;

/** The newest of them, also those that are over: for who wonders what rested. */
export async function readNewestPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const book = ledger.of(systemOwner, systemOwner);
  const { records } = await book.list({ kind: pauseKind, order: "newest", limit: newestMax });
  return records;
}

/** Heard of after this long at most. */
export const pauseHeardMs = 1_000;

/** For those who need them all the time: remembered for a moment. */
export function pauseReader(
  ledger: Ledger,
  clock: Pick<Clock, "mono">,
): () => Promise<readonly Pause[]> {
  const read = cached(clock, pauseHeardMs, readPauses);
  return () => read(ledger);
}

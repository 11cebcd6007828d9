import type { Clock } from "../base/clock.ts";
import { systemOwner } from "../rules/node.ts";
import type { Pause } from "../rules/pause.ts";
import type { Ledger } from "./ledger.ts";

/** Everything that rests now, or did until its time was over. */
export async function readPauses(ledger: Ledger): Promise<readonly Pause[]> {
  const query = { kind: "pause", live: true, limit: 500 } as const;
  const { records } = await ledger.of(systemOwner, systemOwner).list(query);
  return records.filter((record) => record.kind === "pause");
}

/** Heard of after this long at most. */
export const pauseHeardMs = 1_000;

/** For those who need them all the time: remembered for a moment. */
export function pauseReader(
  ledger: Ledger,
  clock: Pick<Clock, "mono">,
): () => Promise<readonly Pause[]> {
  let known: { pauses: Promise<readonly Pause[]>; readAt: number } | undefined;
  return () => {
    const now = clock.mono();
    if (known !== undefined && now - known.readAt < pauseHeardMs) return known.pauses;
    const pauses = readPauses(ledger);
    known = { pauses, readAt: now };
    pauses.catch(() => (known = undefined));
    return pauses;
  };
}

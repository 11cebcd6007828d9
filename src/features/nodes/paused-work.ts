import type { Work } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import { estimatedClock } from "../../kernel/store-clock.ts";
import type { Claim, ClaimRequest } from "../../kernel/work-unit.ts";
import type { Clock } from "../../platform/clock.ts";
import { pauseReadMs, type Pause, pauseOfKind, pauseOfRecord, pauseText } from "./pause.ts";

/** Paused records are claimed again after this long, so that they continue soon after a resume. */
const putBackMsMax = 60_000;
const usualIntervals = { kindMs: pauseReadMs, recordMs: putBackMsMax };

/**
 * The work without paused records. A paused kind is not claimed at all; claimed records of a paused owner or channel are
 * put back until the pause ends, or for a minute at most.
 */
export function unpausedWork(
  work: Work,
  pauses: () => Promise<readonly Pause[]>,
  clock: Clock,
  { kindMs, recordMs } = usualIntervals,
): Work {
  const storeClock = estimatedClock(clock);
  const claim = async <K extends Shape>(request: ClaimRequest<K>): Promise<Claim<K>> => {
    const known = await pauses();
    const now = storeClock.now();
    const paused = pauseOfKind(known, request.kind.name, now);
    if (paused !== undefined) {
      return { records: [], now, nextWakeAt: Math.min(endOf(paused), now + kindMs) };
    }
    const claimed = await work.claim(request);
    storeClock.sync(claimed.now);
    const checked = claimed.records.map((record) => {
      const pause = pauseOfRecord(known, record, claimed.now);
      return { record, pause };
    });
    const held = checked.filter((each): each is Held<K> => each.pause !== undefined);
    if (held.length === 0) return claimed;
    await putBack(work, held, { now: claimed.now, leaseMs: request.leaseMs, recordMs });
    const records = checked.flatMap(({ record, pause }) => (pause === undefined ? [record] : []));
    return { ...claimed, records, nextWakeAt: claimed.now }; // others may wait behind them
  };
  return { ...work, claim };
}

interface Held<K extends Shape> {
  readonly record: Claimed<K>;
  readonly pause: Pause;
}

/** Undoes the claims. The first time, a note gives the reason. */
async function putBack<K extends Shape>(
  work: Work,
  held: readonly Held<K>[],
  { now, leaseMs, recordMs }: { now: number; leaseMs: number; recordMs: number },
): Promise<void> {
  const first = held.filter(({ record }) => now - (record.readyAt ?? now) < putBackMsMax);
  if (first.length > 0) {
    await work.keep(
      first.map(({ record: { id, lease }, pause }) => ({
        id,
        fence: lease.fence,
        leaseMs,
        note: `it waits: ${pauseText(pause, "is")}`,
      })),
    );
  }
  await work.settle(
    held.map(({ record: { id, lease }, pause }) => ({
      id,
      fence: lease.fence,
      unstarted: true as const,
      wakeAt: Math.min(endOf(pause), now + recordMs),
    })),
  );
}

function endOf({ body: { until } }: Pause): number {
  return until ?? Infinity;
}

import type { Work } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import { estimatedClock } from "../../kernel/store-clock.ts";
import type { Claim, ClaimRequest } from "../../kernel/work-unit.ts";
import type { Clock } from "../../platform/clock.ts";
import { pauseHeardMs, type Pause, restingKind, restingRecord, restText } from "./pause.ts";
/** Paused records are claimed again after this long, so that they go on soon after a pause was ended. */
const restMsMax = 60_000;
const looksUsual = { kindMs: pauseHeardMs, recordMs: restMsMax };

/**
 * The work without what is paused: a paused kind is not claimed at all; claimed records of a paused owner or channel are
 * put back until the pause ends, or for a minute at most.
 */
export function heldBack(
  work: Work,
  pauses: () => Promise<readonly Pause[]>,
  clock: Clock,
  { kindMs, recordMs } = looksUsual,
): Work {
  const storeClock = estimatedClock(clock);
  const claim = async <K extends Shape>(request: ClaimRequest<K>): Promise<Claim<K>> => {
    const known = await pauses();
    const now = storeClock.now();
    const resting = restingKind(known, request.kind.name, now);
    if (resting !== undefined) {
      return { records: [], now, nextWakeAt: Math.min(endOf(resting), now + kindMs) };
    }
    const claimed = await work.claim(request);
    storeClock.sync(claimed.now);
    const looked = claimed.records.map((record) => {
      const pause = restingRecord(known, record, claimed.now);
      return { record, pause };
    });
    const held = looked.filter((each): each is Held<K> => each.pause !== undefined);
    if (held.length === 0) return claimed;
    await putBack(work, held, { now: claimed.now, leaseMs: request.leaseMs, recordMs });
    const records = looked.flatMap(({ record, pause }) => (pause === undefined ? [record] : []));
    return { ...claimed, records, nextWakeAt: claimed.now }; // others may wait behind them
  };
  return { ...work, claim };
}

interface Held<K extends Shape> {
  readonly record: Claimed<K>;
  readonly pause: Pause;
}

/** As if it had not been claimed; the first time it says why. */
async function putBack<K extends Shape>(
  work: Work,
  held: readonly Held<K>[],
  { now, leaseMs, recordMs }: { now: number; leaseMs: number; recordMs: number },
): Promise<void> {
  const first = held.filter(({ record }) => now - (record.readyAt ?? now) < restMsMax);
  if (first.length > 0) {
    await work.keep(
      first.map(({ record: { id, lease }, pause }) => ({
        id,
        fence: lease.fence,
        leaseMs,
        note: `it waits: ${restText(pause, "rests")}`,
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

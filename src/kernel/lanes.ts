import { backoffMs, type Backoff } from "../platform/backoff.ts";

/**
 * Keeps one destination from taking everything. A lane may have `share` records at work; the rest of
 * it is parked, and comes forward as room is made. A lane that cannot be reached is parked for longer
 * each time, and then one record alone tries it.
 */
export interface Lanes {
  /** Whether a claimed record may start now; if not, until when its lane is parked. */
  admit(lane: string, now: number): "start" | Parked;
  /** A record of the lane is done. Answers what to do with the lane. */
  leave(lane: string, now: number, restMs?: number): LaneOrder | undefined;
  /** Nothing of the lane is parked any more. */
  ledgerTables(lane: string): void;
  /** The lanes that are parked only because their share was full. */
  waiting(): readonly string[];
}

export interface Parked {
  untilMs: number;
  reason: "share" | "rest";
}

/** Park all that waits in the lane, or let so many of the parked come forward. */
type LaneOrder = { park: Parked } | { free: number };

interface Lane {
  working: number;
  /** Freed, and not yet seen again. */
  coming: number;
  failures: number;
  parked: Parked | undefined;
}

/** Above this number of lanes, those that have been idle for long are dropped. */
const lanesMax = 10_000;

function isResting(lane: Lane, now: number): boolean {
  return lane.parked?.reason === "rest" && lane.parked.untilMs > now;
}

interface LanesOptions {
  share: number;
  /** How long a parked lane waits if nobody frees it: a safeguard against a lost order. */
  parkMs: number;
  rest: Backoff;
  jitter(): number;
}

export function lanes(options: LanesOptions): Lanes {
  const known = new Map<string, Lane>();
  const laneOf = (name: string): Lane => {
    const lane = known.get(name) ?? { working: 0, coming: 0, failures: 0, parked: undefined };
    known.set(name, lane);
    return lane;
  };
  const shareOf = (lane: Lane): number => (lane.failures > 0 ? 1 : options.share);
  const forgetIfIdle = (name: string, lane: Lane): void => {
    if (lane.working === 0 && lane.failures === 0 && lane.parked === undefined) known.delete(name);
  };
  const rest = (lane: Lane, now: number, atLeastMs: number): LaneOrder | undefined => {
    // What was at work when the lane went down fails together: that is one failure, not many.
    if (isResting(lane, now) && now + atLeastMs <= (lane.parked?.untilMs ?? 0)) return undefined;
    lane.failures += 1;
    const ms = Math.max(backoffMs(options.rest, lane.failures, options.jitter()), atLeastMs);
    lane.parked = { untilMs: Math.round(now + ms), reason: "rest" };
    return { park: lane.parked };
  };
  /** A lane that failed once and is never written to again would stay for ever. */
  const forgetQuiet = (now: number): void => {
    if (known.size <= lanesMax) return;
    for (const [name, { working, parked }] of known) {
      if (working === 0 && (parked?.untilMs ?? 0) + options.rest.maxMs < now) known.delete(name);
    }
  };
  return {
    admit(name, now) {
      forgetQuiet(now);
      const lane = laneOf(name);
      lane.coming = Math.max(lane.coming - 1, 0);
      if (isResting(lane, now) && lane.parked !== undefined) return lane.parked;
      if (lane.working < shareOf(lane)) {
        lane.working += 1;
        return "start";
      }
      lane.parked = { untilMs: now + options.parkMs, reason: "share" };
      return lane.parked;
    },
    leave(name, now, restMs) {
      const lane = laneOf(name);
      lane.working -= 1;
      if (restMs !== undefined) return rest(lane, now, restMs);
      lane.failures = 0;
      const room = lane.parked === undefined ? 0 : shareOf(lane) - lane.working - lane.coming;
      forgetIfIdle(name, lane);
      if (room < options.share / 2) return undefined; // one move for many
      lane.coming += room;
      return { free: room };
    },
    ledgerTables(name) {
      const lane = laneOf(name);
      lane.parked = undefined;
      lane.coming = 0;
      forgetIfIdle(name, lane);
    },
    waiting: () =>
      [...known].flatMap(([name, { parked }]) => (parked?.reason === "share" ? [name] : [])),
  };
}

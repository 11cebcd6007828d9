import { backoffMs, type Backoff } from "../platform/backoff.ts";

/**
 * Keeps one destination from taking all slots. A lane may have `share` running attempts; its other records are
 * parked, and freed as attempts end. A lane whose destination cannot be reached is parked for longer after each
 * failure, and is then tried with a single record.
 */
export interface Lanes {
  /** Answers "start" when a claimed record may start now; otherwise how its lane is parked. */
  admit(lane: string, now: number): "start" | Parked;
  /** An attempt of the lane has ended. Answers the order for the lane, if any. */
  leave(lane: string, now: number, pauseMs?: number): LaneOrder | undefined;
  /** No record of the lane is parked any more. */
  markEmpty(lane: string): void;
  /** The lanes that are parked only because they were over their share. */
  overShare(): readonly string[];
}

export interface Parked {
  untilMs: number;
  reason: "share" | "rest";
}

/** Park all waiting records of the lane, or free that many parked ones. */
type LaneOrder = { park: Parked } | { free: number };

interface Lane {
  working: number;
  /** Records that were freed and not claimed yet. */
  freed: number;
  failures: number;
  parked: Parked | undefined;
}

/** Above this number of lanes, those that were idle for long are deleted. */
const lanesMax = 10_000;

function isBackingOff(lane: Lane, now: number): boolean {
  return lane.parked?.reason === "rest" && lane.parked.untilMs > now;
}

interface LanesOptions {
  share: number;
  /** The longest time a lane is parked without being freed: a safeguard against a lost order. */
  parkMs: number;
  backoff: Backoff;
  jitter(): number;
}

export function lanes(options: LanesOptions): Lanes {
  const lanesByName = new Map<string, Lane>();
  const laneOf = (name: string): Lane => {
    const lane = lanesByName.get(name) ?? { working: 0, freed: 0, failures: 0, parked: undefined };
    lanesByName.set(name, lane);
    return lane;
  };
  const shareOf = (lane: Lane): number => (lane.failures > 0 ? 1 : options.share);
  const deleteIfIdle = (name: string, lane: Lane): void => {
    if (lane.working === 0 && lane.failures === 0 && lane.parked === undefined)
      lanesByName.delete(name);
  };
  const backOff = (lane: Lane, now: number, atLeastMs: number): LaneOrder | undefined => {
    // The attempts that ran when the destination failed all fail together: that is one failure.
    if (isBackingOff(lane, now) && now + atLeastMs <= (lane.parked?.untilMs ?? 0)) return undefined;
    lane.failures += 1;
    const ms = Math.max(backoffMs(options.backoff, lane.failures, options.jitter()), atLeastMs);
    lane.parked = { untilMs: Math.round(now + ms), reason: "rest" };
    return { park: lane.parked };
  };
  /** Otherwise a lane that failed once and is never used again would be kept for ever. */
  const deleteIdleLanes = (now: number): void => {
    if (lanesByName.size <= lanesMax) return;
    for (const [name, { working, parked }] of lanesByName) {
      if (working === 0 && (parked?.untilMs ?? 0) + options.backoff.maxMs < now)
        lanesByName.delete(name);
    }
  };
  return {
    admit(name, now) {
      deleteIdleLanes(now);
      const lane = laneOf(name);
      lane.freed = Math.max(lane.freed - 1, 0);
      if (isBackingOff(lane, now) && lane.parked !== undefined) return lane.parked;
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
      if (restMs !== undefined) return backOff(lane, now, restMs);
      lane.failures = 0;
      const free = lane.parked === undefined ? 0 : shareOf(lane) - lane.working - lane.freed;
      deleteIfIdle(name, lane);
      if (free < options.share / 2) return undefined; // one move for many
      lane.freed += free;
      return { free };
    },
    markEmpty(name) {
      const lane = laneOf(name);
      lane.parked = undefined;
      lane.freed = 0;
      deleteIfIdle(name, lane);
    },
    overShare: () =>
      [...lanesByName].flatMap(([name, { parked }]) => (parked?.reason === "share" ? [name] : [])),
  };
}

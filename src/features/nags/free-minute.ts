import { createHash } from "node:crypto";
import { minuteHold } from "./holds.ts";
import { type OpenHours, nextOpenTime } from "./open-hours.ts";

const minuteMs = 60_000;
/** Random minutes are tried near the time first, then further away; then the next free minute is taken. */
const triesMax = 50;
const nearTries = 25;
const nearMinutesMax = 59;
const farMinutesMax = 720;

export interface Minutes {
  readonly owner: string;
  /** The same seed tries the same minutes. */
  readonly seed: string;
  /** The planned distance: a random minute is no further away. */
  readonly spanMs: number;
  readonly hours: OpenHours;
  /** Names that other records hold. */
  readonly held: readonly string[];
  /** Minutes that the owner's other nags hold. */
  readonly takenMinutes: ReadonlySet<number>;
}

export function minuteOf(at: number): number {
  return Math.floor(at / minuteMs);
}

/** The time itself, or soon after it, in a minute that no other computed time of the owner has. */
export function freeTime(at: number, minutes: Minutes): number {
  if (isFree(at, minutes)) return at;
  for (let tried = 1; tried <= triesMax; tried += 1) {
    const time = at + (1 + (drawn(minutes.seed, tried) % reach(tried, minutes))) * minuteMs;
    if (isFree(time, minutes) && nextOpenTime(time, minutes.hours) === time) return time;
  }
  return nextFree(at, minutes);
}

/** Nags that are refused at the same time would all take the same minute, so each skips some. */
function nextFree(at: number, minutes: Minutes): number {
  const refused = minutes.held.length;
  let skips = drawn(minutes.seed, triesMax + refused) % (refused + 1);
  for (let time = at + minuteMs; ; time += minuteMs) {
    if (!isFree(time, minutes)) continue;
    time = nextOpenTime(time, minutes.hours) ?? time;
    if (!isFree(time, minutes)) continue;
    if (skips === 0) return time;
    skips -= 1;
  }
}

function isFree(time: number, { owner, held, takenMinutes }: Minutes): boolean {
  const minute = minuteOf(time);
  return (
    !takenMinutes.has(minute) && (held.length === 0 || !held.includes(minuteHold(owner, minute)))
  );
}

function reach(tried: number, { spanMs }: Minutes): number {
  const most = tried <= nearTries ? nearMinutesMax : farMinutesMax;
  return Math.min(Math.max(Math.floor(spanMs / minuteMs), 1), most);
}

function drawn(seed: string, tried: number): number {
  return createHash("sha256").update(`${seed}:${tried}`).digest().readUInt32BE();
}

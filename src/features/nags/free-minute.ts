import { createHash } from "node:crypto";
import { minuteHold } from "./holds.ts";
import { type Hours, opening } from "./open-hours.ts";

const minuteMs = 60_000;
/** First near the time, then further away; then the next that is free. */
const triesMax = 50;
const nearTries = 25;
const nearMinutesMax = 59;
const farMinutesMax = 720;

export interface Minutes {
  readonly owner: string;
  /** The same always looks in the same places. */
  readonly seed: string;
  /** No further away than what it is counted with. */
  readonly spanMs: number;
  readonly hours: Hours;
  /** Names that another has. */
  readonly held: readonly string[];
  /** Minutes that another has. */
  readonly taken: ReadonlySet<number>;
}

export function minuteOf(at: number): number {
  return Math.floor(at / minuteMs);
}

/** The time itself, or one soon after it in a minute that no other computed time of the owner is in. */
export function freeTime(at: number, minutes: Minutes): number {
  if (isFree(at, minutes)) return at;
  for (let tried = 1; tried <= triesMax; tried += 1) {
    const time = at + (1 + (drawn(minutes.seed, tried) % reach(tried, minutes))) * minuteMs;
    if (isFree(time, minutes) && opening(time, minutes.hours) === time) return time;
  }
  return nextFree(at, minutes);
}

/** Those who are refused side by side would all take the same: so each passes some over. */
function nextFree(at: number, minutes: Minutes): number {
  const refused = minutes.held.length;
  let passed = drawn(minutes.seed, triesMax + refused) % (refused + 1);
  for (let time = at + minuteMs; ; time += minuteMs) {
    if (!isFree(time, minutes)) continue;
    time = opening(time, minutes.hours) ?? time;
    if (!isFree(time, minutes)) continue;
    if (passed === 0) return time;
    passed -= 1;
  }
}

function isFree(time: number, { owner, held, taken }: Minutes): boolean {
  const minute = minuteOf(time);
  return !taken.has(minute) && (held.length === 0 || !held.includes(minuteHold(owner, minute)));
}

function reach(tried: number, { spanMs }: Minutes): number {
  const most = tried <= nearTries ? nearMinutesMax : farMinutesMax;
  return Math.min(Math.max(Math.floor(spanMs / minuteMs), 1), most);
}

function drawn(seed: string, tried: number): number {
  return createHash("sha256").update(`${seed}:${tried}`).digest().readUInt32BE();
}

import type { ProfileKind, Quiet } from "../../features/accounts/profile.ts";
import { builtInCurves, type Curve } from "../../features/nags/curve.ts";
import type { NagRequest } from "../../features/nags/kind.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Scale } from "./scale.ts";

interface Drawing {
  name: string;
  random: Random;
  /** How many it drew: no two texts are alike. */
  count: number;
  scale: Scale;
}

const dayMs = 86_400_000;

/** Whole hours and halves of them, and clocks that are put forward and back at different times. */
const nagZones: readonly [string, ...string[]] = [
  "UTC",
  "Asia/Seoul",
  "Asia/Kathmandu",
  "America/New_York",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Auckland",
];

const { otu, daily, weekdays } = builtInCurves;
const minute = { count: 1, unit: "minutes" } as const;
const minutes: Curve = { base: minute, factor: 2, cap: { count: 4, unit: "minutes" } };
const days = (count: number): Curve["base"] => ({ count, unit: "days" });

/** In a minute only what comes by the minute comes again. */
const short: readonly [Curve, ...Curve[]] = [
  minutes,
  minutes,
  { ...minutes, factor: 1, cap: minute },
  { ...minutes, countMax: 2 },
  { ...minutes, jitter: 0.5 },
  { ...minutes, escalate: { after: 2, target: "sim:a3" } },
  otu,
];
const long: readonly [Curve, ...Curve[]] = [
  otu,
  otu,
  otu,
  otu,
  otu,
  { ...otu, countMax: 4 },
  { ...daily, base: days(3), factor: 2, cap: days(40) },
  { ...weekdays, base: days(5), factor: 1.5, cap: days(60) },
  { ...otu, wholeHours: false, jitter: 0.3, cap: days(90) },
  { ...otu, base: days(4), escalate: { after: 3, target: "sim:a3" } },
];

/** What is asked for, but what it is about. */
export function drawNag(drawing: Drawing, now: number): Omit<NagRequest, "about"> {
  const { random, scale } = drawing;
  const isLong = scale.name === "year";
  const aheadMs = isLong ? 40 * dayMs : 40_000;
  const at = Math.max(0, now - 5_000 + intBelow(random, aheadMs));
  const reached = ["sim:a0", "sim:a1", "sim:a2", "sim:a3"] as const;
  // What cannot be said is tried again for ever: few are enough.
  const target = chance(random, isLong ? 0.005 : 0.1) ? "nowhere:b0" : pick(random, reached);
  const curve = pick(random, isLong ? long : short);
  const zone = chance(random, 0.6) ? { zone: pick(random, nagZones) } : {};
  return { curveName: "drawn", curve, target, origin: target, at, atText: "then", ...zone };
}

/** Until when it is put off. */
export function drawSnooze(
  { random, scale }: Drawing,
  now: number,
): { at: number; atText: string } {
  const longest = scale.name === "year" ? 20 * dayMs : 20_000;
  return { at: now + 1 + intBelow(random, longest), atText: "later" };
}

/** Another zone, or other quiet hours; they always leave some time of the day. */
export function drawProfileChange({ random }: Drawing): ProfileKind["body"] {
  const hours: readonly [Quiet, ...Quiet[]] = [
    { from: "20:30", to: "08:15" },
    { from: "23:00", to: "09:30" },
    { from: "12:00", to: "13:00" },
  ];
  return {
    timezone: pick(random, nagZones),
    quiet: chance(random, 0.5) ? null : pick(random, hours),
  };
}

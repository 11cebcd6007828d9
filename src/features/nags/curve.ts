import * as z from "zod";
import { parseTarget, target } from "../../kernel/target.ts";
import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { dailyHours } from "../../time/settings.ts";
import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/index.ts";
import { nextOpenTime } from "./open-hours.ts";

/** Days are calendar days, which keep the hour across clock changes; minutes and hours have a fixed length. */
const distanceSchema = z
  .strictObject({ count: z.int().positive(), unit: z.enum(["minutes", "hours", "days"]) })
  .readonly();
export type Distance = z.output<typeof distanceSchema>;

/** How the distance from one send to the next grows: plain data, in a record and in the settings. */
export const curve = z
  .strictObject({
    /** The first distance, and the factor from one to the next, up to the cap. */
    base: distanceSchema,
    factor: z.number(),
    cap: distanceSchema,
    /** Up to this share of the distance is taken off at random. */
    jitter: z.number().optional(),
    /** The nag is paused after so many messages. */
    countMax: z.int().positive().optional(),
    /** A time in these hours of the reader's day moves to their end. */
    sleep: dailyHours.readonly().optional(),
    /** Monday to Friday only. */
    weekdays: z.boolean().optional(),
    /** Only at whole hours of the reader's clock. */
    wholeHours: z.boolean().optional(),
    /** Sent to this target too, from this number on. */
    escalate: z.strictObject({ after: z.int().positive(), target }).readonly().optional(),
  })
  .readonly();
export type Curve = z.output<typeof curve>;

const day: Distance = { count: 1, unit: "days" };
const sleep = { from: "22:00", to: "07:00" } as const;

/** The curves that every book has. */
export const builtInCurves = {
  otu: { base: day, factor: 2, cap: { count: 256, unit: "days" }, sleep, wholeHours: true },
  minutes: {
    base: { count: 5, unit: "minutes" },
    factor: 2,
    cap: { count: 30, unit: "minutes" },
  },
  hourly: { base: { count: 1, unit: "hours" }, factor: 1, cap: { count: 1, unit: "hours" }, sleep },
  daily: { base: day, factor: 1, cap: day, sleep },
  weekdays: { base: day, factor: 1, cap: day, sleep, weekdays: true },
} as const satisfies Record<string, Curve>;

export interface NextTime {
  readonly curve: Curve;
  /** The number of the message that was sent last. */
  readonly count: number;
  /** When that message was due, or was sent. */
  readonly from: number;
  readonly now: number;
  readonly zone: string;
  readonly quiet: Quiet | null;
  /** In [0, 1). */
  readonly chance: number;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
export const unitMs = { minutes: minuteMs, hours: 60 * minuteMs, days: dayMs } as const;
/** A start further ahead than this is a mistake: the distance is counted from now instead. */
const aheadMsMax = 365 * dayMs;
/** Larger numbers make no difference to any curve. */
const countMax = 1_000_000;

/** The next send, counted from the last one or from now, whichever is later. */
export function nextTime(given: NextTime): number {
  const { from, now } = given;
  const isPlausible = Number.isFinite(from) && from <= now + aheadMsMax;
  return timeAfter({ ...given, from: isPlausible ? Math.max(from, now) : now });
}

/** The next send, counted from a time that may have passed; never before a minute from now. */
export function timeAfter(given: NextTime): number {
  const { curve, now, zone, quiet } = given;
  const soonest = now + minuteMs;
  const far = distant(given);
  const at = curve.wholeHours === true ? wholeHour(far, soonest, zone) : Math.max(far, soonest);
  // With no open hours at all the time stays, and the verdict records the reason.
  return nextOpenTime(at, { ...curve, quiet, zone }) ?? at;
}

function distant({ curve, count, from, zone, chance }: NextTime): number {
  const { days, restMs } = distance(curve, count, chance);
  const day = days === 0 ? from : inZone(from, zone).add({ days }).epochMilliseconds;
  return Math.round(day + restMs);
}

interface Length {
  /** Calendar days. */
  readonly days: number;
  readonly restMs: number;
}

/** The distance from the message with this number to the next. */
function distance(curve: Curve, count: number, chance: number): Length {
  const { base, factor, cap, jitter = 0 } = curve;
  const number = Math.min(Math.max(Math.trunc(count) || 1, 1), countMax);
  // A power that overflows is Infinity, which the cap bounds.
  const grown = Math.min(base.count * factor ** (number - 1), inUnit(cap, base.unit));
  const length = grown * (1 - jitter * chance);
  if (base.unit !== "days") return { days: 0, restMs: length * unitMs[base.unit] };
  const days = Math.floor(length);
  return { days, restMs: (length - days) * dayMs };
}

/** The approximate distance, ignoring clock changes. */
export function distanceMs(curve: Curve, count: number): number {
  const { days, restMs } = distance(curve, count, 0);
  return days * dayMs + restMs;
}

function inUnit({ count, unit }: Distance, wanted: Distance["unit"]): number {
  return (count * unitMs[unit]) / unitMs[wanted];
}

/** The whole hour before a time, in the zone; the next hour when that is too soon. */
function wholeHour(at: number, soonest: number, zone: string): number {
  const hour = inZone(Math.max(at, soonest), zone).round({
    smallestUnit: "hour",
    roundingMode: "floor",
  });
  return hour.epochMilliseconds >= soonest
    ? hour.epochMilliseconds
    : hour.add({ hours: 1 }).epochMilliseconds;
}

const factorMax = 1_000;
const capMsMax = 3_660 * dayMs;

/** Refuses a curve that would never send, or never wait. */
export function checkCurve(curve: Curve): void {
  const { base, factor, cap, jitter = 0, countMax: most = 1, escalate } = curve;
  for (const { count, unit } of [base, cap]) {
    demand(
      isWhole(count) && Object.hasOwn(unitMs, unit),
      "A distance is a whole number of minutes, hours or days, from 1.",
    );
  }
  demand(
    factor >= 1 && factor <= factorMax,
    `The factor is ${factor}: use a number from 1 to ${factorMax}.`,
  );
  demand(inUnit(cap, "days") * dayMs <= capMsMax, "The cap is over ten years: make it shorter.");
  demand(
    inUnit(base, cap.unit) <= cap.count,
    "The first distance is longer than the cap: make the cap longer.",
  );
  demand(jitter >= 0 && jitter <= 1, `The jitter is ${jitter}: use a share from 0 to 1.`);
  demand(isWhole(most), `The limit of messages is ${most}: use a whole number from 1.`);
  checkSleep(curve.sleep);
  if (escalate === undefined) return;
  demand(
    isWhole(escalate.after),
    `It escalates after ${escalate.after}: use a whole number from 1.`,
  );
  parseTarget(escalate.target);
}

function checkSleep(hours: Curve["sleep"]): void {
  if (hours === undefined) return;
  for (const time of [hours.from, hours.to]) {
    const isTime = /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time);
    demand(isTime, `${quote(time)} is not a time of day: write it like "22:00".`);
  }
  demand(
    hours.from !== hours.to,
    "The sleep starts and ends at the same time: change one of them.",
  );
}

function isWhole(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 1;
}

function demand(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new DaybookError("invalid", sentence);
}

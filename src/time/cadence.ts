import { DaybookError } from "../platform/errors.ts";
import { readInput } from "../platform/input-path.ts";
import { quote } from "../platform/text.ts";
import type { Cadence } from "./cadence/cadence.ts";
import { interpretRepeat, type ParsedCadence } from "./cadence/interpret.ts";
import { readLength } from "./cadence/length.ts";
import { readRepeat } from "./cadence/repeat.ts";
import { readRuleInput, type RuleInput } from "./cadence/rule-input.ts";
import {
  cronSeries,
  ruleSeries,
  seriesAfter,
  seriesBetween,
  type Series,
} from "./cadence/series.ts";
import { parseFuture } from "./future.ts";
import { isLength } from "./phrase/phrase.ts";
import { refusal } from "./phrase/reader.ts";
import { plain, span, type ParsedTime, type TimeContext } from "./times.ts";
import { checkZone } from "./zone.ts";

export type { Cadence } from "./cadence/cadence.ts";

/** A cadence as the input of a program. */
export type CadenceInput =
  | { readonly type: "once"; readonly at: string }
  | { readonly type: "cron"; readonly expression: string; readonly timezone?: string | undefined }
  /** A length such as "2h", or seconds. */
  | { readonly type: "interval"; readonly every: string | number }
  | RuleInput;

type Interval = Extract<Cadence, { type: "interval" }>;

const charsMax = 200;
/** A date followed by a time, as in ISO 8601. */
const isExact = /^[+-]?\d{4,6}-?\d\d-?\d\d[t ]\d/i;
/** The end of the year 9999. */
const latest = 253_402_300_799_999;
const dayMs = 86_400_000;
/** How many fires are compared for the shortest gap. */
const firesChecked = 100;

/** Fires strictly after a time, oldest first, up to a count; empty: it never fires again. */
export function firesAfter(cadence: Cadence, after: number, limit: number): readonly number[] {
  if (cadence.type === "once") return cadence.at > after && limit > 0 ? [cadence.at] : [];
  if (cadence.type !== "interval") return seriesAfter(seriesOf(cadence), after, limit);
  const { everyMs, anchor } = checkInterval(cadence);
  const first = Math.max(1, Math.floor((after - anchor) / everyMs) + 1);
  const last = Math.min(first + limit - 1, Math.floor((latest - anchor) / everyMs));
  return multiples(cadence, first, last);
}

/**
 * Fires in (after, until]: the newest of them, at most so many, oldest first, and how many came
 * before these. A long gap is counted by days, not fire by fire.
 */
export function firesBetween(
  cadence: Cadence,
  after: number,
  until: number,
  limit: number,
): { fires: readonly number[]; earlier: number } {
  if (cadence.type === "once") {
    const isIn = cadence.at > after && cadence.at <= until;
    const fires = isIn && limit > 0 ? [cadence.at] : [];
    return { fires, earlier: (isIn ? 1 : 0) - fires.length };
  }
  if (cadence.type !== "interval") return seriesBetween(seriesOf(cadence), after, until, limit);
  const { everyMs, anchor } = checkInterval(cadence);
  const first = Math.max(1, Math.floor((after - anchor) / everyMs) + 1);
  const last = Math.floor((Math.min(until, latest) - anchor) / everyMs);
  const shown = Math.max(first, last - limit + 1);
  return {
    fires: multiples(cadence, shown, last),
    earlier: shown - first,
  };
}

function multiples({ everyMs, anchor }: Interval, first: number, last: number): number[] {
  return Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, i) => anchor + (first + i) * everyMs,
  );
}

function checkInterval(interval: Interval): Interval {
  if (Number.isSafeInteger(interval.everyMs) && interval.everyMs > 0) return interval;
  const isLong = interval.everyMs > Number.MAX_SAFE_INTEGER;
  const advice = 'An interval takes some time: write it as "30m" or "2h".';
  throw new DaybookError("invalid", isLong ? neverSentence(interval) : advice);
}

function seriesOf(cadence: Extract<Cadence, { zone: string }>): Series {
  return cadence.type === "cron"
    ? cronSeries(cadence.expression, cadence.zone)
    : ruleSeries(cadence.rule, cadence.start, cadence.zone);
}

/** Throws for a cadence that never fires, fires too often, or cannot be read; the error says what to write. */
export function checkCadence(cadence: Cadence, now: number, minGapMs: number): void {
  if ("zone" in cadence) checkZone(cadence.zone);
  const fires = firesAfter(cadence, now, firesChecked);
  if (fires.length === 0) throw new DaybookError("invalid", neverSentence(cadence));
  const early = fires.findIndex((fire, i) => i > 0 && fire - (fires[i - 1] ?? 0) < minGapMs);
  if (early === -1) return;
  const gapMs = (fires[early] ?? 0) - (fires[early - 1] ?? 0);
  const at = Temporal.Instant.fromEpochMilliseconds(fires[early] ?? 0).toString();
  throw new DaybookError(
    "invalid",
    `It would fire ${span(gapMs)} after the time before, at ${at}: leave at least ${span(minGapMs)} between two times.`,
    { details: { at: fires[early], gapMs, minGapMs } },
  );
}

function neverSentence(cadence: Cadence): string {
  switch (cadence.type) {
    case "once":
      return "The time is past: give one that is still ahead.";
    case "interval": {
      const longest = Math.floor((latest - cadence.anchor) / dayMs);
      return `The interval is longer than the calendar: write ${longest}d or less.`;
    }
    case "cron":
      return `The cron expression ${quote(cadence.expression)} never fires: correct its day or month.`;
    case "rrule":
      return `The recurrence rule ${quote(cadence.rule)} never fires from now on: correct its days, COUNT, UNTIL or start.`;
  }
}

/** Reads a program's input as a cadence; an error names the part that is wrong. */
export function readCadence(input: CadenceInput, context: TimeContext): ParsedCadence {
  switch (input.type) {
    case "once":
      return once(readInput("at", () => parseFuture(input.at, context)));
    case "interval": {
      const everyMs = readInput("every", () => readLength(input.every));
      const interval: Interval = { type: "interval", everyMs, anchor: context.now };
      return { cadence: readInput("every", () => checkInterval(interval)) };
    }
    case "cron": {
      const zone = readInput("timezone", () => checkZone(input.timezone ?? context.zone));
      readInput("expression", () => cronSeries(input.expression, zone));
      return { cadence: { type: "cron", expression: input.expression.trim(), zone } };
    }
    case "rrule":
      return readRuleInput(input, context);
  }
}

function once({ at, ...guess }: ParsedTime): ParsedCadence {
  return { cadence: { type: "once", at }, ...guess };
}

/** Reads a schedule in English or Korean: repeated, as a cron line, or once. */
export function readWhen(text: string, context: TimeContext): ParsedCadence {
  if (text.length > charsMax) {
    throw new DaybookError("too_large", `The schedule is over ${charsMax} characters: shorten it.`);
  }
  const typed = plain(text);
  if (isCron(typed)) {
    const zone = checkZone(context.zone);
    cronSeries(typed, zone);
    return { cadence: { type: "cron", expression: typed, zone } };
  }
  const repeat = isExact.test(typed) ? undefined : readRepeat(typed);
  if (repeat !== undefined) return interpretRepeat(repeat, context, typed);
  if (isLength(typed)) {
    const [often, later] = /[가-힣]/.test(typed)
      ? [`${typed}마다`, `${typed} 뒤`]
      : [`every ${typed}`, `in ${typed}`];
    throw refusal(typed, `is a length, not a time: write "${often}" or "${later}"`);
  }
  return once(parseFuture(typed, context));
}

/** A nickname; or words of which the first three could be numbers: five, or with a star, which no phrase has. */
function isCron(typed: string): boolean {
  if (/^@[a-z]/i.test(typed)) return true;
  const fields = typed.split(" ");
  const isLong = fields.length > (typed.includes("*") ? 2 : 4);
  return isLong && fields.slice(0, 3).every((field) => /^[\d*?L][\d*,/\-?L]*$/i.test(field));
}

import { DaybookError } from "../base/errors.ts";
import { quote } from "./text.ts";

/** A moment as it is echoed to whoever asked for it. */
export interface Due {
  readonly utc: string;
  readonly local: string;
  readonly zone: string;
  readonly past: boolean;
  /** A sentence for people. */
  readonly text: string;
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const part = /(\d{1,9}) ?(ms|s|min|m|h|d)(?: |$|(?=\d))/gi;
const relative = new RegExp(`^(?:\\+ ?|in )(?:${part.source})+$`, "i");
const charsMax = 200;
/** The end of the year 9999: what every store and calendar can hold, and nobody means to exceed. */
const latest = 253_402_300_799_999;
const hint =
  'write it as "+30m", "in 2 h 5 min", "2026-12-25T09:00:00+09:00" or "2026-12-25T09:00[Asia/Seoul]"';

/** Reads a time somebody typed: a distance from now, or a moment with its offset or zone. */
export function parseTime(text: string, now: number): number {
  if (text.length > charsMax) {
    throw new DaybookError("too_large", `The time is over ${charsMax} characters: ${hint}.`);
  }
  const typed = text.trim().replaceAll(/\s+/g, " ");
  const at = relative.test(typed) ? now + lengthOf(typed) : momentOf(typed);
  if (at < 0 || at > latest) {
    throw new DaybookError("invalid", `${quote(typed)} is not in the years 1970 to 9999.`);
  }
  return at;
}

function lengthOf(typed: string): number {
  let ms = 0;
  for (const [, count, unit = ""] of typed.matchAll(part)) {
    ms += Number(count) * (unitMs[unit.toLowerCase()] ?? 0);
  }
  return ms;
}

function momentOf(typed: string): number {
  try {
    // A zone is heard only by the second; it refuses an offset that the zone does not have then.
    const exact = typed.includes("[")
      ? Temporal.ZonedDateTime.from(typed).toInstant()
      : Temporal.Instant.from(typed);
    // Up: what is cut off would make it early.
    return exact.round({ smallestUnit: "millisecond", roundingMode: "ceil" }).epochMilliseconds;
  } catch (cause) {
    throw new DaybookError("invalid", `${quote(typed)} is not a time I can read: ${hint}.`, {
      cause,
    });
  }
}

/** Says a moment in UTC, in a zone, and in words. */
export function echo(at: number, zone: string, now: number): Due {
  const instant = Temporal.Instant.fromEpochMilliseconds(at);
  const local = instant.toZonedDateTimeISO(zone);
  return {
    utc: instant.toString(),
    local: local.toString(),
    zone,
    past: at < now,
    text: `${inWords(at, zone)} ${zone} (${distance(at - now)})`,
  };
}

/** "Mon 16 Nov 2026 08:30:17" in the zone. */
export function inWords(at: number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const name = (part: "weekday" | "month"): string =>
    local.toLocaleString("en-US", { [part]: "short" });
  const time = local.toPlainTime().toString({ smallestUnit: "second" });
  return `${name("weekday")} ${local.day} ${name("month")} ${local.year} ${time}`;
}

/** "in 2 h 5 min", "3 s ago", "now". */
export function distance(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return "now";
  const words = span(size);
  return ms > 0 ? `in ${words}` : `${words} ago`;
}

/** "2 h 5 min": the two largest parts that are not zero. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.floor(ms)} ms`;
  const parts: string[] = [];
  let rest = Math.floor(ms / 1_000);
  for (const [name, seconds] of [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.slice(0, 2).join(" ");
}

export function isZone(zone: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

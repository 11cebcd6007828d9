import { DaybookError } from "../platform/errors.ts";
import type { Language } from "../platform/language.ts";
import { readPhrase } from "./phrase/phrase.ts";
import { hint, refusal, unreadable } from "./phrase/reader.ts";
import { type Edge, edgeOf, outside, resolve } from "./phrase/resolve.ts";
import { wording } from "./phrase/wording.ts";
import { inZone } from "./zone.ts";

/** The time, the zone and the language that a text is read with. */
export interface TimeContext {
  readonly now: number;
  readonly zone: string;
  readonly language: Language;
}

/** A time that was read. */
interface ParsedTime {
  readonly at: number;
  /** The part that was assumed, such as "09:00" for "tomorrow"; the echo shows it. */
  readonly assumed?: string;
}

/** A time as it is echoed to the caller. */
interface TimeEcho {
  readonly utc: string;
  readonly local: string;
  readonly zone: string;
  readonly past: boolean;
  /** A sentence for people. */
  readonly text: string;
}

const charsMax = 200;
/** The end of the year 9999: every store and calendar can represent it. */
const latest = 253_402_300_799_999;

interface About {
  readonly now: number;
  readonly zone: string;
  /** For an end of a range a day means the complete day; otherwise its morning. */
  readonly edge?: Edge;
}

/**
 * Reads a typed time, in English or Korean; `zone` is the caller's. A time of day or a
 * weekday alone is the next one; a past time is answered as it is.
 */
export function parseTime(text: string, about: About): ParsedTime {
  if (text.length > charsMax) {
    throw new DaybookError("too_large", `The time is over ${charsMax} characters: ${hint}.`);
  }
  const typed = plain(text);
  const { at, assumed } = read(typed, about);
  // Rounded up: down would be early.
  const { epochMilliseconds } = at.round({ smallestUnit: "millisecond", roundingMode: "ceil" });
  if (epochMilliseconds < 0 || epochMilliseconds > latest) throw outside(typed);
  return { at: epochMilliseconds, ...(assumed === undefined ? {} : { assumed }) };
}

/** In one spelling: composed letters, single spaces, and the wide digits of an Asian keyboard narrow. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/\s+/g, " ")
    .trim();
}

function read(
  typed: string,
  { now, zone, edge }: About,
): { at: Temporal.Instant; assumed?: string | undefined } {
  const exact = readExact(typed, zone);
  if (exact !== undefined) return { at: exact };
  const local = inZone(now, zone);
  const phrase = readPhrase(typed);
  const end = edge && edgeOf(phrase, edge, local, typed);
  if (end !== undefined) return { at: end.toInstant() };
  const { at, assumed } = resolve(phrase, local, typed);
  return { at: at.toInstant(), assumed };
}

function readExact(typed: string, zone: string): Temporal.Instant | undefined {
  try {
    return readIso(typed, zone);
  } catch (cause) {
    if (typed.includes("[")) throw unreadable(typed, cause); // the zone may be wrong
    throw refusal(typed, "has a day, time or offset that no calendar has: correct it", cause);
  }
}

/** Renders a time in UTC, in a zone, and as a sentence, with the part that was assumed. */
export function echo(
  at: number,
  about: { zone: string; now: number; language: Language; assumed?: string | undefined },
): TimeEcho {
  const { zone, now, language, assumed } = about;
  const instant = Temporal.Instant.fromEpochMilliseconds(at);
  const local = instant.toZonedDateTimeISO(zone);
  const isWhole = at % 60_000 === 0;
  const when = wording[language].moment(local, isWhole);
  const far = distance(at - now, language);
  return {
    utc: instant.toString(),
    local: local.toString(),
    zone,
    past: at < now,
    text: wording[language].sentence({ when, zone, far, assumed }),
  };
}

/** "Mon 16 Nov 2026 08:30:17" in the zone. */
export function inWords(at: number, zone: string, language: Language = "en"): string {
  const local = inZone(at, zone);
  return wording[language].moment(local, false);
}

/** "in 2 h 5 min", "3 s ago", "now". */
export function distance(ms: number, language: Language = "en"): string {
  const size = Math.abs(ms);
  const { now, later, ago } = wording[language];
  if (size < 1_000) return now;
  const words = span(size, language);
  return ms > 0 ? later(words) : ago(words);
}

/** "2 h 5 min": the two largest parts that are not zero. */
export function span(ms: number, language: Language = "en"): string {
  const { units } = wording[language];
  if (ms < 1_000) return `${Math.floor(ms)}${units.ms}`;
  const parts: string[] = [];
  let rest = Math.floor(ms / 1_000);
  for (const [name, seconds] of [
    [units.d, 86_400],
    [units.h, 3_600],
    [units.min, 60],
    [units.s, 1],
  ] as const) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count}${name}`);
  }
  return parts.slice(0, 2).join(" ");
}

/** "09:12" in the zone. */
export function timeOfDay(at: number, zone: string): string {
  const local = inZone(at, zone);
  return local.toPlainTime().toString({ smallestUnit: "minute" });
}

/** A date, a time, perhaps an offset, perhaps a zone in brackets. Anchored and bounded: it cannot run long. */
const shape =
  /^((?:[+-]\d\d)?\d{4}-?\d\d-?\d\d)[t ]((?:[01]\d|2[0-3])(?::?\d\d(?::?[0-5]\d(?:[.,]\d{1,9})?)?)?) ?(z|[+-]\d\d(?::?\d\d)?)?((?:\[[^[\]]{1,60}\]){0,4})$/i;

/**
 * A moment written as in ISO 8601 or RFC 9557, in the zone if it names none; undefined if it is
 * written in another way. Throws a RangeError for a time that no calendar has.
 */
function readIso(typed: string, zone: string): Temporal.Instant | undefined {
  const [, date, time, offset = "", brackets = ""] = shape.exec(typed) ?? [];
  if (date === undefined) return undefined;
  const local = `${date}T${time}`;
  // Only ZonedDateTime reads a zone; it refuses an offset that the zone does not have then.
  if (brackets !== "") {
    return Temporal.ZonedDateTime.from(`${local}${offset}${brackets}`).toInstant();
  }
  if (offset !== "") return Temporal.Instant.from(`${local}${offset}`);
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone).toInstant();
}

import { DaybookError } from "../platform/errors.ts";
import { present } from "../platform/json.ts";
import type { Language } from "../platform/language.ts";
import { withHour, type Clock } from "./phrase/clock.ts";
import { readExact } from "./phrase/iso.ts";
import { namesPast, readPhrase } from "./phrase/phrase.ts";
import { hint } from "./phrase/reader.ts";
import { type Edge, edgeOf, outside, resolve } from "./phrase/resolve.ts";
import { wording, type Guess } from "./phrase/wording.ts";
import { inZone } from "./zone.ts";

/** The time, the zone and the language that a text is read with. */
export interface TimeContext {
  readonly now: number;
  readonly zone: string;
  readonly language: Language;
}

export type { Guess } from "./phrase/wording.ts";

/** A time that was read; the echo shows what was assumed of it. */
export interface ParsedTime extends Guess {
  readonly at: number;
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

export const charsMax = 200;
/** The end of the year 9999: every store and calendar can represent it. */
const latest = 253_402_300_799_999;

export interface About {
  readonly now: number;
  readonly zone: string;
  /** The language of what is assumed. Default: English. */
  readonly language?: Language;
  /** For an end of a range a day means the complete day; otherwise its morning. */
  readonly edge?: Edge;
  /** The time stands in a sentence, where a number beside it is more likely what it is about. */
  readonly isInProse?: boolean;
  /** A person typed it, and not a program: then an ISO time must be ahead too. */
  readonly isTyped?: boolean | undefined;
  /** The request has a key, so it may be a repeat of one that came in time. */
  readonly hasKey?: boolean;
}

/** Whoever types the current minute means now. */
const lateMsMax = 60_000;

/**
 * Reads a typed time, in English or Korean; `zone` is the caller's. A time of day or a
 * weekday alone is the next one; a past time is answered as it is.
 */
export function parseTime(text: string, about: About): ParsedTime {
  return readTyped(text, about).time;
}

/** Reads a typed time; `isPast`: it has passed, and is not given as a time that may have. */
export function readTyped(text: string, about: About): { time: ParsedTime; isPast: boolean } {
  if (text.length > charsMax) {
    throw new DaybookError("too_large", `The time is over ${charsMax} characters: ${hint}.`);
  }
  const typed = plain(text);
  const { at, assumed, other, past } = read(typed, about);
  // Rounded up: down would be early.
  const { epochMilliseconds } = at.round({ smallestUnit: "millisecond", roundingMode: "ceil" });
  if (epochMilliseconds < 0 || epochMilliseconds > latest) throw outside(typed);
  const instead = other && wording[about.language ?? "en"].clock(other);
  const late = about.now - epochMilliseconds;
  const isPast = past === "named" ? late > 0 : past === "refused" && late >= lateMsMax;
  return { time: present({ at: epochMilliseconds, assumed, instead }), isPast };
}

/** In one spelling: composed letters, single spaces, and the wide digits of an Asian keyboard narrow. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll(/\s+/g, " ")
    .trim();
}

interface Found {
  readonly at: Temporal.Instant;
  readonly assumed?: string | undefined;
  readonly other?: Clock | undefined;
  /** Whether it may have passed; `named`: its words always name the past, as "yesterday" does. */
  readonly past: "allowed" | "refused" | "named";
}

function read(typed: string, { now, zone, edge, isInProse, isTyped, hasKey }: About): Found {
  const exact = readExact(typed, zone);
  const unlessRepeated = hasKey ? "allowed" : "refused";
  if (exact !== undefined) return { at: exact, past: isTyped ? unlessRepeated : "allowed" };
  const local = inZone(now, zone);
  const phrase = isInProse ? readPhrase(typed) : withHour(readPhrase(typed));
  const past = namesPast(phrase) ? "named" : unlessRepeated;
  const end = edge && edgeOf(phrase, edge, local, typed);
  if (end !== undefined) return { at: end.toInstant(), past };
  const { at, assumed, other } = resolve(phrase, local, typed);
  return { at: at.toInstant(), assumed, other, past };
}

/** Renders a time in UTC, in a zone, and as a sentence, with the part that was assumed. */
export function echo(
  at: number,
  about: { zone: string; now: number; language: Language } & Guess,
): TimeEcho {
  const { zone, now, language } = about;
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
    text: wording[language].sentence({ when, zone, far, guess: guess(about, language) }),
  };
}

/** "15:00 assumed; write 3 am for the morning"; empty when nothing was assumed. */
function guess({ assumed, instead }: Guess, language: Language): string {
  return assumed === undefined ? "" : wording[language].guess(assumed, instead);
}

/** A text with what was assumed in its last brackets. */
export function withGuess(text: string, about: Guess, language: Language): string {
  const assumed = guess(about, language);
  if (assumed === "") return text;
  return text.endsWith(")") ? `${text.slice(0, -1)}; ${assumed})` : `${text} (${assumed})`;
}

/** "Mon 16 Nov 2026 08:30:17" in the zone. */
export function inWords(at: number, zone: string, language: Language = "en"): string {
  const local = inZone(at, zone);
  return wording[language].moment(local, false);
}

/** "Fri 20 Nov 09:00" in the zone: without the year of now, and today without the day. */
export function nearWords(at: number, { now, zone, language }: TimeContext): string {
  return wording[language].near(inZone(at, zone), inZone(now, zone));
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

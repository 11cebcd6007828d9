import { DaybookError } from "../platform/errors.ts";
import { quote } from "../platform/text.ts";
import { isLength } from "./phrase/phrase.ts";
import { charsMax, plain, readTyped, type About, type ParsedTime } from "./times.ts";
import { inZone } from "./zone.ts";

/**
 * Reads the time of something to be sent or run: a length alone is one from now, and a time that has passed is refused.
 * A program may give an ISO time that has passed, which is now.
 */
export function parseFuture(text: string, about: About): ParsedTime {
  return ahead(text, about, orNow);
}

/** Reads the end of something that lasts, such as a pause, in the same way. */
export function parseEnd(text: string, about: About): ParsedTime {
  return ahead(text, about, "give a later time");
}

const orNow = 'give a later time, or "now"';

function ahead(text: string, about: About, advice: string): ParsedTime {
  const isFromNow = text.length <= charsMax && isLength(plain(text));
  const { time, isPast } = readTyped(isFromNow ? `+${text}` : text, about);
  if (isPast) throw pastError(text, time.at, about, advice);
  return time;
}

type Here = Pick<About, "now" | "zone">;

/** The error for a typed time that has passed: the time as it was read, and what to do. */
export function pastError(text: string, at: number, here: Here, advice = orNow): DaybookError {
  const when = dateTime(at, here);
  const far = ago(here.now - at);
  const sentence = `${quote(plain(text))} is ${when} in ${here.zone}, ${far}: ${advice}.`;
  return new DaybookError("invalid", sentence);
}

function dateTime(at: number, { now, zone }: Here): string {
  const [local, today] = [inZone(at, zone), inZone(now, zone)];
  const time = local.toPlainTime().toString({ smallestUnit: "minute" });
  const date = local.toPlainDate();
  return date.equals(today.toPlainDate()) ? `${time} today` : `${date.toString()} ${time}`;
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/** In one unit, of which there are two or more. */
function ago(ms: number): string {
  if (ms < 2 * minuteMs) return "a moment ago";
  if (ms < 2 * hourMs) return `${Math.floor(ms / minuteMs)} minutes ago`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} hours ago`;
  return `${Math.floor(ms / dayMs)} days ago`;
}

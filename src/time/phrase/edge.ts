import type { Phrase, Time } from "./phrase.ts";
import { resolve } from "./resolve.ts";

/** Which end of a range a time is read for. */
export type Edge = "start" | "end";

/** Of days that could be meant, one that is not over yet is meant. */
const lastSecond: Time = { hour: 23, minute: 59, second: 59, form: "24 hours", sure: true };

/** Where a day that was said without a time of day begins or ends; undefined for what is a moment by itself. */
export function edgeOf(
  phrase: Phrase,
  edge: Edge,
  now: Temporal.ZonedDateTime,
  typed: string,
): Temporal.ZonedDateTime | undefined {
  const { day, time, part, after } = phrase;
  if (day === undefined || (time ?? part ?? after) !== undefined) return undefined;
  const date = resolve({ day, time: lastSecond }, now, typed).at.toPlainDate();
  const zone = now.timeZoneId;
  if (edge === "start") return date.toZonedDateTime(zone);
  return date.add({ days: 1 }).toZonedDateTime(zone).subtract({ milliseconds: 1 });
}

import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { takeLength, type Length } from "../phrase/length.ts";
import { scan } from "../phrase/scan.ts";

/** A length that was given as "2h", 두 시간, or a number of seconds, in milliseconds. */
export function readLength(every: string | number): number {
  // Typed on a command line, a number is a text too.
  if (typeof every === "number" || /^\d+(\.\d+)?$/.test(every))
    return Math.round(Number(every) * 1_000);
  const { words, rest } = scan(every.slice(0, 200));
  const reader = { words, at: 0 };
  const length = rest === "" ? takeLength(reader) : undefined;
  const ms = length === undefined || reader.at < words.length ? undefined : msOf(length);
  if (ms !== undefined) return ms;
  const advice = 'write it as "90s", "30m", "2h", "1d", "1w", "2시간" or a number of seconds';
  throw new DaybookError(
    "invalid",
    `${quote(every)} is not a length that is always as long: ${advice}.`,
  );
}

/** The length in milliseconds; undefined for months and years, whose length varies. */
export function msOf(length: Length): number | undefined {
  const { milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0, weeks = 0 } = length;
  if ((length.months ?? length.years) !== undefined) return undefined;
  return milliseconds + 1_000 * (seconds + 60 * (minutes + 60 * (hours + 24 * (days + 7 * weeks))));
}

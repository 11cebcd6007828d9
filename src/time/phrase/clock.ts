import type { Phrase } from "./phrase.ts";
import { refusal, unreadable } from "./reader.ts";
import type { Time } from "./time-of-day.ts";
import { bareHour, hourIn } from "./word.ts";

/** A time of day. From 24 on the hour is in the day after. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** True: a part was assumed, and the answer shows it. */
  readonly isAssumed: boolean;
  /** The hour in the other half of the day, if the text could mean that one too. */
  readonly otherHour?: number;
}

/**
 * "Tomorrow 3": beside a day a number is an hour. "Dec 25 12" could name a year, and "friday 13" a
 * date.
 */
export function withHour(phrase: Phrase): Phrase {
  const { day, time } = phrase;
  if (time?.isBare !== true || day === undefined) return phrase;
  const isOneDigit = day.is === "weekday" && time.form === "12 or 24 hours";
  if (day.is !== "from today" && !isOneDigit) return phrase;
  const { isBare: _, ...hour } = time;
  return { ...phrase, time: hour };
}

/** The time of day of an hour, of a part of the day, or of both. */
export function clockOf({ time, part }: Phrase, typed: string): Clock | undefined {
  if (time === undefined) {
    return part && { hour: bareHour(part), minute: 0, second: 0, isAssumed: true };
  }
  const { hour, minute, second, form } = time;
  if (minute > 59 || second > 59 || hour > 24) {
    throw refusal(typed, "has a time that no clock shows: write 00:00 to 23:59");
  }
  if (part === undefined) return onItsOwn(time, typed);
  // Noon and midnight are the twelve of their parts.
  const meant = hourIn(part, form === "word" ? 12 : hour);
  if (meant === undefined || (form === "word" && meant !== hour)) throw unreadable(typed);
  return { hour: meant, minute, second, isAssumed: false };
}

function onItsOwn(time: Time, typed: string): Clock {
  const { hour, minute, second, form, sure, isBare } = time;
  if (isBare || (hour === 24 && minute + second > 0)) throw unreadable(typed);
  if (form !== "12 or 24 hours") return { hour, minute, second, isAssumed: !sure };
  // When people are awake: seven to eleven in the morning, twelve to six after it.
  const isMorning = hour > 6 && hour < 12;
  const [am, pm] = [hour % 12, (hour % 12) + 12];
  const [meant, otherHour] = isMorning ? [am, pm] : [pm, am];
  return { hour: meant, minute, second, isAssumed: true, otherHour };
}

/** The same time in the other half of the day, if the text could mean that one too. */
export function otherHalf(clock: Clock): Clock | undefined {
  const { hour, otherHour } = clock;
  return otherHour === undefined ? undefined : { ...clock, hour: otherHour, otherHour: hour };
}

import type { Phrase, Time } from "./phrase.ts";
import { refusal, unreadable } from "./reader.ts";
import { bareHour, hourIn } from "./word.ts";

/** A time of day. From 24 on the hour is in the day after. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** True: a part was assumed, and the answer shows it. */
  readonly isAssumed: boolean;
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
  const { hour, minute, second, form, sure } = time;
  if (form === "bare number" || (hour === 24 && minute + second > 0)) throw unreadable(typed);
  if (form !== "12 or 24 hours") return { hour, minute, second, isAssumed: !sure };
  // From seven to nine people mean the morning; below that a guess could be wrong by half a day.
  if (hour > 6) return { hour, minute, second, isAssumed: true };
  throw refusal(typed, `could be in the morning or in the afternoon: write ${bothHalves(time)}`);
}

/** The same time in each half of the day, with the units that were typed. */
function bothHalves({ hour, minute, second }: Time): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const seconds = second === 0 ? "" : `:${two(second)}`;
  const rest = minute + second === 0 ? "" : `:${two(minute)}${seconds}`;
  const korean = `${hour}시${rest === "" ? "" : ` ${minute}분`}${second === 0 ? "" : ` ${second}초`}`;
  return `"${hour}${rest} am", "${hour}${rest} pm", "오전 ${korean}", "오후 ${korean}" or "0${hour}:${two(minute)}${seconds}"`;
}

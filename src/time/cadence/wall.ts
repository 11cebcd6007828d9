import { dayLength } from "./calendar.ts";

/** The times of one day, in seconds since its midnight, in order. */
export interface Times {
  readonly size: number;
  /** The first at or after a second of the day. */
  first(from: number): number | undefined;
  /** How many come before a second of the day. */
  before(second: number): number;
}

/** The times at which a rule fires as a clock on the wall shows them, if it were never changed. */
export interface Wall {
  /** It fires in every hour of a day: then it follows what the clock shows, also when that comes twice. */
  readonly isHourly: boolean;
  /** The times on a day that is counted from 1970-01-01; if it has none, the next day that may have some. */
  timesOn(day: number): Times | number;
}

/** A rule that has no time for so long has none: leap days on one weekday are at most 40 years apart. */
const daysMax = 100 * 366;

/** The first time at or after one, in seconds since 1970-01-01 00:00 on the wall. */
export function nextTime(wall: Wall, from: number): number | undefined {
  const today = Math.floor(from / dayLength);
  let day = today;
  while (day <= today + daysMax) {
    const times = wall.timesOn(day);
    if (typeof times === "number") {
      day = times;
      continue;
    }
    const second = times.first(day === today ? from - day * dayLength : 0);
    if (second !== undefined) return day * dayLength + second;
    day += 1;
  }
  return undefined;
}

/** How many times there are from one, to before another. */
export function countTimes(wall: Wall, from: number, to: number): number {
  if (to <= from) return 0;
  const [first, last] = [Math.floor(from / dayLength), Math.floor(to / dayLength)];
  let count = countBefore(wall, last, to) - countBefore(wall, first, from);
  let day = first;
  while (day < last) {
    const times = wall.timesOn(day);
    if (typeof times !== "number") count += times.size;
    day = typeof times === "number" ? times : day + 1;
  }
  return count;
}

function countBefore(wall: Wall, day: number, to: number): number {
  const times = wall.timesOn(day);
  return typeof times === "number" ? 0 : times.before(to - day * dayLength);
}

/** Every one of these hours with every one of these minutes and seconds, each in order. */
export function gridOf(
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
): Times {
  const perHour = minutes.length * seconds.length;
  const at = (hour = 0, minute = 0, second = 0): number => hour * 3_600 + minute * 60 + second;
  return {
    size: hours.length * perHour,
    first(from) {
      const [hour, minute, second] = partsOf(from);
      const inMinute = seconds.find((each) => each >= second);
      const inHour = minutes.find((each) =>
        inMinute === undefined ? each > minute : each >= minute,
      );
      const inDay = hours.find((each) => (inHour === undefined ? each > hour : each >= hour));
      if (inDay === undefined) return undefined;
      if (inDay > hour) return at(inDay, minutes[0], seconds[0]);
      return at(inDay, inHour, inHour === minute ? inMinute : seconds[0]);
    },
    before(to) {
      const [hour, minute, second] = partsOf(to);
      let count = perHour * rank(hours, hour);
      if (!hours.includes(hour)) return count;
      count += seconds.length * rank(minutes, minute);
      return minutes.includes(minute) ? count + rank(seconds, second) : count;
    },
  };
}

/** These seconds of the day, in order. */
export function listOf(seconds: readonly number[]): Times {
  return {
    size: seconds.length,
    first: (from) => seconds.find((each) => each >= from),
    before: (to) => rank(seconds, to),
  };
}

/** From a second of the day on, every so many seconds. */
export function stepsOf(from: number, step: number): Times {
  const before = (to: number): number => Math.max(0, Math.ceil((to - from) / step));
  return {
    size: before(dayLength),
    first(second) {
      const found = from + before(second) * step;
      return found < dayLength ? found : undefined;
    },
    before,
  };
}

/** How many are below a value. */
function rank(values: readonly number[], value: number): number {
  const at = values.findIndex((each) => each >= value);
  return at === -1 ? values.length : at;
}

function partsOf(second: number): readonly [hour: number, minute: number, second: number] {
  return [Math.floor(second / 3_600), Math.floor(second / 60) % 60, second % 60];
}

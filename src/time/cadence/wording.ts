import type { Language } from "../../platform/language.ts";
import type { NthWeekday } from "../phrase/nth.ts";
import type { OnDays, Pattern } from "./pattern.ts";

/** The sentences of one language for cadences. */
interface Wording {
  once(when: string): string;
  interval(ms: number): string;
  pattern(pattern: Pattern): string;
  /** A rule without a sentence. */
  rule(rule: string): string;
  times(count: number): string;
  until(date: string): string;
}

const dayNames = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");
export const monthNames: readonly string[] =
  "January February March April May June July August September October November December".split(
    " ",
  );

const workweek = "1,2,3,4,5";

const english: Wording = {
  once: (when) => `once, on ${when}`,
  interval: (ms) => `every ${lengthOf(ms, [" d", " h", " min", " s", " ms"])}`,
  pattern(pattern) {
    if (pattern.is === "minutes") return everyEnglish(pattern.count, "minute");
    if (pattern.is === "hours") {
      const { count, minute } = pattern;
      return `${everyEnglish(count, "hour")}${minute === 0 ? "" : ` at minute ${minute}`}`;
    }
    return `${daysEnglish(pattern)} at ${listEnglish(pattern.times)}`;
  },
  rule: (rule) => `by the rule ${rule}`,
  times: (count) => `, ${count === 1 ? "once" : `${count} times`}`,
  until: (date) => `, until ${date}`,
};

function everyEnglish(count: number, unit: string): string {
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

function daysEnglish({ unit, count, weekdays, days, nth = [], month }: OnDays): string {
  const [first = 1] = days;
  switch (unit) {
    case "days":
      return everyEnglish(count, "day");
    case "weeks": {
      const names = weekdaysEnglish(weekdays);
      if (count > 1) return `${everyEnglish(count, "week")} on ${names}`;
      return `every ${names === "weekdays" ? "weekday" : names}`;
    }
    case "months": {
      const names = listEnglish([
        ...days.map((day) => (day === -1 ? "last day" : ordinal(day))),
        ...nth.map(nthEnglish),
      ]);
      return count === 1
        ? `on the ${names} of every month`
        : `every ${count} months on the ${names}`;
    }
    case "years": {
      const name = monthNames[(month ?? 1) - 1] ?? "";
      const date = first === -1 ? `the last day of ${name}` : `${first} ${name}`;
      return `${everyEnglish(count, "year")} on ${date}`;
    }
  }
}

/** "2nd Friday", "last Friday". */
export function nthEnglish({ nth, weekday }: NthWeekday): string {
  return `${nth === -1 ? "last" : ordinal(nth)} ${dayNames[weekday - 1]}`;
}

export function weekdaysEnglish(weekdays: readonly number[]): string {
  if (weekdays.join() === workweek) return "weekdays";
  return listEnglish(weekdays.map((each) => dayNames[each - 1] ?? ""));
}

export function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14;
  return `${day}${(isTeen ? undefined : ["th", "st", "nd", "rd"][day % 10]) ?? "th"}`;
}

export function listEnglish(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

const korean: Wording = {
  once: (when) => `한 번, ${when}`,
  interval: (ms) => `${lengthOf(ms, ["일", "시간", "분", "초", "밀리초"])}마다`,
  pattern(pattern) {
    if (pattern.is === "minutes") return `${pattern.count}분마다`;
    if (pattern.is === "hours") {
      const { count, minute } = pattern;
      if (count === 1) return minute === 0 ? "매시 정각" : `매시 ${minute}분`;
      return `${count}시간마다${minute === 0 ? "" : ` ${minute}분`}`;
    }
    return `${daysKorean(pattern)} ${pattern.times.join(", ")}`;
  },
  rule: (rule) => `규칙 ${rule}`,
  times: (count) => `, ${count}번`,
  until: (date) => `, ${date}까지`,
};

function daysKorean({ unit, count, weekdays, days, nth = [], month }: OnDays): string {
  const dates = [...days.map(dayKorean), ...nth.map(nthKorean)].join(", ");
  switch (unit) {
    case "days":
      return count === 1 ? "매일" : `${count}일마다`;
    case "weeks": {
      const names = weekdaysKorean(weekdays);
      if (count > 1) return `${count}주마다 ${names}`;
      return names === "평일" ? names : `매주 ${names}`;
    }
    case "months":
      return `${count === 1 ? "매월" : `${count}개월마다`} ${dates}`;
    case "years":
      return `${count === 1 ? "매년" : `${count}년마다`} ${month}월 ${dates}`;
  }
}

export function dayKorean(day: number): string {
  return day === -1 ? "말일" : `${day}일`;
}

/** 둘째 금요일, 마지막 금요일. */
export function nthKorean({ nth, weekday }: NthWeekday): string {
  const name = nth === -1 ? "마지막" : `${"첫둘셋넷".charAt(nth - 1) || "다섯"}째`;
  return `${name} ${weekdaysKorean([weekday])}`;
}

export function weekdaysKorean(weekdays: readonly number[]): string {
  if (weekdays.join() === workweek) return "평일";
  return weekdays.map((each) => `${"월화수목금토일".charAt(each - 1)}요일`).join(", ");
}

/** All units, so that it is never shown shorter than it is. */
function lengthOf(ms: number, units: readonly string[]): string {
  const parts: string[] = [];
  let rest = ms;
  for (const [i, size] of [86_400_000, 3_600_000, 60_000, 1_000, 1].entries()) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${units[i]}`);
  }
  return parts.join(" ");
}

export const wording: Readonly<Record<Language, Wording>> = { en: english, ko: korean };

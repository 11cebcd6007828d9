import type { Language } from "../../platform/language.ts";
import type { NthWeekday } from "../phrase/nth.ts";
import { inWords, type TimeContext } from "../times.ts";
import { inZone } from "../zone.ts";
import type { Cadence } from "./cadence.ts";
import { readCron, type Cron } from "./cron.ts";
import { patternOfCron, patternOfRule, evenStep, fromMonday, timesOf } from "./pattern.ts";
import { readRule } from "./rrule.ts";
import {
  wording,
  dayKorean,
  listEnglish,
  monthNames,
  nthEnglish,
  nthKorean,
  ordinal,
  weekdaysEnglish,
  weekdaysKorean,
} from "./wording.ts";

/** A cadence as one sentence, with its zone; a single time is in the reader's zone. */
export function renderCadence(
  cadence: Cadence,
  { zone, language }: Omit<TimeContext, "now">,
): string {
  switch (cadence.type) {
    case "once":
      return `${wording[language].once(inWords(cadence.at, zone, language))} (${zone})`;
    case "interval":
      return wording[language].interval(cadence.everyMs);
    case "cron":
      return `${sayCron(cadence.expression, language)} (${cadence.zone})`;
    case "rrule":
      return `${sayRule(cadence, language)} (${cadence.zone})`;
  }
}

function sayCron(expression: string, language: Language): string {
  const cron = readCron(expression);
  const pattern = patternOfCron(cron);
  return pattern === undefined ? renderCron(cron, language) : wording[language].pattern(pattern);
}

function sayRule(
  { rule, start, zone }: Extract<Cadence, { type: "rrule" }>,
  language: Language,
): string {
  const voice = wording[language];
  const read = readRule(rule);
  const local = inZone(start, zone);
  const pattern = patternOfRule(read, local);
  if (pattern === undefined) return voice.rule(rule);
  const { count, until } = read;
  const date = until?.replace(/^(\d{4})(\d\d)(\d\d).*$/, "$1-$2-$3");
  return `${voice.pattern(pattern)}${count === undefined ? "" : voice.times(count)}${date === undefined ? "" : voice.until(date)}`;
}

/** Any cron expression as a sentence, clause by clause. */
function renderCron(cron: Cron, language: Language): string {
  const clauses =
    language === "ko"
      ? [monthsKorean(cron), daysKorean(cron), timesKorean(cron)]
      : [timesEnglish(cron), daysEnglish(cron), monthsEnglish(cron)];
  return clauses.filter((clause) => clause !== "").join(language === "ko" ? " " : ", ");
}

function timesEnglish({ hours, minutes, seconds }: Cron): string {
  const times = timesOf(hours, minutes, seconds);
  if (times !== undefined) return `at ${listEnglish(times)}`;
  const step = evenStep(minutes, 60);
  const words: string[] = [];
  if (seconds.length === 60) words.push("every second");
  else if (seconds.join() !== "0") words.push(`at second ${listEnglish(seconds.map(String))}`);
  if (minutes.length === 60) words.push("every minute");
  else if (step !== undefined && step < 60) words.push(`every ${step} minutes`);
  else words.push(`at minute ${listEnglish(minutes.map(String))}`);
  const range = rangeOf(hours);
  if (range !== undefined) words.push(`from ${range[0]} to ${range[1]}`);
  else if (hours.length < 24) words.push(`in the hours ${listEnglish(hours.map(String))}`);
  return words.join(" ");
}

function daysEnglish(cron: Cron): string {
  const days = [...plainDays(cron).map(ordinal), ...(cron.isLastDay ? ["last day"] : [])];
  const nth = numbered(cron).map((each) => `the ${nthEnglish(each)} of the month`);
  const weekdays = [weekdaysEnglish(plainWeekdays(cron)), ...nth].filter((text) => text !== "");
  return both(
    days.length === 0 ? "" : `on the ${listEnglish(days)} of the month`,
    weekdays.length === 0 ? "" : `on ${listEnglish(weekdays)}`,
    isEither(cron) ? " or " : ", only ",
  );
}

function monthsEnglish({ months }: Cron): string {
  if (months.length === 12) return "";
  return `in ${listEnglish(months.map((month) => monthNames[month - 1] ?? ""))}`;
}

function timesKorean({ hours, minutes, seconds }: Cron): string {
  const times = timesOf(hours, minutes, seconds);
  if (times !== undefined) return times.join(", ");
  const step = evenStep(minutes, 60);
  const words: string[] = [];
  const range = rangeOf(hours);
  if (range !== undefined) words.push(`${range[0]}~${range[1]}`);
  else if (hours.length < 24) words.push(hours.map((hour) => `${hour}시`).join(", "));
  if (minutes.length === 60) words.push("매분");
  else if (step !== undefined && step < 60) words.push(`${step}분마다`);
  else words.push(minutes.map((minute) => `${minute}분`).join(", "));
  if (seconds.length === 60) words.push("매초");
  else if (seconds.join() !== "0") words.push(seconds.map((second) => `${second}초`).join(", "));
  return words.join(" ");
}

function daysKorean(cron: Cron): string {
  const dates = [...plainDays(cron), ...(cron.isLastDay ? [-1] : [])].map(dayKorean).join(", ");
  const plain = weekdaysKorean(plainWeekdays(cron));
  const nth = numbered(cron).map(nthKorean).join(", ");
  const ofMonth = cron.months.length === 12 ? "매월 " : "";
  const weekdays = [
    plain === "" || plain === "평일" ? plain : `매주 ${plain}`,
    nth === "" ? "" : `${ofMonth}${nth}`,
  ].filter((text) => text !== "");
  return both(
    dates === "" ? "" : `${ofMonth}${dates}`,
    weekdays.join(", "),
    isEither(cron) ? " 또는 " : " 중 ",
  );
}

function numbered({ nth }: Cron): readonly NthWeekday[] {
  return nth.map(([weekday, nth]) => ({ nth, weekday: weekday || 7 }));
}

function monthsKorean({ months }: Cron): string {
  return months.length === 12 ? "" : months.map((month) => `${month}월`).join(", ");
}

/** Days and weekdays are both given, and either will do. */
function isEither({ isAnyDay, isAnyWeekday }: Cron): boolean {
  return !isAnyDay && !isAnyWeekday;
}

function both(first: string, second: string, between: string): string {
  return first === "" || second === "" ? `${first}${second}` : `${first}${between}${second}`;
}

/** Empty for every day. */
function plainDays({ days }: Cron): readonly number[] {
  return days.length === 31 ? [] : days;
}

function plainWeekdays(cron: Cron): readonly number[] {
  return cron.weekdays.length === 7 ? [] : fromMonday(cron);
}

/** From when to when, if the hours follow each other and are some, not all. */
function rangeOf(hours: readonly number[]): readonly [from: string, to: string] | undefined {
  const [first = 0] = hours;
  const isRange = hours.length < 24 && hours.every((hour, i) => hour === first + i);
  if (!isRange) return undefined;
  const two = (hour: number): string => String(hour).padStart(2, "0");
  return [`${two(first)}:00`, `${two(first + hours.length - 1)}:59`];
}

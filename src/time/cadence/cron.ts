import { DaybookError } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { civil, daysInMonth, nextMonth, weekdayOf, type Civil } from "./calendar.ts";
import { gridOf, type Wall } from "./wall.ts";

/** A cron expression, field by field; each list is in order. */
export interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly isLastDay: boolean;
  readonly months: readonly number[];
  /** Sunday is 0. */
  readonly weekdays: readonly number[];
  /** The weekday and its number in the month: 5 for the last one is -1. */
  readonly nth: readonly (readonly [weekday: number, nth: number])[];
  /** A star stands first, so that the other one of the two decides alone. */
  readonly isAnyDay: boolean;
  readonly isAnyWeekday: boolean;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const charsMax = 200;
const second: Field = { name: "seconds", min: 0, max: 59 };
const minute: Field = { name: "minutes", min: 0, max: 59 };
const hour: Field = { name: "hours", min: 0, max: 23 };
const day: Field = { name: "days of the month", min: 1, max: 31 };
const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const month: Field = { name: "months", min: 1, max: 12, names: monthNames };
const weekdayNames = "sun mon tue wed thu fri sat".split(" ");
const weekday: Field = { name: "weekdays", min: 0, max: 7, names: weekdayNames };

const nicknames: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** The expression in fields, whatever it was typed as. */
function fieldsOf(expression: string): readonly string[] {
  if (expression.length > charsMax) {
    throw new DaybookError(
      "too_large",
      `The cron expression is over ${charsMax} characters: shorten it.`,
    );
  }
  const typed = expression.trim().toLowerCase();
  if (typed.startsWith("@") && !Object.hasOwn(nicknames, typed)) {
    const known = Object.keys(nicknames).join(", ");
    throw refusal(expression, `is not a known nickname: write one of ${known}`);
  }
  return (nicknames[typed] ?? typed).split(/\s+/);
}

/** Reads a cron expression as Unix does: five fields, or six with the seconds first. */
export function readCron(expression: string): Cron {
  const fields = fieldsOf(expression);
  if (fields.length !== 5 && fields.length !== 6) {
    const shape = "minute hour day month weekday, with a field for seconds before them if needed";
    throw refusal(expression, `has ${fields.length} fields, not five or six: write ${shape}`);
  }
  const [seconds = "", minutes = "", hours = "", days = "", months = "", weekdays = ""] =
    fields.length === 6 ? fields : ["0", ...fields];
  const list = (text: string, field: Field): number[] => readList(text, field, expression);
  const [dayParts, weekdayParts] = [days.split(","), weekdays.split(",")];
  const plainDays = dayParts.filter((part) => part !== "l");
  const plainWeekdays = weekdayParts.filter((part) => !isNth(part));
  return {
    seconds: list(seconds, second),
    minutes: list(minutes, minute),
    hours: list(hours, hour),
    days: plainDays.length === 0 ? [] : list(plainDays.join(","), day),
    isLastDay: plainDays.length < dayParts.length,
    months: list(months, month),
    weekdays: plainWeekdays.length === 0 ? [] : onWeek(list(plainWeekdays.join(","), weekday)),
    nth: weekdayParts.filter(isNth).map((part) => readNth(part, expression)),
    isAnyDay: /^[*?]/.test(days),
    isAnyWeekday: /^[*?]/.test(weekdays),
  };
}

/** When a cron expression fires, on the wall. */
export function cronWall(cron: Cron): Wall {
  const times = gridOf(cron.hours, cron.minutes, cron.seconds);
  return {
    isHourly: cron.hours.length === 24,
    timesOn(number) {
      const date = civil(number);
      if (!cron.months.includes(date.month)) return nextMonth(number, date);
      return isOn(cron, number, date) ? times : number + 1;
    },
  };
}

function isOn(cron: Cron, number: number, { year, month, day }: Civil): boolean {
  const isDay = cron.days.includes(day) || (cron.isLastDay && day === daysInMonth(year, month));
  const weekday = weekdayOf(number) % 7;
  const isWeekday =
    cron.weekdays.includes(weekday) ||
    cron.nth.some(([each, nth]) => each === weekday && isNthOf(day, nth, daysInMonth(year, month)));
  return cron.isAnyDay || cron.isAnyWeekday ? isDay && isWeekday : isDay || isWeekday;
}

/** -1 is the last one. */
function isNthOf(day: number, nth: number, days: number): boolean {
  return nth > 0 ? Math.ceil(day / 7) === nth : Math.ceil((days - day + 1) / 7) === -nth;
}

function onWeek(weekdays: readonly number[]): number[] {
  return [...new Set(weekdays.map((each) => each % 7))].sort((a, b) => a - b);
}

function isNth(part: string): boolean {
  return /^[0-7a-z]+(?:#.*|l)$/.test(part) && !weekdayNames.includes(part);
}

/** "fri#2", "5#2", "5l": the second Friday, the last one. */
function readNth(part: string, expression: string): readonly [number, number] {
  const [, name = "", nth] = /^([0-7]|[a-z]{3})(?:#([1-5])|l)$/.exec(part) ?? [];
  const number = /^[0-7]$/.test(name) ? Number(name) % 7 : weekdayNames.indexOf(name);
  if (name === "" || number === -1) {
    throw refusal(
      expression,
      `has ${quote(part)}: write "5#2" for a second Friday, "5L" for a last`,
    );
  }
  return [number, nth === undefined ? -1 : Number(nth)];
}

function readList(text: string, field: Field, expression: string): number[] {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const { from, to, step } = readPart(part, field, expression);
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

function readPart(part: string, field: Field, expression: string): Part {
  const [, range = "", by] = /^([^/]{1,7})(?:\/([0-9]{1,3}))?$/.exec(part) ?? [];
  const { name, min, max } = field;
  const refuse = (advice: string): DaybookError =>
    refusal(expression, `has ${quote(part)} as its ${name}: ${advice}`);
  const step = Number(by ?? 1);
  if (step < 1 || step > max + 1 - min) throw refuse(`a step is from 1 to ${max + 1 - min}`);
  const isAny = range === "*" || (range === "?" && (field === day || field === weekday));
  if (isAny) return { from: min, to: field === weekday ? 6 : max, step };
  const [from, to] = readRange(range, field, refuse);
  if (by !== undefined && !range.includes("-")) throw refuse(`write "${range}-${max}/${by}"`);
  return { from, to, step };
}

function readRange(
  range: string,
  field: Field,
  refuse: (advice: string) => DaybookError,
): readonly [from: number, to: number] {
  const { min, max, names } = field;
  const [first = "", last = first, ...more] = range.split("-");
  const from = valueOf(first, field);
  // A week may end on Sunday: "sat-sun".
  const to = last === "sun" && last !== range ? 7 : valueOf(last, field);
  if (more.length > 0 || Number.isNaN(from + to)) {
    throw refuse('write "*", "5", "1-5", "1,3", "*/2" or "10-20/2"');
  }
  if (Math.min(from, to) < min || Math.max(from, to) > max) {
    const bounds = `write ${min} to ${max}`;
    throw refuse(names === undefined ? bounds : `write a name, or ${min} to ${max}`);
  }
  if (from > to) throw refuse("write the lower end first, or two ranges");
  return [from, to];
}

function valueOf(text: string, { names, min }: Field): number {
  if (/^[0-9]{1,2}$/.test(text)) return Number(text);
  const at = names?.indexOf(text) ?? -1;
  return at === -1 ? Number.NaN : at + min;
}

function refusal(expression: string, advice: string): DaybookError {
  return new DaybookError("invalid", `The cron expression ${quote(expression)} ${advice}.`);
}

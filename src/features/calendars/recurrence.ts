import { type Cadence, firesAfter } from "../../time/cadence.ts";

/** A cadence as a calendar says it: its first time, its zone and an RRULE. */
export interface Recurrence {
  readonly at: number;
  readonly zone: string;
  readonly rule: string;
}

const hourMs = 3_600_000;
const days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;

/** Undefined: no RRULE says it, or it never fires after `from`. */
export function recurrenceOf(cadence: Cadence, from: number): Recurrence | undefined {
  if (cadence.type === "once") return undefined;
  if (cadence.type === "interval") {
    const hours = cadence.everyMs / hourMs;
    if (!Number.isInteger(hours)) return undefined;
    const rule = hours === 1 ? "FREQ=HOURLY" : `FREQ=HOURLY;INTERVAL=${hours}`;
    return begun(cadence, cadence.anchor, { zone: "UTC", rule });
  }
  const { zone } = cadence;
  if (cadence.type === "rrule") {
    return begun(cadence, cadence.start - 1, { zone, rule: cadence.rule });
  }
  const rule = ruleOfCron(cadence.expression);
  return rule === undefined ? undefined : begun(cadence, from, { zone, rule });
}

function begun(
  cadence: Cadence,
  after: number,
  said: Omit<Recurrence, "at">,
): Recurrence | undefined {
  const [at] = firesAfter(cadence, after, 1);
  return at === undefined ? undefined : { at, ...said };
}

const nicknames: Readonly<Record<string, string>> = {
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

/** One time of day, every day, on days of the week, or on a day of each month or year. */
function ruleOfCron(expression: string): string | undefined {
  const fields = (nicknames[expression.toLowerCase()] ?? expression).split(/\s+/);
  const [minute = "", hour = "", date = "", month = "", day = ""] = fields;
  const isOneTime = fields.length === 5 && isNumber(minute) && isNumber(hour);
  if (!isOneTime) return undefined;
  if (date === "*" && month === "*") return weekly(day);
  return day === "*" && isNumber(date) ? yearly(date, month) : undefined;
}

function weekly(day: string): string | undefined {
  if (day === "*") return "FREQ=DAILY";
  const list = daysOf(day);
  return list && `FREQ=WEEKLY;BYDAY=${list.join(",")}`;
}

function yearly(date: string, month: string): string | undefined {
  if (month === "*") return `FREQ=MONTHLY;BYMONTHDAY=${Number(date)}`;
  if (!isNumber(month)) return undefined;
  return `FREQ=YEARLY;BYMONTH=${Number(month)};BYMONTHDAY=${Number(date)}`;
}

function isNumber(field: string): boolean {
  return /^\d{1,2}$/.test(field);
}

/** "1-5", "0,6", "7": the days in the order of the week. */
function daysOf(field: string): readonly string[] | undefined {
  const numbers = new Set<number>();
  for (const part of field.split(",")) {
    const [, first, last = first] = /^([0-7])(?:-([0-7]))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) return undefined;
    for (let at = Number(first); at <= Number(last); at += 1) numbers.add(at % 7);
  }
  return days.filter((_, index) => numbers.has(index));
}

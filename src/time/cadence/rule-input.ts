import { readInput } from "../../platform/input-path.ts";
import { present } from "../../platform/json.ts";
import type { Guess } from "../phrase/wording.ts";
import { parseTime, type TimeContext } from "../times.ts";
import { checkZone, inZone } from "../zone.ts";
import type { ParsedCadence } from "./interpret.ts";
import { readRule, type Rule } from "./rrule.ts";
import { ruleSeries } from "./series.ts";

/** A recurrence rule as the input of a program. */
export interface RuleInput {
  readonly type: "rrule";
  readonly rule: string;
  readonly start?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Reads a rule, with what it takes from its start where that was not given. */
export function readRuleInput(input: RuleInput, context: TimeContext): ParsedCadence {
  const zone = readInput("timezone", () => checkZone(input.timezone ?? context.zone));
  const { at: start, ...guess } = startOf(input.start, { ...context, zone });
  const text = input.rule.trim().replace(/^RRULE:/i, "");
  const rule = readInput("rule", () => {
    ruleSeries(text, start, zone);
    return readRule(text);
  });
  const taken = takenFrom(rule, inZone(start, zone));
  const assumed: Guess = input.start === undefined ? { assumed: taken } : guess;
  return present({
    cadence: { type: "rrule", rule: text, start, zone },
    ...(taken === undefined ? {} : assumed),
  });
}

/** Default: the next minute. A rule without a time of day takes the start's, without its seconds. */
function startOf(typed: string | undefined, context: TimeContext) {
  if (typed === undefined) return { at: Math.ceil(context.now / 60_000) * 60_000 };
  return readInput("start", () => parseTime(typed, context));
}

/** The day and the time that a rule takes from its start. */
function takenFrom(rule: Rule, start: Temporal.ZonedDateTime): string | undefined {
  const { frequency, weekdays, days, yearDays, hours, minutes } = rule;
  const takesDay =
    weekdays.length + days.length + yearDays.length === 0 &&
    (rule.weeks.length > 0 || ["YEARLY", "MONTHLY", "WEEKLY"].includes(frequency));
  const isWithinDay = frequency === "HOURLY" || frequency === "MINUTELY";
  const takesHour = hours.length === 0 && !isWithinDay;
  const takesMinute = minutes.length === 0 && frequency !== "MINUTELY";
  const clock = start.toPlainTime().toString({ smallestUnit: "minute" });
  const time = takesHour ? clock : takesMinute ? clock.slice(2) : undefined;
  const taken = [takesDay ? start.toPlainDate().toString() : undefined, time];
  return taken.filter((each) => each !== undefined).join(" ") || undefined;
}

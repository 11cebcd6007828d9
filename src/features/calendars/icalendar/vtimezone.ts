import ICAL from "ical.js";
import { inZone } from "../../../time/zone.ts";
import { type JComponent, type JProperty, text } from "./jcal.ts";
import { horizonOf, type Observance, observancesOf, offsetOf } from "./observance.ts";
import { yearlyRule } from "./yearly-rule.ts";

const yearMs = 366 * 24 * 60 * 60_000;

/** UTC needs no definition: times in it end with Z. */
export function isUtc(zone: string): boolean {
  return zone.toUpperCase() === "UTC";
}

/** The name of a zone in a file: an offset has no colon there. */
export function tzidOf(zone: string): string {
  return zone.replaceAll(":", "");
}

/** The definition of a zone, exact for all times from `from` to `to`. */
export function vtimezone(zone: string, from: number, to: number): JComponent {
  const end = horizonOf(zone, from, to);
  const observances = observancesOf(zone, from, end);
  const components = runsOf(observances).map((run) => component(run, observances, end));
  if (observances.every(({ at }) => at > from)) components.unshift(constant(zone, from));
  return ["vtimezone", [text("tzid", tzidOf(zone))], components];
}

/** Observances of successive years by one rule. */
interface Run {
  readonly items: Observance[];
  rule: string | undefined;
}

function runsOf(observances: readonly Observance[]): readonly Run[] {
  const runs: Run[] = [];
  for (const each of observances) {
    const run = runs.findLast(({ items: [first] }) => first !== undefined && isAlike(first, each));
    const dates = [...(run?.items ?? []), each].map(({ local }) => local.toPlainDate());
    const rule = yearlyRule(dates);
    if (run === undefined || rule === undefined) {
      runs.push({ items: [each], rule: undefined });
      continue;
    }
    run.items.push(each);
    run.rule = rule;
  }
  return runs;
}

function isAlike(a: Observance, b: Observance): boolean {
  const isSameTime = a.local.toPlainTime().equals(b.local.toPlainTime());
  return isSameTime && a.before === b.before && a.after === b.after;
}

function component({ items, rule }: Run, all: readonly Observance[], horizon: number): JComponent {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) throw new Error("A run of observances is empty.");
  const properties = describe(first.local, first.before, first.after);
  if (rule !== undefined) {
    // What holds in the last known year is taken to go on.
    const until = last.at + yearMs > horizon ? "" : `;UNTIL=${untilOf(last.at)}`;
    properties.push(["rrule", {}, "recur", ICAL.Recur.fromString(rule + until).toJSON()]);
  }
  return [isSummer(first, all) ? "daylight" : "standard", properties, []];
}

/** Clocks are put forward, and back within a year. */
function isSummer({ at, before, after }: Observance, all: readonly Observance[]): boolean {
  const next = all.find((each) => each.at > at);
  return after > before && next !== undefined && next.after < after && next.at - at < yearMs;
}

function constant(zone: string, from: number): JComponent {
  const offset = offsetOf(inZone(from, zone));
  const start = Temporal.PlainDateTime.from("1970-01-01T00:00:00");
  const before = inZone(from, zone).toPlainDateTime().subtract({ days: 2 });
  const local = Temporal.PlainDateTime.compare(start, before) < 0 ? start : before;
  return ["standard", describe(local, offset, offset), []];
}

function describe(local: Temporal.PlainDateTime, before: number, after: number): JProperty[] {
  return [
    ["dtstart", {}, "date-time", local.toString({ smallestUnit: "second" })],
    ["tzoffsetfrom", {}, "utc-offset", offsetText(before)],
    ["tzoffsetto", {}, "utc-offset", offsetText(after)],
  ];
}

function offsetText(seconds: number): string {
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3_600), Math.floor(size / 60) % 60];
  if (size % 60 !== 0) parts.push(size % 60);
  return (seconds < 0 ? "-" : "+") + parts.map((part) => `${part}`.padStart(2, "0")).join(":");
}

function untilOf(at: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: "second" });
  return time.replaceAll(/[-:]/g, "");
}

import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/index.ts";
import { quietUntil } from "../notifications/index.ts";

/** The hours in which a reader may be notified, in the reader's zone. */
export interface OpenHours {
  readonly sleep?: Quiet | undefined;
  readonly weekdays?: boolean | undefined;
  readonly quiet: Quiet | null;
  readonly zone: string;
}

/** Each rule moves the time once, and once more after the other rules moved it. After more moves, nothing is open. */
const movesMax = 12;

/** The time itself, or the first later time that no rule closes; undefined: none is open. */
export function nextOpenTime(at: number, hours: OpenHours): number | undefined {
  let moment = at;
  for (let moves = 0; moves < movesMax; moves += 1) {
    const next = closedUntil(moment, hours);
    if (next === undefined) return moment;
    moment = next;
  }
  return undefined;
}

/** When the first rule that closes this time opens again; undefined: no rule closes it. */
function closedUntil(at: number, { sleep, weekdays, quiet, zone }: OpenHours): number | undefined {
  const asleep = sleep && quietUntil(at, sleep, zone);
  if (asleep !== undefined) return asleep;
  const weekend = weekdays === true ? afterWeekend(at, zone) : undefined;
  if (weekend !== undefined) return weekend;
  return quiet === null ? undefined : quietUntil(at, quiet, zone);
}

/** Monday at the same time of day. */
function afterWeekend(at: number, zone: string): number | undefined {
  const local = inZone(at, zone);
  if (local.dayOfWeek <= 5) return undefined;
  return local.add({ days: 8 - local.dayOfWeek }).epochMilliseconds;
}

const minutesADay = 1_440;

/** Whether any minute of a day is outside all closed spans. */
export function hasOpenTime(...closed: readonly (Quiet | null | undefined)[]): boolean {
  const spans = closed
    .filter((span) => span != null)
    .map(({ from, to }) => [minuteOf(from), minuteOf(to)] as const);
  const isClosed = (minute: number): boolean =>
    spans.some(([start, end]) =>
      start > end ? minute >= start || minute < end : minute >= start && minute < end,
    );
  for (let minute = 0; minute < minutesADay; minute += 1) if (!isClosed(minute)) return true;
  return false;
}

function minuteOf(time: string): number {
  const [hours = "", minutes = ""] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}

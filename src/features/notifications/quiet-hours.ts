import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/index.ts";

/** When the quiet hours end that a moment lies in; undefined when it lies in none. */
export function quietUntil(at: number, { from, to }: Quiet, zone: string): number | undefined {
  const local = inZone(at, zone);
  const [start, end, time] = [minutes(from), minutes(to), local.hour * 60 + local.minute];
  const overnight = start > end;
  const isQuiet = overnight ? time >= start || time < end : time >= start && time < end;
  if (!isQuiet) return undefined;
  const date = local.toPlainDate().add({ days: overnight && time >= start ? 1 : 0 });
  const wall = date.toPlainDateTime(to);
  // A time that the clocks leap over ends right after the leap; one that they show twice, when it comes next.
  const ends = wall.toZonedDateTime(zone).epochMilliseconds;
  if (ends > at) return ends;
  return wall.toZonedDateTime(zone, { disambiguation: "later" }).epochMilliseconds;
}

function minutes(time: string): number {
  const [hours = "", rest = ""] = time.split(":");
  return Number(hours) * 60 + Number(rest);
}

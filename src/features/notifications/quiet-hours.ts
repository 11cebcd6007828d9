import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/index.ts";

/** The end of the quiet hours at a time; undefined outside quiet hours. */
export function quietUntil(at: number, { from, to }: Quiet, zone: string): number | undefined {
  const local = inZone(at, zone);
  const [start, end, time] = [minutes(from), minutes(to), local.hour * 60 + local.minute];
  const overnight = start > end;
  const isQuiet = overnight ? time >= start || time < end : time >= start && time < end;
  if (!isQuiet) return undefined;
  const date = local.toPlainDate().add({ days: overnight && time >= start ? 1 : 0 });
  const wall = date.toPlainDateTime(to);
  // An end that the clocks skip is right after the gap; one that occurs twice is the next occurrence.
  const ends = wall.toZonedDateTime(zone).epochMilliseconds;
  if (ends > at) return ends;
  return wall.toZonedDateTime(zone, { disambiguation: "later" }).epochMilliseconds;
}

function minutes(time: string): number {
  const [hours = "", rest = ""] = time.split(":");
  return Number(hours) * 60 + Number(rest);
}

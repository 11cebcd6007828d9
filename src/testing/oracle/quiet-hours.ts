import type { Quiet } from "../../features/accounts/profile.ts";
import type { ProcessWork } from "./facts.ts";
import type { Model } from "./model.ts";

/** What an owner has set, since when. */
export interface Settings {
  readonly since: number;
  readonly quiet: Quiet | null;
  readonly zone: string;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
/** A node may go by settings that it read this long before it claimed. */
const rememberedMs = 1_000;

/** How many milliseconds of quiet are left at a moment; none when it is not quiet. */
export function quietLeftMs(at: number, { from, to }: Quiet, zone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const start = minutesOf(from);
  const length = (dayMinutes + minutesOf(to) - start) % dayMinutes;
  const passed = (dayMinutes + local.hour * 60 + local.minute - start) % dayMinutes;
  return passed < length ? (length - passed) * minuteMs - (at % minuteMs) : 0;
}

function minutesOf(time: string): number {
  const { hour, minute } = Temporal.PlainTime.from(time);
  return hour * 60 + minute;
}

/** The settings by which an attempt may have gone. */
export function settingsFor(
  model: Model,
  owner: string,
  { attemptAt }: ProcessWork,
): readonly Settings[] {
  const all = model.profiles.get(owner) ?? [];
  return all.filter((_, index) => (all[index + 1]?.since ?? Infinity) >= attemptAt - rememberedMs);
}

import { port } from "../../kernel/port.ts";

/** A time in which the owner is busy. */
export interface BusyTime {
  readonly from: number;
  readonly to: number;
}

/** The next busy times of an owner, by their start. */
export const busyTimes = port<(owner: string) => Promise<readonly BusyTime[]>>(
  "notifications.busyTimes",
  () => Promise.resolve([]),
);

/** When the meeting that a time is in is over; meetings that follow without a pause count as one. */
export function busyUntil(at: number, times: readonly BusyTime[]): number | undefined {
  let until: number | undefined;
  for (const { from, to } of times) {
    const time = until ?? at;
    if (from <= time && time < to) until = to;
  }
  return until;
}

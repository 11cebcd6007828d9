import type { CalendarKind } from "./kind.ts";
import type { RemoteChanges, RemoteEntry } from "./service.ts";

export type Busy = CalendarKind["outcome"]["busy"];

const dayMs = 86_400_000;
/** Busy times are kept for so long ahead, and at most so many. */
const aheadMs = 14 * dayMs;
const spansMax = 500;

/** The busy times after these changes: those that have passed are forgotten. */
export function busyAfter(
  before: Busy,
  { isComplete }: Pick<RemoteChanges, "isComplete">,
  foreign: readonly RemoteEntry[],
  now: number,
): Busy {
  const changed = new Set(foreign.map(({ location }) => location.remoteId));
  const kept = isComplete ? [] : before.filter(({ by }) => !changed.has(by));
  const added = foreign.flatMap(({ location, busy = [] }) =>
    busy.map(({ from, to }) => ({ from, to, by: location.remoteId })),
  );
  return [...kept, ...added]
    .filter(({ from, to }) => to > now && from < now + aheadMs && to > from)
    .toSorted((a, b) => a.from - b.from || a.to - b.to || (a.by < b.by ? -1 : 1))
    .slice(0, spansMax);
}

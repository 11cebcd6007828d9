import { busyAheadMs, type RemoteEntry, type Span } from "../../features/calendars/index.ts";
import { contentOf, locationOf } from "./google-entry.ts";
import type { GoogleEvent } from "./google-event.ts";
import { spanOf } from "./google-time.ts";

/** The times that events take from now on, as far as busy times are listed. Whole days take none. */
export function busySpans(events: readonly GoogleEvent[], now: number): readonly Span[] {
  return events
    .filter(isBusy)
    .flatMap((event) => spanOf(event, "UTC") ?? [])
    .filter(({ from, to }) => to > now && from < now + busyAheadMs && to > from)
    .toSorted((a, b) => a.from - b.from);
}

/** Where somebody works, and whose birthday it is, takes no time. */
const idleTypes = ["workingLocation", "birthday"];

function isBusy({ status, transparency, eventType, attendees = [], start }: GoogleEvent): boolean {
  const isDeclined = attendees.some(
    ({ self, responseStatus }) => self === true && responseStatus === "declined",
  );
  return (
    status !== "cancelled" &&
    transparency !== "transparent" &&
    !idleTypes.includes(eventType ?? "") &&
    !isDeclined &&
    start?.date === undefined
  );
}

/**
 * One entry for each recurring event of somebody else that changed, in whole or in some of its occurrences, with the
 * times of all its occurrences.
 */
export function seriesEntries(
  changed: readonly GoogleEvent[],
  occurrences: readonly GoogleEvent[],
  { zone, now }: { readonly zone: string; readonly now: number },
): readonly RemoteEntry[] {
  const ids = new Set(changed.map(({ id, recurringEventId }) => recurringEventId ?? id));
  return [...ids].flatMap((id) => {
    const all = occurrences.filter(({ recurringEventId }) => recurringEventId === id);
    const main = changed.find((each) => each.id === id);
    const shown = main ?? all[0];
    // Nothing of it is left in the near future.
    if (shown === undefined || main?.status === "cancelled") return [goneEntry(id)];
    const content = contentOf(shown, zone);
    const location = { ...locationOf(shown), remoteId: id };
    return content === undefined
      ? []
      : [{ id: null, location, content, busy: busySpans(all, now) }];
  });
}

function goneEntry(remoteId: string): RemoteEntry {
  return { id: null, location: { remoteId, etag: "" }, content: null };
}

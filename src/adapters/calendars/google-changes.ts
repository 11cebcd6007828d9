import { z } from "zod";
import {
  busyAheadMs,
  type RemoteChanges,
  type RemoteEntry,
} from "../../features/calendars/index.ts";
import { isoOf } from "../../platform/iso-time.ts";
import type { GoogleApi } from "./google-api.ts";
import { busySpans, seriesEntries } from "./google-busy.ts";
import { entryOf, isOwnOccurrence, ownId } from "./google-entry.ts";
import { eventFields, googleEvent, type GoogleEvent } from "./google-event.ts";
import { unreadable } from "./google-failure.ts";

interface ChangesOptions {
  readonly api: GoogleApi;
  /** The path of the calendar's events. */
  readonly path: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What has changed since a token; without one that Google still knows, everything. */
export async function changesSince(
  token: string | null,
  options: ChangesOptions,
): Promise<RemoteChanges> {
  const since = token === null ? undefined : await list({ syncToken: token }, options);
  const listed = since ?? (await list({}, options));
  if (listed?.syncToken === undefined) throw unreadable("token for the next call");
  const { events, zone, syncToken } = listed;
  const isComplete = since === undefined;
  return { token: syncToken, isComplete, entries: await entriesOf(events, zone, options) };
}

/** Ours and the single events of others as they are; recurring ones by their occurrences in the near future. */
async function entriesOf(
  events: readonly GoogleEvent[],
  zone: string,
  options: ChangesOptions,
): Promise<readonly RemoteEntry[]> {
  const { now } = options;
  const others = events.filter((event) => ownId(event) === null && !isOwnOccurrence(event));
  const isOfSeries = ({ recurrence, recurringEventId }: GoogleEvent): boolean =>
    recurrence !== undefined || recurringEventId !== undefined;
  const series = others.filter(isOfSeries);
  const single = others.filter((event) => !isOfSeries(event));
  const ours = events.filter((event) => ownId(event) !== null);
  const window = {
    singleEvents: "true",
    timeMin: isoOf(now),
    timeMax: isoOf(now + busyAheadMs),
  };
  const occurrences = series.length === 0 ? undefined : await list(window, options);
  return [
    ...ours.map((event) => entryOf(event, zone) ?? unreadableEntry()),
    ...single.flatMap((event) => {
      const entry = entryOf(event, zone);
      return entry === undefined ? [] : [{ ...entry, busy: busySpans([event], now) }];
    }),
    ...seriesEntries(series, occurrences?.events ?? [], { zone, now }),
  ];
}

function unreadableEntry(): never {
  throw unreadable("time of an event");
}

const pageForm = z.object({
  timeZone: z.string().default("UTC"),
  items: z.array(googleEvent).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
});

interface Listed {
  readonly events: readonly GoogleEvent[];
  readonly zone: string;
  readonly syncToken: string | undefined;
}

const pageSize = "1000";
/** More events than a calendar can have: a list that never ends is an error. */
const pagesMax = 1_000;

/** All pages; undefined: Google has forgotten the token. */
async function list(
  query: Readonly<Record<string, string>>,
  { api, path, signal }: ChangesOptions,
): Promise<Listed | undefined> {
  const fields = `timeZone,nextPageToken,nextSyncToken,items(${eventFields})`;
  const events: GoogleEvent[] = [];
  let more = {};
  for (let page = 0; page < pagesMax; page += 1) {
    const asked = { ...query, maxResults: pageSize, fields, ...more };
    // A token that Google cannot read is no better than one that it has forgotten.
    const expects = "syncToken" in query ? [410, 400] : [];
    const { status, json } = await api.call({ method: "GET", path, query: asked, expects, signal });
    if (expects.includes(status)) return undefined;
    const { data } = pageForm.safeParse(json);
    if (data === undefined) throw unreadable("events that can be read");
    events.push(...data.items);
    const { nextPageToken, nextSyncToken, timeZone } = data;
    if (nextPageToken === undefined) return { events, zone: timeZone, syncToken: nextSyncToken };
    more = { pageToken: nextPageToken };
  }
  throw unreadable("end");
}

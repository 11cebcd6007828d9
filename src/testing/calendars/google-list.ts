import { timeMs } from "./google-body.ts";
import { GoogleComplaint, GoogleRefusal } from "./google-errors.ts";
import { shownEvent } from "./google-event.ts";
import { occurrencesOf } from "./google-occurrences.ts";
import {
  calendarOf,
  type GoogleCalendar,
  type GoogleEvent,
  type GooglePage,
  type GoogleWorld,
} from "./google-world.ts";

/** Parameters that may not be combined with a sync token. */
const restrictions = ["orderBy", "privateExtendedProperty", "timeMin", "timeMax"];
const known = [
  "fields",
  "maxResults",
  "orderBy",
  "pageToken",
  "privateExtendedProperty",
  "showDeleted",
  "singleEvents",
  "syncToken",
  "timeMax",
  "timeMin",
];
const pageSizeMax = 2_500;

/** `events.list`. A page token goes on with what the first page found; a sync token lists what changed since. */
export function listEvents(world: GoogleWorld, name: string, query: URLSearchParams): object {
  const calendar = calendarOf(world, name);
  checkNames(query);
  const asked = requestOf(query);
  const pageToken = query.get("pageToken");
  const { from, change, found } =
    pageToken === null
      ? { from: 0, change: world.changes, found: search(world, calendar, query) }
      : pageIn(world, pageToken, asked);
  const next = from + sizeOf(query);
  const shown = found.slice(from, next);
  const isLast = next >= found.length;
  const restricted = restrictions.some((each) => query.has(each));
  return {
    kind: "calendar#events",
    etag: `"p${world.changes}"`,
    summary: calendar.summary,
    timeZone: calendar.timeZone,
    accessRole: calendar.accessRole,
    defaultReminders: [{ method: "popup", minutes: 30 }],
    ...(!isLast && { nextPageToken: nextPage(world, { asked, from: next, change, found }) }),
    // What restricts a list may restrict its changes too: no client can build on that.
    ...(isLast && !restricted && { nextSyncToken: syncToken(world, calendar, change) }),
    items: shown.map((event) => shownEvent(event, calendar)),
  };
}

function checkNames(query: URLSearchParams): void {
  const strange = [...query.keys()].find((name) => !known.includes(name));
  if (strange !== undefined) throw new GoogleComplaint(`the parameter ${strange} of a list`);
  const twice = known.find(
    (name) => name !== "privateExtendedProperty" && query.getAll(name).length > 1,
  );
  if (twice !== undefined) throw new GoogleComplaint(`the parameter ${twice} twice`);
}

/** What must be the same on every page of a list. */
function requestOf(query: URLSearchParams): string {
  const asked = new URLSearchParams(query);
  asked.delete("pageToken");
  asked.sort();
  return asked.toString();
}

function sizeOf(query: URLSearchParams): number {
  const size = Number(query.get("maxResults") ?? 250);
  if (Number.isInteger(size) && size >= 1 && size <= pageSizeMax) return size;
  throw new GoogleRefusal(400, "invalidParameter", `Invalid integer value: '${size}'.`);
}

function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  if (value !== null && value !== "true" && value !== "false") {
    throw new GoogleRefusal(400, "invalidParameter", `Invalid boolean value: '${value}'.`);
  }
  return value === "true";
}

function nextPage(world: GoogleWorld, page: GooglePage): string {
  const token = `page-${world.pages.size}-${page.from}`;
  world.pages.set(token, page);
  return token;
}

function pageIn(world: GoogleWorld, token: string, asked: string): GooglePage {
  const page = world.pages.get(token);
  if (page === undefined) throw new GoogleRefusal(400, "invalid", "Invalid page token value.");
  if (page.asked !== asked) throw new GoogleComplaint("the next page of another list");
  return page;
}

function search(
  world: GoogleWorld,
  calendar: GoogleCalendar,
  query: URLSearchParams,
): readonly GoogleEvent[] {
  const all = [...calendar.events.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const token = query.get("syncToken");
  const isSingle = isSet(query, "singleEvents");
  if (token !== null) {
    const since = changeIn(world, calendar, token, query);
    if (isSingle) throw new GoogleComplaint("a sync of single events");
    return all.filter(({ change }) => change > since);
  }
  const withDeleted = isSet(query, "showDeleted");
  const from = boundOf(query, "timeMin");
  const to = boundOf(query, "timeMax");
  if (from >= to) throw new GoogleRefusal(400, "timeRangeEmpty", "The specified range is empty.");
  const there = isSingle ? expanded(calendar, all, { from, to }) : all;
  if (!isSingle && (query.has("timeMin") || query.has("timeMax"))) {
    throw new GoogleComplaint("a window of recurring events that are not expanded");
  }
  return there
    .filter(({ status, recurringEventId }) => {
      const isException = recurringEventId !== undefined && !isSingle;
      return status !== "cancelled" || withDeleted || isException;
    })
    .filter(({ start, end }) => {
      const { timeZone } = calendar;
      return timeMs(end, timeZone) > from && timeMs(start, timeZone) < to;
    })
    .filter((event) => hasProperties(event, query.getAll("privateExtendedProperty")));
}

function boundOf(query: URLSearchParams, name: "timeMin" | "timeMax"): number {
  const text = query.get(name);
  if (text === null) return name === "timeMin" ? -Infinity : Infinity;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text))
    return Date.parse(text);
  throw new GoogleRefusal(400, "badRequest", "Bad Request");
}

function hasProperties({ extendedProperties }: GoogleEvent, wanted: readonly string[]): boolean {
  return wanted.every((each) => {
    const [name = "", value] = each.split(/=(.*)/s);
    return extendedProperties?.private?.[name] === value;
  });
}

function expanded(
  calendar: GoogleCalendar,
  all: readonly GoogleEvent[],
  window: { from: number; to: number },
): readonly GoogleEvent[] {
  if (!Number.isFinite(window.from) || !Number.isFinite(window.to)) {
    throw new GoogleComplaint("all occurrences of recurring events, without a window");
  }
  return all.flatMap((event) =>
    event.recurrence === undefined || event.status === "cancelled"
      ? [event]
      : occurrencesOf(calendar, event, window),
  );
}

/** A token says which list it goes on with. */
interface SyncToken {
  readonly calendar: string;
  readonly epoch: number;
  readonly change: number;
}

function syncToken(world: GoogleWorld, calendar: GoogleCalendar, change: number): string {
  const token: SyncToken = { calendar: calendar.id, epoch: world.epoch, change };
  return Buffer.from(JSON.stringify(token)).toString("base64");
}

function changeIn(
  world: GoogleWorld,
  calendar: GoogleCalendar,
  text: string,
  query: URLSearchParams,
): number {
  const restricted = restrictions.some((name) => query.has(name));
  if (restricted || query.get("showDeleted") === "false") {
    const message = "Sync token cannot be used with other request restrictions.";
    throw new GoogleRefusal(400, "syncTokenWithRequestRestrictions", message);
  }
  const at = { domain: "calendar", locationType: "parameter", location: "syncToken" };
  let token: SyncToken;
  try {
    token = JSON.parse(Buffer.from(text, "base64").toString()) as SyncToken;
  } catch {
    throw new GoogleRefusal(400, "invalid", "Invalid sync token value.", at);
  }
  if (token.calendar !== calendar.id) throw new GoogleComplaint("a token of another calendar");
  if (token.epoch === world.epoch) return token.change;
  const message = "Sync token is no longer valid, a full sync is required.";
  throw new GoogleRefusal(410, "fullSyncRequired", message, at);
}

import type {
  AccountOf,
  CalendarConnector,
  CalendarService,
  EntryLocation,
  PutResult,
  RemoteEntry,
  StoredSecret,
} from "../../features/calendars/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { googleApi, type ApiAnswer, type GoogleApi } from "./google-api.ts";
import { chosenCalendar } from "./google-calendars.ts";
import { changesSince } from "./google-changes.ts";
import type { GoogleEndpoints } from "./google-endpoints.ts";
import { entryOf, eventBody, locationOf, wholeBody } from "./google-entry.ts";
import { eventFields, googleEvent, type GoogleEvent } from "./google-event.ts";
import { unreadable } from "./google-failure.ts";
import { accessTokens } from "./google-tokens.ts";

export interface GoogleOptions {
  readonly fetch: SafeFetch;
  readonly clock: Pick<Clock, "wall">;
  readonly endpoints: GoogleEndpoints;
  /** Reads a secret of an account; throws when it cannot be read. */
  readSecret(secret: StoredSecret): string;
}

/** Calendars of Google. Access tokens are shared by all that are opened. */
export function googleCalendars(options: GoogleOptions): CalendarConnector<"google"> {
  const { endpoints, readSecret } = options;
  const tokens = accessTokens({ ...options, url: endpoints.token });
  const apiFor = ({ clientId, clientSecret, refreshToken }: AccountOf<"google">): GoogleApi => {
    const login = {
      clientId,
      clientSecret: clientSecret && readSecret(clientSecret),
      refreshToken: readSecret(refreshToken),
    };
    return googleApi({ ...options, tokens, login, url: endpoints.api });
  };
  return {
    async resolve(account, signal) {
      const calendarId = await chosenCalendar(account.calendarId, apiFor(account), signal);
      return { ...account, calendarId };
    },
    open: (account) => serviceOver(apiFor(account), account.calendarId, options.clock),
  };
}

function serviceOver(
  api: GoogleApi,
  calendarId: string,
  clock: Pick<Clock, "wall">,
): CalendarService {
  const path = `calendars/${encodeURIComponent(calendarId)}/events`;
  const at = { api, path };
  return {
    changes: (token, signal) => changesSince(token, { ...at, now: clock.wall(), signal }),
    async put({ id, content, known }, signal) {
      if (known === null) return create({ id, ...at, signal }, wholeBody(id, content));
      const { status, json } = await api.call({
        method: "PATCH",
        path: `${path}/${id}`,
        query: shown,
        body: eventBody(id, content),
        etag: known.etag,
        expects: [404, 410, 412],
        isEntry: true,
        signal,
      });
      return status === 200 ? written(json) : changed({ id, ...at, signal });
    },
    async remove({ id, known }, signal) {
      const { status } = await api.call({
        method: "DELETE",
        path: `${path}/${id}`,
        etag: known?.etag,
        expects: [404, 410, 412],
        isEntry: true,
        signal,
      });
      if (status !== 412) return { result: "removed" };
      const now = await changed({ id, ...at, signal });
      return now.entry.content === null ? { result: "removed" } : now;
    },
  };
}

interface At {
  readonly api: GoogleApi;
  readonly path: string;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** The fields of an event that are answered. */
const shown = { fields: eventFields };

/** Google keeps the ids of deleted events: such an event is restored, with the new content. */
async function create(at: At, body: object): Promise<PutResult> {
  const { api, path, id, signal } = at;
  const call = { query: shown, body, isEntry: true, signal };
  const made = await api.call({ ...call, method: "POST", path, expects: [409] });
  if (made.status === 200) return written(made.json);
  const there = await changed(at);
  if (there.entry.content !== null) return there;
  const { etag } = there.entry.location;
  const restored = await api.call({
    ...call,
    method: "PUT",
    path: `${path}/${id}`,
    etag,
    expects: [404, 410, 412],
  });
  return restored.status === 200 ? written(restored.json) : changed(at);
}

/** The event as it is now. */
async function changed({ api, path, id, signal }: At): Promise<PutResult & { result: "changed" }> {
  const call = { query: shown, signal };
  const found = await api.call({
    ...call,
    method: "GET",
    path: `${path}/${id}`,
    expects: [404, 410],
    isEntry: true,
  });
  if (found.status === 200) return { result: "changed", entry: { ...readEntry(found), id } };
  // It is gone, or its calendar is: that is another thing, and an error.
  await api.call({ ...call, method: "GET", path, query: { maxResults: "1", fields: "timeZone" } });
  const location: EntryLocation = { remoteId: id, etag: "" };
  return { result: "changed", entry: { id, location, content: null } };
}

function written(json: unknown): PutResult {
  return { result: "written", location: locationOf(readEvent(json)) };
}

function readEntry({ json }: ApiAnswer): RemoteEntry {
  const entry = entryOf(readEvent(json), "UTC");
  if (entry === undefined) throw unreadable("time of an event");
  return entry;
}

function readEvent(json: unknown): GoogleEvent {
  const { data } = googleEvent.safeParse(json);
  if (data !== undefined) return data;
  const { code, message, details } = unreadable("event");
  throw new DaybookError(code, message, { details: { ...details, sent: true } });
}

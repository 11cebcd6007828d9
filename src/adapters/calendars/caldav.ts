import {
  type AccountOf,
  type CalendarConnector,
  type CalendarService,
  type EntryContent,
  type EntryLocation,
  iCalendar,
  type PutResult,
  type RemoteEntry,
  type StoredSecret,
  uidOf,
} from "../../features/calendars/index.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { lazy } from "../../platform/lazy.ts";
import { changesSince } from "./caldav-changes.ts";
import { davClient } from "./caldav-client.ts";
import { findCalendar } from "./caldav-discovery.ts";
import { deletedEntry, entryIn, ownPath } from "./caldav-entry.ts";
import { type DavAnswer, davFailure, entryFailure, reasonIn } from "./caldav-failure.ts";
import { checkExists, type Collection, findUid, readFile } from "./caldav-objects.ts";
import { davReports, loadTsdav } from "./caldav-xml.ts";

export interface CaldavOptions {
  readonly fetch: SafeFetch;
  readonly clock: { wall(): number };
  /** Reads a secret of an account; throws when it cannot be read. */
  readSecret(secret: StoredSecret): string;
  /** For tests of an installation without the package. */
  readonly load?: typeof loadTsdav;
}

/** Calendars of any CalDAV server (RFC 4791). */
export function caldavCalendars(options: CaldavOptions): CalendarConnector<"caldav"> {
  const { fetch, clock, readSecret, load = loadTsdav } = options;
  const tsdav = lazy(load);
  const loginOf = ({ username, password }: AccountOf<"caldav">) => {
    const client = davClient({ fetch, clock, username, password: readSecret(password) });
    return { client, dav: davReports(client, tsdav) };
  };
  return {
    async resolve(account, signal) {
      const { url } = account;
      // What names no calendar is the URL itself.
      const wanted = account.collection === url ? "" : account.collection;
      const { dav } = loginOf(account);
      return { ...account, collection: await findCalendar({ dav, url, wanted, signal }) };
    },
    open(account) {
      const login = loginOf(account);
      const now = (): number => clock.wall();
      return serviceOver(async () => ({
        ...login,
        url: account.collection,
        files: await iCalendar(),
        now,
      }));
    },
  };
}

function serviceOver(open: () => Promise<Collection>): CalendarService {
  const opened = lazy(open);
  return {
    changes: async (token, signal) => changesSince(token, await opened(), signal),
    async put({ id, content, known }, signal) {
      const collection = await opened();
      const path = known?.remoteId ?? ownPath(collection.url, id);
      const answer = await send(collection, { path, id, content, known }, signal);
      if (isUidTaken(answer)) {
        const other = await findUid(collection, uidOf(id), signal);
        if (other !== undefined && other !== path) {
          return {
            result: "changed",
            entry: await entryAt(collection, { id, path: other }, signal),
          };
        }
      }
      if (answer.status === 412) {
        return { result: "changed", entry: await entryAt(collection, { id, path }, signal) };
      }
      if (answer.status === 404 || answer.status === 409) await checkExists(collection, signal);
      if (answer.status === 404 && known !== null) {
        return { result: "changed", entry: deletedEntry(path, id) };
      }
      if (answer.status >= 300 || answer.status === 207) throw failed(answer, collection);
      return written(collection, { path, id, content, answer }, signal);
    },
    async remove({ id, known }, signal) {
      const collection = await opened();
      const path = known?.remoteId ?? ownPath(collection.url, id);
      const answer = await collection.client.send({
        method: "DELETE",
        url: new URL(path, collection.url).href,
        headers: known === null ? {} : { "if-match": known.etag },
        expects: [404, 410, 412],
        isEntry: true,
        signal,
      });
      if (answer.status !== 412) return { result: "removed" };
      const entry = await entryAt(collection, { id, path }, signal);
      const isGone = entry.content === null && entry.problem === undefined;
      return isGone ? { result: "removed" } : { result: "changed", entry };
    },
  };
}

interface Put {
  readonly path: string;
  readonly id: string;
  readonly content: EntryContent;
}

const epochSeconds = 1_577_836_800; // 2020, so that the number stays small

async function send(
  { url, client, files, now }: Collection,
  { path, id, content, known }: Put & { readonly known: EntryLocation | null },
  signal: AbortSignal,
): Promise<DavAnswer> {
  const changedAt = now();
  // Each version has a higher number than the one before, also than one that another program wrote.
  const revision = Math.max(0, Math.floor(changedAt / 1_000) - epochSeconds);
  return client.send({
    method: "PUT",
    url: new URL(path, url).href,
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      ...(known === null ? { "if-none-match": "*" } : { "if-match": known.etag }),
    },
    body: files.eventFile({ id, content, revision, changedAt }),
    expects: [403, 404, 409, 412],
    isEntry: true,
    signal,
  });
}

/** Another file has the UID. One server says so in a list, which is no success. */
function isUidTaken({ status, text }: DavAnswer): boolean {
  return [207, 403, 409].includes(status) && text.includes("no-uid-conflict");
}

/** Conditions that only this entry does not meet. */
const ofEntry = /^(?:valid-calendar|supported-calendar|max-|min-|no-uid-conflict)/;

function failed(answer: DavAnswer, { now }: Collection): DaybookError {
  const isOfEntry = answer.status !== 403 || ofEntry.test(reasonIn(answer));
  return isOfEntry ? entryFailure(answer) : davFailure(answer, { now: now(), isEntry: true });
}

/** The version that was written: a server that changed the file on the way names none. */
async function written(
  collection: Collection,
  { path, id, content, answer }: Put & { readonly answer: DavAnswer },
  signal: AbortSignal,
): Promise<PutResult> {
  const { etag } = answer.headers;
  if (etag !== undefined && !etag.startsWith("W/")) {
    return { result: "written", location: { remoteId: path, etag } };
  }
  const entry = await entryAt(collection, { id, path }, signal);
  const isOurs = entry.content?.title === content.title && isSameTime(entry.content, content);
  return isOurs ? { result: "written", location: entry.location } : { result: "changed", entry };
}

function isSameTime(a: EntryContent, b: EntryContent): boolean {
  return Math.floor(a.at / 1_000) === Math.floor(b.at / 1_000);
}

/** Our entry as it is now. */
async function entryAt(
  collection: Collection,
  { id, path }: { readonly id: string; readonly path: string },
  signal: AbortSignal,
): Promise<RemoteEntry> {
  const file = await readFile(collection, path, signal);
  const entry = file && entryIn({ path, ...file }, collection.files, collection.now());
  return entry === undefined ? deletedEntry(path, id) : { ...entry, id };
}

import type { RemoteEntry } from "../../features/calendars/index.ts";
import { hasCode } from "../../platform/errors.ts";
import type { DavClient } from "./caldav-client.ts";
import { entryIn, type ICalendar, pathOf } from "./caldav-entry.ts";
import { type DavReports, textIn } from "./caldav-xml.ts";

/** One calendar at its server. */
export interface Collection {
  /** With a slash at its end. */
  readonly url: string;
  readonly client: DavClient;
  readonly dav: DavReports;
  readonly files: ICalendar;
  now(): number;
}

/** A file in the calendar; undefined: it is not there. */
export type FileState = { readonly etag: string; readonly text: string } | undefined;

/** Reads one file. */
export async function readFile(
  { url, client }: Collection,
  path: string,
  signal: AbortSignal,
): Promise<FileState> {
  const { status, headers, text } = await client.send({
    method: "GET",
    url: new URL(path, url).href,
    expects: [404, 410],
    isEntry: true,
    signal,
  });
  return status >= 400 ? undefined : { etag: headers["etag"] ?? "", text };
}

const batchSize = 50;

/** The entries in these files. A file that was deleted meanwhile is answered with its path alone. */
export async function readEntries(
  collection: Collection,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ entries: readonly RemoteEntry[]; missing: readonly string[] }> {
  const entries: RemoteEntry[] = [];
  const missing: string[] = [];
  for (let at = 0; at < paths.length; at += batchSize) {
    const batch = paths.slice(at, at + batchSize);
    const found = await readBatch(collection, batch, signal);
    for (const path of batch) {
      const file = found.get(path);
      if (file === undefined) missing.push(path);
      const entry = file && entryIn({ path, ...file }, collection.files, collection.now());
      if (entry !== undefined) entries.push(entry);
    }
  }
  return { entries, missing };
}

async function readBatch(
  collection: Collection,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileState>> {
  try {
    return await multiget(collection, paths, signal);
  } catch (error) {
    if (!hasCode(error, "too_large") || paths.length === 1) throw error;
    const half = Math.ceil(paths.length / 2);
    const first = await readBatch(collection, paths.slice(0, half), signal);
    return new Map([...first, ...(await readBatch(collection, paths.slice(half), signal))]);
  }
}

async function multiget(
  collection: Collection,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileState>> {
  const { url, dav } = collection;
  const list = await dav.report({
    url,
    depth: "1",
    body: {
      "c:calendar-multiget": {
        "d:prop": { "d:getetag": {}, "c:calendar-data": {} },
        "d:href": paths,
      },
    },
    signal,
  });
  const found = new Map<string, FileState>();
  for (const { href, status, props } of list?.resources ?? []) {
    if (status >= 400) continue;
    const path = pathOf(href, url);
    const [etag, text] = [textIn(props["getetag"]), textIn(props["calendarData"])];
    const isWhole = etag !== undefined && text !== undefined;
    found.set(path, isWhole ? { etag, text } : await readFile(collection, path, signal));
  }
  return found;
}

/** The path of the file with this UID, whatever its name; undefined: there is none. */
export async function findUid(
  { url, dav }: Collection,
  uid: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const match = {
    _attributes: { name: "UID" },
    "c:text-match": { _attributes: { collation: "i;octet" }, _text: uid },
  };
  const event = { _attributes: { name: "VEVENT" }, "c:prop-filter": match };
  const list = await dav.report({
    url,
    depth: "1",
    body: {
      "c:calendar-query": {
        "d:prop": { "d:getetag": {} },
        "c:filter": {
          "c:comp-filter": { _attributes: { name: "VCALENDAR" }, "c:comp-filter": event },
        },
      },
    },
    signal,
  });
  const [found] = list?.resources.filter(({ status }) => status < 400) ?? [];
  return found && pathOf(found.href, url);
}

/** Throws where the calendar itself does not exist any more. */
export async function checkExists({ url, dav }: Collection, signal: AbortSignal): Promise<void> {
  await dav.propfind({ url, depth: "0", props: ["d:resourcetype"], signal });
}

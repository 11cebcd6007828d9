import type { RemoteChanges, RemoteEntry } from "../../features/calendars/index.ts";
import { hasCode, toErrorData } from "../../platform/errors.ts";
import { deletedEntry, ownPath, pathOf } from "./caldav-entry.ts";
import { unreadable } from "./caldav-failure.ts";
import { checkExists, type Collection, readEntries } from "./caldav-objects.ts";
import { allIn, type Multistatus, textIn } from "./caldav-xml.ts";

/** How a server tells what has changed: by its sync-token, or only by the tag of the whole calendar. */
type Mark = { readonly by: "sync" | "tag"; readonly text: string };

/** What has changed since a token; without one that the server still knows, everything. */
export async function changesSince(
  token: string | null,
  collection: Collection,
  signal: AbortSignal,
): Promise<RemoteChanges> {
  const mark = token === null ? undefined : markIn(token);
  if (mark?.by === "sync") {
    const paths = await orForgotten(syncedPaths(collection, mark.text, signal));
    if (paths !== undefined) return partly(collection, paths, signal);
  }
  const properties = await propertiesOf(collection, signal);
  const isUnchanged = mark?.by === "tag" && mark.text !== "" && mark.text === properties.tag;
  if (isUnchanged && token !== null) return { token, isComplete: false, entries: [] };
  return completely(collection, properties, signal);
}

/** What a server answers about a calendar, beside its content. */
interface Properties {
  readonly tag: string;
  readonly hasSync: boolean;
}

async function propertiesOf({ url, dav }: Collection, signal: AbortSignal): Promise<Properties> {
  const props = ["cs:getctag", "d:supported-report-set"];
  const found = await dav.propfind({ url, depth: "0", props, signal });
  const { getctag, supportedReportSet } = found?.resources[0]?.props ?? {};
  const { supportedReport } = (supportedReportSet ?? {}) as { supportedReport?: unknown };
  // Xandikos leaves out the element in between.
  const reports = allIn(supportedReport).flatMap((each) => {
    const { report = each } = (each ?? {}) as { report?: unknown };
    return Object.keys(report ?? {});
  });
  return { tag: textIn(getctag) ?? "", hasSync: reports.includes("syncCollection") };
}

interface Paths {
  readonly mark: Mark;
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
}

/** A server may answer in parts: the status 507 of the calendar itself says that there is more (RFC 6578 §3.6). */
async function syncedPaths(
  collection: Collection,
  from: string,
  signal: AbortSignal,
): Promise<Paths> {
  const { url, dav } = collection;
  const statuses = new Map<string, number>();
  let token = from;
  for (;;) {
    const body = {
      "d:sync-collection": {
        "d:sync-token": token,
        "d:sync-level": "1",
        "d:prop": { "d:getetag": {} },
      },
    };
    const list = await dav.report({ url, body, signal });
    if (list?.syncToken === undefined) {
      await checkExists(collection, signal);
      throw unreadable("list of changes");
    }
    for (const [path, status] of filesIn(list)) statuses.set(path, status);
    const hasMore = list.resources.some(({ status }) => status === 507);
    if (!hasMore || list.syncToken === token) {
      const named = (isGone: boolean) =>
        [...statuses].flatMap(([path, status]) => (status >= 400 === isGone ? [path] : []));
      const mark: Mark = { by: "sync", text: list.syncToken };
      return { mark, changed: named(false), deleted: named(true) };
    }
    token = list.syncToken;
  }
}

/** The files in a list with their statuses, without the calendar itself and folders in it. */
function filesIn({ resources, url }: Multistatus): readonly (readonly [string, number])[] {
  const own = pathOf(url, url);
  return resources
    .filter(({ status }) => status !== 507)
    .map(({ href, status }) => [pathOf(href, url), status] as const)
    .filter(([path]) => path !== own && !path.endsWith("/"));
}

/** Servers answer a token that they do not know in many ways, an internal error among them. */
async function orForgotten<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    const { status } = toErrorData(error).details;
    const isAnswer = typeof status === "number" && ![401, 404, 429, 502, 503, 504].includes(status);
    if (isAnswer && hasCode(error, "refused", "unavailable", "not_found")) return undefined;
    throw error;
  }
}

async function partly(
  collection: Collection,
  { mark, changed, deleted }: Paths,
  signal: AbortSignal,
): Promise<RemoteChanges> {
  const { entries, missing } = await readEntries(collection, changed, signal);
  const gone = [...deleted, ...missing].map((path) => deletedEntry(path));
  return {
    token: tokenOf(mark),
    isComplete: false,
    entries: once([...gone, ...entries], collection),
  };
}

async function completely(
  collection: Collection,
  properties: Properties,
  signal: AbortSignal,
): Promise<RemoteChanges> {
  const synced = properties.hasSync && (await orForgotten(syncedPaths(collection, "", signal)));
  const { mark, changed } = synced || (await listedPaths(collection, properties, signal));
  const { entries } = await readEntries(collection, changed, signal);
  return { token: tokenOf(mark), isComplete: true, entries: once(entries, collection) };
}

/** The tag was read before the list: what changes in between is seen again. */
async function listedPaths(
  { url, dav }: Collection,
  { tag }: Properties,
  signal: AbortSignal,
): Promise<Paths> {
  const list = await dav.propfind({ url, depth: "1", props: ["d:getetag"], signal });
  if (list === undefined) throw unreadable("list");
  const changed = filesIn(list).flatMap(([path, status]) => (status < 400 ? [path] : []));
  return { mark: { by: "tag", text: tag }, changed, deleted: [] };
}

/** An entry that was renamed at the server is listed as deleted and as new: it is there. Of two, ours is the first. */
function once(entries: readonly RemoteEntry[], { url }: Collection): readonly RemoteEntry[] {
  const foreign = entries.filter(({ id }) => id === null);
  const ours = new Map<string, RemoteEntry>();
  for (const entry of entries) {
    const before = entry.id === null ? undefined : ours.get(entry.id);
    const isFirst = before === undefined || before.content === null;
    if (entry.id !== null && (isFirst || entry.location.remoteId === ownPath(url, entry.id))) {
      ours.set(entry.id, entry);
    }
  }
  return [...foreign, ...ours.values()];
}

function tokenOf({ by, text }: Mark): string {
  return `${by}:${text}`;
}

function markIn(token: string): Mark | undefined {
  const [, by, text = ""] = /^(sync|tag):(.*)$/s.exec(token) ?? [];
  return by === "sync" || by === "tag" ? { by, text } : undefined;
}

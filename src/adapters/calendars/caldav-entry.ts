import type { EntryLocation, iCalendar, RemoteEntry } from "../../features/calendars/index.ts";

export type ICalendar = Awaited<ReturnType<typeof iCalendar>>;

/** One way to write a path: servers escape other characters than we do. */
export function pathOf(href: string, base: string): string {
  const { pathname } = new URL(href, base);
  try {
    return pathname
      .split("/")
      .map((part) => encodeURIComponent(decodeURIComponent(part)))
      .join("/");
  } catch {
    return pathname; // a stray percent sign
  }
}

/** Where we put an entry. */
export function ownPath(collection: string, id: string): string {
  return pathOf(`${id}.ics`, collection);
}

/** The id in the name of a file of ours, or of one that is named alike. */
function idIn(path: string): string | null {
  return /\/([0-9a-v]{5,64})\.ics$/.exec(path)?.[1] ?? null;
}

export function deletedEntry(path: string, id = idIn(path)): RemoteEntry {
  return { id, location: { remoteId: path, etag: "" }, content: null };
}

interface EntryFile extends Pick<EntryLocation, "etag"> {
  readonly path: string;
  readonly text: string;
}

/** Undefined: a file of somebody else's that has no event, such as a task. */
export function entryIn(
  { path, etag, text }: EntryFile,
  { readEvent }: ICalendar,
  now: number,
): RemoteEntry | undefined {
  const location = { remoteId: path, etag };
  const event = readEvent(text, { zone: "UTC", now });
  if (event !== undefined) {
    const { id, content, busy } = event;
    return busy.length === 0 ? { id, location, content } : { id, location, content, busy };
  }
  const id = idIn(path);
  const problem = "it is no event any more: delete it in the calendar, and it is written again";
  return id === null ? undefined : { id, location, content: null, problem };
}

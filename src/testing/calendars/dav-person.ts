import ICAL from "ical.js";
import {
  createCalendarObject,
  type DAVCalendarObject,
  deleteCalendarObject,
  fetchCalendarObjects,
  makeCalendar,
  updateCalendarObject,
} from "tsdav";
import type { EntryContent } from "../../features/calendars/content.ts";
import { readEvent } from "../../features/calendars/icalendar/read.ts";
import { eventFile } from "../../features/calendars/icalendar/write.ts";
import type { DavServer } from "./dav-server.ts";
import type { ServiceRig } from "./service-rig.ts";

type Person = Pick<ServiceRig, "list" | "add" | "addFree" | "change" | "remove"> &
  Required<Pick<ServiceRig, "destroy">>;

/** Makes a calendar, and uses it as another program does: without the adapter. */
export async function davPerson(
  { username, password }: DavServer,
  url: string,
  now: () => number,
): Promise<Person> {
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  const headers = { authorization: `Basic ${login}` };
  const calendar = { url };
  await makeCalendar({ url, props: { displayname: "Mine" }, headers });
  const objects = (): Promise<DAVCalendarObject[]> =>
    fetchCalendarObjects({ calendar, headers, urlFilter: () => true });
  const objectAt = async (remoteId: string): Promise<DAVCalendarObject> => {
    const found = (await objects()).find((each) => pathOf(each) === remoteId);
    if (found === undefined) throw new Error(`There is no ${remoteId}.`);
    return found;
  };
  const add = async (content: EntryContent, transp: string): Promise<string> => {
    const name = `${crypto.randomUUID().toUpperCase()}.ics`;
    const iCalString = foreignFile(content, name, transp);
    check(await createCalendarObject({ calendar, headers, filename: name, iCalString }));
    return new URL(name, url).pathname;
  };
  return {
    async list() {
      return (await objects()).map((each) => {
        const event = readEvent(String(each.data), { zone: "UTC", now: now() });
        if (event === undefined) throw new Error(`${each.url} has no event.`);
        const location = { remoteId: pathOf(each), etag: each.etag ?? "" };
        return { id: event.id, location, content: event.content };
      });
    },
    add: (content) => add(content, "OPAQUE"),
    addFree: (content) => add(content, "TRANSPARENT"),
    async change(remoteId, change) {
      const { etag = "", ...object } = await objectAt(remoteId);
      const calendarObject = { ...object, etag, data: edited(String(object.data), change) };
      check(await updateCalendarObject({ calendarObject, headers }));
    },
    async remove(remoteId) {
      const calendarObject = await objectAt(remoteId);
      check(await deleteCalendarObject({ calendarObject, headers }));
    },
    async destroy() {
      check(await deleteCalendarObject({ calendarObject: { url }, headers }));
    },
  };
}

function pathOf({ url }: Pick<DAVCalendarObject, "url">): string {
  return new URL(url).pathname;
}

function check({ ok, status, url }: Response): void {
  if (!ok) throw new Error(`${url} answered ${status}.`);
}

/** An event as a program writes it that knows nothing of us. */
function foreignFile(content: EntryContent, name: string, transp: string): string {
  const text = eventFile({ id: "foreign", content, revision: 0, changedAt: content.at });
  return text
    .replaceAll("\r\n ", "")
    .replaceAll(/X-DAYBOOK.*\r\n/g, "")
    .replace("UID:foreign@daybook", `UID:${name}`)
    .replace("TRANSP:TRANSPARENT", `TRANSP:${transp}`);
}

/** The same event with another title or time, and all else kept, as a good program does it. */
function edited(text: string, { title, at }: { title?: string; at?: number }): string {
  const file = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const component = file.getFirstSubcomponent("vevent");
  if (component === null) throw new Error("There is no event.");
  const event = new ICAL.Event(component);
  if (title !== undefined) event.summary = title;
  if (at !== undefined) {
    const duration = event.endDate.subtractDateTz(event.startDate);
    const start = ICAL.Time.fromDateTimeString(new Date(at).toISOString().slice(0, 19) + "Z");
    event.startDate = start;
    const end = start.clone();
    end.addDuration(duration);
    event.endDate = end;
  }
  event.sequence += 1;
  return file.toString();
}

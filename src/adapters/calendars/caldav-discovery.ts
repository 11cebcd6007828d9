import { DaybookError, hasCode } from "../../platform/errors.ts";
import { quote } from "../../platform/text.ts";
import { mayFollow } from "./caldav-client.ts";
import {
  allIn,
  type DavReports,
  type DavResource,
  type Multistatus,
  textIn,
} from "./caldav-xml.ts";

/** A calendar that a server has for a user. */
interface Found {
  /** With a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly isWritable: boolean;
}

interface DiscoveryOptions {
  readonly dav: DavReports;
  /** As a person gave it: of a server, an account or a calendar. */
  readonly url: string;
  /** The calendar's name, path or URL; empty: the only one. */
  readonly wanted: string;
  readonly signal: AbortSignal;
}

/** The URL of the calendar that a person means (RFC 6764, RFC 4791 §6.2). */
export async function findCalendar(options: DiscoveryOptions): Promise<string> {
  const { wanted, url } = options;
  const start = await startAt(options);
  const own = calendarsIn(start);
  const isOne = own.some((each) => each.url === start.url);
  const all = isOne && wanted === "" ? own : await calendarsOf(start, options);
  const named = wanted === "" ? all : all.filter((each) => isNamed(each, wanted, url));
  const usable = named.filter(({ isWritable }) => isWritable);
  const [first, ...others] = usable;
  if (first !== undefined && others.length === 0) return first.url;
  if (first !== undefined) throw severalCalendars(usable);
  throw named.length > 0 ? readOnly(named) : noCalendar(options, all);
}

const props = [
  "d:resourcetype",
  "d:displayname",
  "d:current-user-principal",
  "d:current-user-privilege-set",
  "c:calendar-home-set",
  "c:supported-calendar-component-set",
];

/** Statuses of a place that knows nothing of calendars. */
const elsewhere = [301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 501];

/** The first place that knows the user: the URL itself, the well-known one, or the root of the server. */
async function startAt({ dav, url, signal }: DiscoveryOptions): Promise<Multistatus> {
  const places = [url, "/.well-known/caldav", "/"].map((path) => new URL(path, url).href);
  let failure: DaybookError | undefined;
  for (const place of new Set(places)) {
    try {
      const found = await dav.propfind({
        url: place,
        depth: "0",
        props,
        expects: elsewhere,
        signal,
      });
      if (found !== undefined && isUseful(found)) return found;
    } catch (error) {
      // A page of the same server may want another login, or be no list.
      if (!hasCode(error, "refused", "unavailable") || signal.aborted) throw error;
      failure ??= error;
    }
  }
  throw failure ?? noServer(url);
}

function isUseful({ resources: [first] }: Multistatus): boolean {
  if (first === undefined) return false;
  const { currentUserPrincipal, calendarHomeSet } = first.props;
  return (
    [currentUserPrincipal, calendarHomeSet].some((each) => hrefsIn(each).length > 0) ||
    isCalendar(first)
  );
}

/** The calendars of the user that the place knows. */
async function calendarsOf(
  start: Multistatus,
  { dav, signal }: DiscoveryOptions,
): Promise<readonly Found[]> {
  const list = (url: string, depth: "0" | "1") =>
    dav.propfind({ url, depth, props, expects: elsewhere, signal });
  let homes = placesIn(start, "calendarHomeSet");
  const [principal] = placesIn(start, "currentUserPrincipal");
  if (homes.length === 0 && principal !== undefined) {
    const user = await list(principal, "0");
    homes = user === undefined ? [] : placesIn(user, "calendarHomeSet");
  }
  const found: Found[] = [];
  for (const home of homes) {
    const content = await list(home, "1");
    if (content !== undefined) found.push(...calendarsIn(content));
  }
  return [...new Map(found.map((each) => [each.url, each])).values()];
}

/** The URLs in a property of the first resource, as far as the login may be sent there. */
function placesIn({ resources: [first], url }: Multistatus, name: string): readonly string[] {
  const places = hrefsIn(first?.props[name]).map((href) => new URL(href, url));
  return places.filter((place) => mayFollow(new URL(url), place)).map(({ href }) => href);
}

function hrefsIn(property: unknown): readonly string[] {
  const { href } = (property ?? {}) as { href?: unknown };
  return allIn(href).flatMap((each) => textIn(each) ?? []);
}

function calendarsIn({ resources, url }: Multistatus): readonly Found[] {
  return resources.filter(isCalendar).map(({ href, props: { displayname, ...rest } }) => {
    const found = new URL(href.endsWith("/") ? href : `${href}/`, url);
    const path = decodeURIComponent(found.pathname.split("/").at(-2) ?? "");
    return {
      url: found.href,
      name: textIn(displayname)?.trim() || path,
      isWritable: isWritable(rest["currentUserPrivilegeSet"]),
    };
  });
}

/** A collection that takes events. */
function isCalendar({
  props: { resourcetype, supportedCalendarComponentSet: set },
}: DavResource): boolean {
  if (typeof resourcetype !== "object" || !("calendar" in (resourcetype ?? {}))) return false;
  const { comp } = (set ?? {}) as { comp?: unknown };
  const names = allIn(comp).flatMap((each) => {
    const { _attributes: { name } = {} } = each as { _attributes?: { name?: unknown } };
    return typeof name === "string" ? [name.toUpperCase()] : [];
  });
  return names.length === 0 || names.includes("VEVENT");
}

/** A server that does not say is asked by the first write. */
function isWritable(set: unknown): boolean {
  const { privilege } = (set ?? {}) as { privilege?: unknown };
  const names = allIn(privilege).flatMap((each) => Object.keys(each ?? {}));
  return (
    names.length === 0 ||
    ["all", "write", "writeContent", "bind"].some((name) => names.includes(name))
  );
}

function isNamed({ url, name }: Found, wanted: string, base: string): boolean {
  if (name === wanted || decodeURIComponent(url).endsWith(`/${wanted}/`)) return true;
  const place = URL.parse(wanted.endsWith("/") ? wanted : `${wanted}/`, base);
  return place?.href === url;
}

function severalCalendars(found: readonly Found[]): DaybookError {
  const sentence = `This account has several calendars: ${namesOf(found)}. Name one of them with --calendar-id.`;
  return new DaybookError("invalid", sentence, {
    details: { calendars: found.map(({ name }) => name) },
  });
}

function readOnly(found: readonly Found[]): DaybookError {
  const sentence = `You may not write to ${namesOf(found)}: choose a calendar of your own, or ask for the right to write.`;
  return new DaybookError("refused", sentence);
}

function noCalendar({ wanted, url }: DiscoveryOptions, all: readonly Found[]): DaybookError {
  if (all.length === 0) {
    const sentence = `The account at ${url} has no calendar for events: make one there, and connect it again.`;
    return new DaybookError("not_found", sentence);
  }
  const sentence = `The account at ${url} has no calendar ${quote(wanted)}. It has ${namesOf(all)}.`;
  return new DaybookError("not_found", sentence);
}

function noServer(url: string): DaybookError {
  const sentence = `There is no CalDAV server at ${url}: give the address that your calendar service names for CalDAV.`;
  return new DaybookError("not_found", sentence);
}

function namesOf(found: readonly Found[]): string {
  return found.map(({ name }) => quote(name)).join(", ");
}

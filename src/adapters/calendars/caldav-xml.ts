import type { davRequest } from "tsdav";
import { loadPackage } from "../../platform/optional-package.ts";
import type { DavClient } from "./caldav-client.ts";
import { type DavAnswer, davFailure, unreadable } from "./caldav-failure.ts";

/** One resource in an answer about several. */
export interface DavResource {
  /** As the server writes it. */
  readonly href: string;
  readonly status: number;
  readonly props: Readonly<Record<string, unknown>>;
}

export interface Multistatus {
  readonly resources: readonly DavResource[];
  readonly syncToken: string | undefined;
  /** Where it was found, after redirects. */
  readonly url: string;
}

/** The questions of WebDAV, in XML. */
export interface DavReports {
  /** Undefined: one of the expected statuses. */
  propfind(ask: PropfindAsk): Promise<Multistatus | undefined>;
  report(ask: ReportAsk): Promise<Multistatus | undefined>;
}

interface Ask {
  readonly url: string;
  /** Statuses that are answers without a list. */
  readonly expects?: readonly number[];
  readonly signal: AbortSignal;
}

interface PropfindAsk extends Ask {
  readonly depth: "0" | "1";
  /** With the prefixes d, c and cs. */
  readonly props: readonly string[];
}

interface ReportAsk extends Ask {
  readonly depth?: "0" | "1";
  /** The name and the content of the report, as objects. */
  readonly body: Readonly<Record<string, object>>;
}

const namespaces = {
  "xmlns:d": "DAV:",
  "xmlns:c": "urn:ietf:params:xml:ns:caldav",
  "xmlns:cs": "http://calendarserver.org/ns/",
};

/** The end of a list. The parser takes one that was cut off for a shorter one. */
const isWhole = /(?:<\/(?:[\w.-]+:)?multistatus\s*>|<(?:[\w.-]+:)?multistatus\b[^>]*\/>)\s*$/;

interface Tsdav {
  readonly davRequest: typeof davRequest;
}
type TsdavFetch = NonNullable<Parameters<typeof davRequest>[0]["fetch"]>;

export function loadTsdav(): Promise<Tsdav> {
  return loadPackage("CalDAV calendars need", "tsdav", () => import("tsdav"));
}

export function davReports(client: DavClient, load: () => Promise<Tsdav>): DavReports {
  const ask = async (
    method: "PROPFIND" | "REPORT",
    { url, depth, expects = [], signal }: Ask & { readonly depth?: "0" | "1" },
    body: object,
  ): Promise<Multistatus | undefined> => {
    const tsdav = await load();
    let answer: DavAnswer | undefined;
    const send = async (_: unknown, init: { body?: unknown }) => {
      const headers = { "content-type": 'text/xml; charset="utf-8"', ...(depth && { depth }) };
      const text = String(init.body);
      answer = await client.send({ method, url, headers, body: text, expects, signal });
      return responseOf(answer);
    };
    const found = await tsdav.davRequest({
      url,
      init: { method, headers: {}, namespace: "d", body },
      fetch: send as unknown as TsdavFetch, // it reads no more of a response than what this has
    });
    if (answer === undefined) throw new Error("tsdav sent no request.");
    if (expects.includes(answer.status)) return undefined;
    if (!isWhole.test(answer.text)) throw unreadable("answer");
    return { ...listIn(found), url: answer.url };
  };
  return {
    async propfind({ props, ...rest }) {
      const prop = Object.fromEntries(props.map((name) => [name, {}]));
      const body = { propfind: { _attributes: namespaces, prop } };
      const list = await ask("PROPFIND", rest, body);
      const status = failureIn(list);
      if (status === undefined) return list;
      if (rest.expects?.includes(status) === true) return undefined;
      throw davFailure(
        { status, headers: {}, text: "", url: rest.url },
        { now: 0, isEntry: false },
      );
    },
    report: ({ body, ...rest }) => {
      const named = Object.entries(body).map(([name, content]) => [
        name,
        { _attributes: namespaces, ...content },
      ]);
      return ask("REPORT", rest, Object.fromEntries(named) as object);
    },
  };
}

/** Some servers say in a list of one that what was asked for does not exist. */
function failureIn(list: Multistatus | undefined): number | undefined {
  const [only, another] = list?.resources ?? [];
  return only !== undefined && another === undefined && only.status >= 400
    ? only.status
    : undefined;
}

function responseOf({ status, headers, text, url }: DavAnswer) {
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText: "",
    url,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    text: async () => text,
  };
}

type Found = Awaited<ReturnType<typeof davRequest>>;

/** A list that could not be read is an error, never an empty one. */
function listIn(found: Found): Omit<Multistatus, "url"> {
  const multistatus = (found[0]?.raw as { multistatus?: Record<string, unknown> } | undefined)
    ?.multistatus;
  if (multistatus === undefined) throw unreadable("answer");
  const token = textIn(multistatus["syncToken"]);
  const resources = found.flatMap(({ href, status, props = {} }) => {
    const text = textIn(href);
    return text === undefined ? [] : [{ href: text, status, props }];
  });
  return { resources, syncToken: token };
}

/** The text of an element; tsdav makes numbers and booleans of some. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return undefined;
  const { _cdata: cdata, _text: text } = value as { _cdata?: unknown; _text?: unknown };
  return textIn(cdata ?? text);
}

/** What stands in an element that may occur several times. */
export function allIn(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

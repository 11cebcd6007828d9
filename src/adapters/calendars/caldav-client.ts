import { DaybookError } from "../../platform/errors.ts";
import type { FetchRequest, SafeFetch } from "../../platform/fetch.ts";
import { type DavAnswer, davFailure } from "./caldav-failure.ts";

/** One login at a server. */
export interface DavClient {
  /** Sends a request; throws unless it succeeds or its status is one that the caller expects. */
  send(request: DavRequest): Promise<DavAnswer>;
}

interface DavRequest {
  readonly method: NonNullable<FetchRequest["method"]>;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Statuses besides those of success that are answers. */
  readonly expects?: readonly number[];
  /** What is wrong with this entry does not concern the others. */
  readonly isEntry?: boolean;
  readonly signal: AbortSignal;
}

export interface DavClientOptions {
  readonly fetch: SafeFetch;
  readonly clock: { wall(): number };
  readonly username: string;
  readonly password: string;
}

const redirectsMax = 5;

export function davClient(options: DavClientOptions): DavClient {
  const { clock, username, password } = options;
  const login = Buffer.from(`${username}:${password}`).toString("base64");
  return {
    async send(request) {
      const answer = await followed(request, options, { authorization: `Basic ${login}` });
      const { expects = [], isEntry = false } = request;
      const isSuccess = answer.status >= 200 && answer.status < 300;
      if (isSuccess || expects.includes(answer.status)) return answer;
      throw davFailure(answer, { now: clock.wall(), isEntry });
    },
  };
}

/** Only reading follows redirects: a write must go where it was meant to go. */
const reading: readonly string[] = ["GET", "PROPFIND"];

async function followed(
  { method, headers, body, signal, url: first }: DavRequest,
  { fetch }: DavClientOptions,
  login: Readonly<Record<string, string>>,
): Promise<DavAnswer> {
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const all = { "user-agent": "daybook", ...headers, ...login };
    const answer = await fetch({ url, method, headers: all, body, signal });
    const { status, headers: got } = answer;
    const text = new TextDecoder().decode(answer.body);
    const to = URL.parse(got["location"] ?? "", url);
    const isRedirect = status >= 300 && status < 400 && to !== null && reading.includes(method);
    if (!isRedirect || !mayFollow(new URL(url), to)) return { status, headers: got, text, url };
    if (redirects === redirectsMax) throw endless(first);
    url = to.href;
  }
}

/** The login goes only to the server that it is for: the same origin, or a host of the same site by https. */
export function mayFollow(from: URL, to: URL): boolean {
  if (to.origin === from.origin) return true;
  if (to.protocol !== "https:") return false;
  if (to.hostname === from.hostname) return true;
  return !isAddress(from.hostname) && isSameSite(from.hostname, to.hostname);
}

function isAddress(host: string): boolean {
  return /^[\d.]+$|^\[/.test(host);
}

/** caldav.icloud.com and p01-caldav.icloud.com; fastmail.com and caldav.fastmail.com. */
function isSameSite(from: string, to: string): boolean {
  const [, ...parent] = from.split(".");
  const site = parent.length >= 2 ? parent.join(".") : from;
  return to === site || to.endsWith(`.${site}`);
}

function endless(url: string): DaybookError {
  const sentence = `${url} redirects again and again: check the URL of the calendar.`;
  return new DaybookError("unavailable", sentence);
}

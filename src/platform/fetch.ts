import { lookup as resolveName } from "node:dns/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { clampMs, type Clock } from "./clock.ts";
import { DaybookError, messageOf } from "./errors.ts";
import { present } from "./json.ts";
import { permit, permitAddress, permitHeaders, type Permit } from "./permit.ts";

export interface SafeFetchOptions {
  clock: Clock;
  /** For the complete exchange, from the lookup of the name to the last byte of the answer. */
  timeoutMs: number;
  /** A longer answer is cut, which is an error unless `keepsFirst` is set. */
  bytesMax: number;
  /** Hosts (`name` or `name:port`, as a URL shows them) that may be private and speak plain http. */
  allowHosts?: readonly string[];
  /** The variable that lists them, for the error. Default: that of webhooks. */
  allowedIn?: string;
  /** Looks up the addresses of a name. Default: the system's lookup. */
  lookup?: Lookup;
}

export type Lookup = (name: string) => Promise<readonly string[]>;

export interface FetchRequest {
  url: string;
  /** Those of HTTP and, in the last line, of WebDAV. */
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS" | "PROPFIND" | "REPORT";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  keepsFirst?: boolean;
}

interface FetchAnswer {
  status: number;
  /** Keyed by lower-case name; repeated headers are joined with commas. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  isCut: boolean;
}

/**
 * Sends one request and follows no redirect: any status is an answer. Errors are `invalid` or
 * `refused` (nothing left this machine), `too_large` (`details.status` is the answer's), and
 * `unavailable`. `details.sent` says whether the request may have reached the peer: if so, a
 * deliverer cannot know whether it arrived.
 */
export type SafeFetch = (request: FetchRequest) => Promise<FetchAnswer>;

export function safeFetch(options: SafeFetchOptions): SafeFetch {
  return async (request) => {
    const permitted = permit(request.url, options.allowHosts, options.allowedIn);
    permitHeaders(request.headers);
    if (request.signal?.aborted) throw aborted(request, false);
    const lookup = checkedLookup(options.lookup ?? systemLookup, permitted);
    return await exchange(options, request, open(request, permitted, lookup));
  };
}

async function systemLookup(name: string): Promise<readonly string[]> {
  return (await resolveName(name, { all: true })).map((each) => each.address);
}

/**
 * The socket's own lookup: the addresses that are checked are the ones it dials, so a name that
 * answers differently the second time gains nothing. One private address refuses them all.
 */
function checkedLookup(lookup: Lookup, permitted: Permit): LookupFunction {
  const check = async (name: string): Promise<{ address: string; family: 4 | 6 }[]> => {
    const found = await lookup(name);
    for (const address of found) permitAddress(address, name, permitted);
    if (found.length === 0) throw new Error(`${name} has no address`);
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return (name, { all }, done) => {
    check(name).then(
      (found) => {
        if (all === true) done(null, found);
        else done(null, found[0]?.address ?? "", found[0]?.family);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error)), ""),
    );
  };
}

function open(request: FetchRequest, { url }: Permit, lookup: LookupFunction): ClientRequest {
  const { method = "GET", headers = {}, body } = request;
  // An import would evaluate every export, and some of node:http load all of undici: 70 ms and 10 MB.
  const { request: send } = process.getBuiltinModule(
    url.protocol === "https:" ? "node:https" : "node:http",
  );
  const length = body === undefined ? undefined : `${Buffer.byteLength(body)}`;
  const all = present({ ...headers, "content-length": length });
  try {
    // No agent: a socket is dialled, checked and closed with its request, so a reset of a kept one
    // never leaves a request in doubt, and no proxy is in between.
    return send(url, { method, headers: all, lookup, agent: false });
  } catch (cause) {
    throw fault("invalid", `The request cannot be written: ${messageOf(cause)}`, { cause });
  }
}

async function exchange(
  options: SafeFetchOptions,
  request: FetchRequest,
  outgoing: ClientRequest,
): Promise<FetchAnswer> {
  let sent = false;
  let stopped: DaybookError | undefined;
  outgoing.on("socket", (socket) => {
    const ready = outgoing.protocol === "https:" ? "secureConnect" : "connect";
    socket.once(ready, () => (sent = true));
  });
  const stop = (error: DaybookError): void => {
    stopped ??= error;
    outgoing.destroy();
  };
  const abort = (): void => stop(aborted(request, sent));
  const cancel = options.clock.after(clampMs(options.timeoutMs), () => {
    const message = `${outgoing.host} did not answer within ${options.timeoutMs} ms: try again.`;
    stop(fault("unavailable", message, { sent }));
  });
  request.signal?.addEventListener("abort", abort, { once: true });
  try {
    const answer = await answerTo(outgoing, request.body);
    return { ...headOf(answer), ...(await bodyOf(answer, options.bytesMax, request.keepsFirst)) };
  } catch (cause) {
    throw stopped ?? trouble(cause, outgoing.host, sent);
  } finally {
    cancel();
    request.signal?.removeEventListener("abort", abort);
    outgoing.destroy();
  }
}

function answerTo(outgoing: ClientRequest, body?: string | Uint8Array): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once("response", resolve);
    // The listener stays: a peer that answers early and resets must not cause an uncaught error.
    outgoing.on("error", reject);
    // Node drops a peer that switches protocols without an event.
    outgoing.once("close", () => reject(new Error("the peer closed without an answer")));
    outgoing.end(body);
  });
}

function headOf(answer: IncomingMessage): Pick<FetchAnswer, "status" | "headers"> {
  const entries = Object.entries(answer.headersDistinct);
  const headers = Object.fromEntries(entries.map(([name, all = []]) => [name, all.join(", ")]));
  return { status: answer.statusCode ?? 0, headers };
}

type Read = Pick<FetchAnswer, "body" | "isCut">;

async function bodyOf(answer: IncomingMessage, bytesMax: number, first = false): Promise<Read> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= bytesMax) continue;
    if (first) return { body: Buffer.concat(chunks, bytesMax), isCut: true };
    const message = `The answer is longer than ${bytesMax} bytes: ask for less.`;
    throw fault("too_large", message, { sent: true, status: answer.statusCode });
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

function trouble(cause: unknown, host: string, sent: boolean): DaybookError {
  if (cause instanceof DaybookError) return cause;
  const message = `No answer from ${host}: ${messageOf(cause)}. Check the host and the network.`;
  return fault("unavailable", message, { sent, cause });
}

function aborted({ signal }: FetchRequest, sent: boolean): DaybookError {
  return fault("unavailable", "The request was aborted by its caller.", {
    sent,
    cause: signal?.reason,
  });
}

function fault(
  code: DaybookError["code"],
  message: string,
  { cause, sent = false, status }: { sent?: boolean; status?: number | undefined; cause?: unknown },
): DaybookError {
  return new DaybookError(code, message, { cause, details: present({ sent, status }) });
}

/** `Retry-After`: seconds, or an HTTP date. Undefined when it cannot be read. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = httpTime(header);
  return at === undefined ? undefined : Math.max(at - now, 0);
}

/** An HTTP date in epoch milliseconds. Undefined when it cannot be read. */
export function httpTime(header = ""): number | undefined {
  const at = /^[A-Z][a-z]+, .* GMT$/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

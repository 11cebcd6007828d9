import type { Answer } from "../../kernel/ask.ts";
import type { Operation, Reader } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import { errorIn, routeRequest } from "../../platform/route-request.ts";
import { quote } from "../../platform/text.ts";
import { isZone } from "../../time/zone.ts";
import type { Reached } from "./command.ts";

export interface RemoteOptions {
  readonly daemon: Reached;
  /** Must allow the daemon's own host. */
  readonly fetch: SafeFetch;
  /** How the answer is read where the daemon does not say how. */
  reader(): Reader;
}

type Input = Readonly<Record<string, unknown>>;
/** Nothing when nobody is there, so that whoever asked may open the book. */
export type RemoteAsk = (operation: Operation, input: Input) => Promise<Answer | undefined>;

/** Asks a daemon over HTTP: the same answer and the same sentences as from the book itself. */
export function remoteAsk({ daemon, fetch, reader }: RemoteOptions): RemoteAsk {
  return async (operation, input) => {
    const { method } = operation.route;
    const { url, body } = requestFor(operation, input, daemon.url);
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${daemon.token}`,
      ...(daemon.session && { "daybook-session": encodeURIComponent(daemon.session) }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    let answer;
    try {
      answer = await fetch({ url, method, headers, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      if (isNobodyThere(error)) return undefined;
      throw lost(error, operation, daemon);
    }
    const read = parsed(answer.body, daemon);
    if (answer.status === 401) throw notKnown(daemon);
    if (answer.status < 200 || answer.status > 299) throw errorIn(read) ?? noReason(daemon);
    return { output: read, reader: readerFrom(answer.headers, reader()) };
  };
}

export function requestFor(
  { route, aliases = {} }: Operation,
  input: Input,
  base: string,
): { url: string; body?: string } {
  const { path, ...rest } = routeRequest(route, input, aliases);
  return { url: new URL(path, base).href, ...rest };
}

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof DaybookError) || error.details["sent"] !== false) return false;
  const { cause } = error;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** What was sent may have been done, although the answer did not come. */
function lost(error: unknown, operation: Operation, { url }: Reached): unknown {
  if (!(error instanceof DaybookError) || error.details["sent"] !== true) return error;
  if (operation.effect === "none" || error.code === "too_large") return error;
  const sentence = `The daemon at ${url} did not answer, and what became of it is not known: look, or ask again with a key.`;
  return new DaybookError("unknown", sentence, { cause: error });
}

function parsed(body: Uint8Array, { url }: Reached): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentence = `What answers at ${url} is not Daybook: stop that program, or start the daemon on another port. It said: ${quote(text)}`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

function noReason({ url }: Reached): DaybookError {
  const sentence = `What answers at ${url} is not Daybook: it said no reason.`;
  return new DaybookError("unavailable", sentence);
}

function notKnown({ url, tokenFile }: Reached): DaybookError {
  const sentence = `The daemon at ${url} does not know the token in ${tokenFile}: delete that file and start the daemon again, or put a valid token into it.`;
  return new DaybookError("refused", sentence, { details: { tokenFile } });
}

/** As the owner of the book reads. */
function readerFrom(headers: Readonly<Record<string, string>>, otherwise: Reader): Reader {
  const language = headers["daybook-language"];
  const zone = headers["daybook-zone"];
  return {
    ...otherwise,
    ...(language === "en" || language === "ko" ? { language } : {}),
    ...(zone !== undefined && isZone(zone) ? { zone } : {}),
  };
}

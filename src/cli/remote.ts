import { DaybookError, type ErrorCode } from "../base/errors.ts";
import type { SafeFetch } from "../base/fetch.ts";
import type { Answer } from "../operations/ask.ts";
import type { Operation, Reader } from "../operations/operation.ts";
import { quote } from "../rules/text.ts";
import { isZone } from "../rules/times.ts";
import { exitOf, type Daemon } from "./command.ts";

export interface RemoteOptions {
  readonly daemon: Daemon;
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
    if (answer.status < 200 || answer.status > 299) throw fromProblem(read, daemon);
    return { output: read, reader: readerFrom(answer.headers, reader()) };
  };
}

/** Where its inputs go: into the path, then into the query or a JSON body. */
export function requestFor(
  { route, aliases = {} }: Operation,
  input: Input,
  base: string,
): { url: string; body?: string } {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const named = (name: string): string =>
    [name, ...Object.keys(aliases)].find(
      (each) => rest.has(each) && (each === name || aliases[each] === name),
    ) ?? name;
  const path = route.path.replaceAll(/\{(\w+)\}|:(\w+)/g, (_, braced?: string, plain?: string) => {
    const name = named(braced ?? plain ?? "");
    const text = textOf(rest.get(name));
    rest.delete(name);
    return segment(name, text);
  });
  const url = new URL(path, base);
  if (route.method !== "GET" && route.method !== "DELETE") {
    return { url: url.href, body: JSON.stringify(Object.fromEntries(rest)) };
  }
  for (const [name, value] of rest) {
    for (const each of Array.isArray(value) ? value : [value]) {
      url.searchParams.append(name, textOf(each));
    }
  }
  return { url: url.href };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** A path drops what is empty or made of dots, so it would be another question. */
function segment(name: string, text: string): string {
  if (!/^\.{0,2}$/.test(text)) return encodeURIComponent(text.toWellFormed());
  throw new DaybookError("not_found", `There is nothing with the ${name} ${quote(text)}.`);
}

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof DaybookError) || error.details["sent"] !== false) return false;
  const { cause } = error;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** What was sent may have been done, although the answer did not come. */
function lost(error: unknown, operation: Operation, { url }: Daemon): unknown {
  if (!(error instanceof DaybookError) || error.details["sent"] !== true) return error;
  if (operation.effect === "none" || error.code === "too_large") return error;
  const sentence = `The daemon at ${url} did not answer, and what became of it is not known: look, or ask again with a key.`;
  return new DaybookError("unknown", sentence, { cause: error });
}

function parsed(body: Uint8Array, { url }: Daemon): unknown {
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentence = `What answers at ${url} is not Daybook: stop that program, or start the daemon on another port. It said: ${quote(text)}`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

function notKnown({ url, tokenFile }: Daemon): DaybookError {
  const sentence = `The daemon at ${url} does not know the token in ${tokenFile}: delete that file and start the daemon again, or put a valid token into it.`;
  return new DaybookError("refused", sentence, { details: { tokenFile } });
}

/** The error that the operation threw over there. */
function fromProblem(problem: unknown, { url }: Daemon): DaybookError {
  const facts = isObject(problem) ? problem : {};
  const { code, detail, problems } = facts;
  if (typeof detail !== "string") {
    return new DaybookError(
      "unavailable",
      `What answers at ${url} is not Daybook: it said no reason.`,
    );
  }
  const details = isObject(facts["details"]) ? facts["details"] : {};
  return new DaybookError(isCode(code) ? code : "unavailable", detail, {
    details: { ...details, ...(problems === undefined ? {} : { problems }) },
  });
}

function isCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(exitOf, code);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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

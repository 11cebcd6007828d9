import { DaybookError } from "../../platform/errors.ts";
import type { SafeFetch } from "../../platform/fetch.ts";
import type { Language } from "../../platform/language.ts";
import { errorIn, routeRequest } from "../../platform/route-request.ts";
import type { Terminal } from "../../platform/table.ts";
import { quote } from "../../platform/text.ts";
import type { Answer, AnswerFormat, GivenInput, OperationEntry, LocalDaemon } from "./command.ts";

export interface RemoteOptions {
  /** The language that this terminal asks for; absent: the owner's. */
  readonly language?: Language | undefined;
  readonly daemon: LocalDaemon;
  /** Must allow the daemon's own host. */
  readonly fetch: SafeFetch;
  /** Checks an input by the operation's schema, and throws what is wrong with it. */
  check(operation: OperationEntry, input: GivenInput): Promise<unknown>;
}

type Received = Awaited<ReturnType<SafeFetch>>;

/** Undefined when no daemon answers at that address, so that the caller may open the book itself. */
export type RemoteAsk = (
  operation: OperationEntry,
  input: GivenInput,
  format: AnswerFormat,
) => Promise<Answer | undefined>;

/** Asks a daemon over HTTP: the same answer and the same sentences as from the book itself. */
export function remoteAsk({ daemon, fetch, check, language }: RemoteOptions): RemoteAsk {
  return async (operation, input, format) => {
    const { method } = operation.route;
    if (!reachesCheck(operation, input)) await check(operation, input);
    const { url, body } = requestFor(operation, input, daemon.url);
    const headers = {
      accept: "application/json",
      authorization: `Bearer ${daemon.token}`,
      "daybook-typed": "true",
      ...(format !== "json" && {
        "daybook-format": "text",
        "daybook-terminal": terminalHeader(format),
        ...(language !== undefined && { "accept-language": language }),
      }),
      ...(daemon.session && { "daybook-session": encodeURIComponent(daemon.session) }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    let answer;
    try {
      answer = await fetch({ url, method, headers, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      if (isRefusedConnection(error)) return undefined;
      throw lostAnswer(error, operation, daemon);
    }
    return answerIn(answer, daemon);
  };
}

/** `columns=80; color`: what the daemon renders the answer for. */
function terminalHeader({ columns, color }: Terminal): string {
  return `columns=${columns ?? "all"}${color ? "; color" : ""}`;
}

/** The text that the daemon rendered; or JSON, from a daemon that does not render or when it was requested. */
function answerIn({ status, headers, body }: Received, daemon: LocalDaemon): Answer {
  const text = new TextDecoder().decode(body);
  const isOk = status >= 200 && status <= 299;
  if (isOk && headers["daybook-format"] === "text") return { text };
  const output = parsed(text, daemon);
  if (status === 401) throw unknownToken(daemon);
  if (!isOk) throw errorIn(output) ?? noReason(daemon);
  return { text: JSON.stringify(output), output };
}

const urlCharsMax = 8_000;
const bodyBytesMax = 256 * 1024;

/** Whether the daemon gets far enough to check the input: a path must be whole, and nothing too long. */
function reachesCheck({ route, aliases = {} }: OperationEntry, input: GivenInput): boolean {
  try {
    const { path, body = "" } = routeRequest(route, input, aliases);
    const limit = route.bodyBytesMax ?? bodyBytesMax;
    return path.length <= urlCharsMax && Buffer.byteLength(body) <= limit;
  } catch {
    return false;
  }
}

export function requestFor(
  { route, aliases = {} }: OperationEntry,
  input: GivenInput,
  base: string,
): { url: string; body?: string } {
  const { path, ...rest } = routeRequest(route, input, aliases);
  return { url: new URL(path, base).href, ...rest };
}

function isRefusedConnection(error: unknown): boolean {
  if (!(error instanceof DaybookError) || error.details["sent"] !== false) return false;
  const { cause } = error;
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

/** The operation may have been done although the answer was lost. */
function lostAnswer(error: unknown, operation: OperationEntry, { url }: LocalDaemon): unknown {
  if (!(error instanceof DaybookError) || error.details["sent"] !== true) return error;
  if (operation.effect === "none" || error.code === "too_large") return error;
  const sentence = `The daemon at ${url} did not answer, so the result is unknown: check the record, or repeat the request with a key.`;
  return new DaybookError("unknown", sentence, { cause: error });
}

function parsed(text: string, { url }: LocalDaemon): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentence = `The program at ${url} is not Daybook: stop it, or start the daemon on another port. It answered: ${quote(text)}`;
    throw new DaybookError("unavailable", sentence, { cause });
  }
}

function noReason({ url }: LocalDaemon): DaybookError {
  const sentence = `The program at ${url} refused the request without a reason: check that it is Daybook.`;
  return new DaybookError("unavailable", sentence);
}

function unknownToken({ url, tokenFile }: LocalDaemon): DaybookError {
  const sentence = `The daemon at ${url} does not know the token in ${tokenFile}: delete that file and start the daemon again, or put a valid token into it.`;
  return new DaybookError("refused", sentence, { details: { tokenFile } });
}

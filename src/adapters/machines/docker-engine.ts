import {
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { clampMs } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import {
  type EngineRequest,
  type EngineAnswer,
  type Engine,
  type EngineOptions,
  stoppedIn,
  noAnswer,
} from "./docker-api.ts";

export function engine(options: EngineOptions): Engine {
  return {
    send: (request) =>
      exchange(options, request, async (outgoing) => answerOf(await responseTo(outgoing, request))),
    async stream(request) {
      const watch = watched(options, request);
      try {
        const outgoing = await opened(options, request, watch);
        const response = await responseTo(outgoing, request);
        if (response.statusCode === 200) return { pieces: piecesOf(response, watch) };
        const answer = await answerOf(response);
        watch.end();
        return answer;
      } catch (error) {
        throw watch.end(error);
      }
    },
    attach: (request) =>
      exchange(options, request, async (outgoing) => {
        const upgraded = upgradeOf(outgoing);
        const response = responseTo(outgoing, request);
        response.catch(() => undefined);
        const first = await Promise.race([upgraded, response]);
        return "socket" in first && "head" in first ? first : await answerOf(first);
      }),
  };
}

async function exchange<T>(
  options: EngineOptions,
  request: EngineRequest,
  take: (outgoing: ClientRequest) => Promise<T>,
): Promise<T> {
  const watch = watched(options, request);
  try {
    const answer = await take(await opened(options, request, watch));
    watch.end();
    return answer;
  } catch (error) {
    throw watch.end(error);
  }
}

async function opened(
  { host, prefix }: EngineOptions,
  request: EngineRequest,
  watch: Watch,
): Promise<ClientRequest> {
  if (request.signal.aborted) throw stoppedIn(request.signal, request.path);
  const query = new URLSearchParams(request.query).toString();
  const path = `${await prefix(request.signal)}${request.path}${query === "" ? "" : `?${query}`}`;
  const headers = headersOf(request);
  // No agent: a new connection for each request, so no dead one is reused.
  const how: RequestOptions = { ...host, method: request.method, path, headers, agent: false };
  const outgoing = requestHttp(how);
  watch.attach(outgoing);
  return outgoing;
}

function headersOf({ body, path }: EngineRequest): Record<string, string> {
  const type = isPieces(body) ? "application/x-tar" : "application/json";
  const content = body === undefined ? {} : { "content-type": type };
  const isAttached = /^\/exec\/[^/]+\/start$/u.test(path);
  return {
    host: "docker",
    ...content,
    ...(isAttached && { connection: "Upgrade", upgrade: "tcp" }),
  };
}

function isPieces(body: EngineRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

/** Sends the body, and answers with the response, which may come before the body's end. */
function responseTo(outgoing: ClientRequest, { body }: EngineRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let sourceError: unknown;
    outgoing.once("response", resolve);
    outgoing.on("error", (error) => reject(sourceError ?? error));
    outgoing.once("close", () =>
      reject(sourceError ?? new Error("it closed the connection without an answer")),
    );
    if (!isPieces(body)) return void outgoing.end(body === undefined ? "" : JSON.stringify(body));
    // An error of the source is the cause, not the aborted request that follows.
    const source = noted(body, (error) => (sourceError = error));
    pipeline(source, outgoing).catch((error: unknown) => reject(sourceError ?? error));
  });
}

async function* noted(
  pieces: AsyncIterable<Uint8Array>,
  note: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    note(error);
    throw error;
  }
}

function upgradeOf(outgoing: ClientRequest): Promise<{ socket: Socket; head: Uint8Array }> {
  return new Promise((resolve) => {
    outgoing.once("upgrade", (_, socket: Socket, head: Uint8Array) => resolve({ socket, head }));
  });
}

async function answerOf(response: IncomingMessage): Promise<EngineAnswer> {
  const pieces = await Array.fromAsync(response as AsyncIterable<Buffer>);
  const text = Buffer.concat(pieces).toString("utf8");
  const status = response.statusCode ?? 0;
  try {
    return { status, body: text === "" ? null : (JSON.parse(text) as unknown), isJson: true };
  } catch {
    return { status, body: { message: text.trim() }, isJson: false };
  }
}

async function* piecesOf(response: IncomingMessage, watch: Watch): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      watch.restart();
      yield piece;
    }
    if (!response.complete) throw new Error("its answer was truncated");
  } catch (error) {
    throw watch.end(error);
  } finally {
    watch.end();
    response.destroy();
  }
}

/** Ends one exchange with the engine on a timeout or an abort. */
interface Watch {
  /** The request to destroy. */
  attach(outgoing: ClientRequest): void;
  /** Restarts the timeout: a piece has arrived. */
  restart(): void;
  /** Ends the watch. Answers the true cause of a failure. */
  end(error?: unknown): unknown;
}

function watched({ clock, timeoutMs: usual }: EngineOptions, request: EngineRequest): Watch {
  const { signal, timeoutMs = usual, method, path } = request;
  let outgoing: ClientRequest | undefined;
  let fault: DaybookError | undefined;
  const stop = (error: DaybookError): void => {
    fault ??= error;
    outgoing?.destroy();
  };
  const late = (): void =>
    stop(noAnswer(`it did not answer ${method} ${path} within ${timeoutMs} ms`));
  const abort = (): void => stop(stoppedIn(signal, `${method} ${path}`));
  let cancel = clock.after(clampMs(timeoutMs), late);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return {
    attach(given) {
      outgoing = given;
      if (fault !== undefined) given.destroy();
    },
    restart() {
      cancel();
      cancel = clock.after(clampMs(timeoutMs), late);
    },
    end(error) {
      cancel();
      signal.removeEventListener("abort", abort);
      return fault ?? (error instanceof DaybookError ? error : noAnswer(error));
    },
  };
}

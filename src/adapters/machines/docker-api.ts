import type { Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";

export interface EngineRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  /** Without the version of the API; already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** For the complete exchange; of a stream, for its head and for each chunk. */
  readonly timeoutMs?: number;
}

export interface EngineAnswer {
  readonly status: number;
  /** JSON; of another answer, its text as `message`. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** A Docker Engine over its HTTP API. Any status is an answer; without one a call throws `unavailable`. */
export interface Engine {
  send(request: EngineRequest): Promise<EngineAnswer>;
  /** An answer in chunks. A reader that stops ends the exchange. */
  stream(request: EngineRequest): Promise<EngineAnswer | { pieces: AsyncIterable<Uint8Array> }>;
  /** A connection in both directions, which the caller then owns. */
  attach(request: EngineRequest): Promise<EngineAnswer | { socket: Socket; head: Uint8Array }>;
}

export interface EngineOptions {
  clock: Clock;
  host: EngineHost;
  /** Before each path, as `/v1.41`. */
  prefix: (signal: AbortSignal) => Promise<string>;
  timeoutMs: number;
}

const endpoint = "docker";

/** No answer, or not in time. */
export function noAnswer(cause: unknown): DaybookError {
  const reason = messageOf(cause);
  const toDo = "start it, or set DOCKER_HOST to its address and give this user access";
  return new DaybookError(
    "unavailable",
    `The Docker engine cannot be reached (${reason}): ${toDo}.`,
    {
      cause,
      details: { endpoint },
    },
  );
}

/** The effect is unknown: observe before a retry. */
export function stoppedIn(signal: AbortSignal, what: string): DaybookError {
  const reason = typeof signal.reason === "string" ? signal.reason : "told to stop";
  return new DaybookError(
    "unknown",
    `Docker was interrupted during ${what} (${reason}): inspect the workspace, then try again.`,
    {
      cause: signal.reason,
      details: { stopped: reason },
    },
  );
}

/** The engine's own message. */
export function messageIn({ status, body }: Pick<EngineAnswer, "status" | "body">): string {
  const { message } = (body ?? {}) as { message?: unknown };
  const text = typeof message === "string" ? message.trim() : "";
  return text === "" ? `status ${status}` : text.replace(/[.\s]+$/u, "");
}

/** The error for an unexpected status. */
export function unexpected(
  answer: Pick<EngineAnswer, "status" | "body">,
  what: string,
): DaybookError {
  const { status } = answer;
  const advice = /no space left/iu.test(messageIn(answer))
    ? "free space on the engine's disk"
    : "fix the cause, and Daybook tries again";
  // A wrong request stays wrong; trouble of the engine may pass.
  const code = status >= 400 && status < 500 ? "invalid" : "unknown";
  return new DaybookError(code, `Docker could not ${what} (${messageIn(answer)}): ${advice}.`, {
    details: { endpoint, status, stderr: messageIn(answer) },
  });
}

/** The body of an answer with one of these statuses. The engine's API defines its type. */
export function bodyOf(answer: EngineAnswer, what: string, ...wanted: readonly number[]): unknown {
  if (!wanted.includes(answer.status)) throw unexpected(answer, what);
  if (!answer.isJson)
    throw noAnswer(`the answer to the request to ${what} is not a Docker engine's`);
  return answer.body;
}

export function inUse(what: string, cause: string): DaybookError {
  const toDo = "remove its machine first, then try again";
  return new DaybookError("busy", `${what} is in use (${cause}): ${toDo}.`, {
    details: { endpoint },
  });
}

/** How an engine is reached: a socket on this machine, or an address. */
export type EngineHost =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export const defaultDockerHost = "unix:///var/run/docker.sock";

/** Reads DOCKER_HOST. */
export function engineHost(text: string): EngineHost {
  if (text.startsWith("unix://")) {
    const socketPath = text.slice("unix://".length);
    if (socketPath.startsWith("/")) return { socketPath };
  } else if (URL.canParse(text)) {
    const { protocol, hostname, port } = new URL(text);
    const isPlain = protocol === "tcp:" || protocol === "http:";
    if (isPlain && hostname !== "") return { host: hostname, port: Number(port || 2_375) };
  }
  const toDo = "write it as unix:///path/to/docker.sock or tcp://host:port";
  throw new DaybookError("invalid", `DOCKER_HOST ${JSON.stringify(text)} is not valid: ${toDo}.`);
}

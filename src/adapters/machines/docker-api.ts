import type { Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";
import type { EngineHost } from "./docker-host.ts";

export interface EngineRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  /** Without the version of the API; what is variable in it is encoded already. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** For the whole exchange; of a stream, for its head and then for each piece. */
  readonly timeoutMs?: number;
}

export interface EngineAnswer {
  readonly status: number;
  /** What it said; of an answer that is no JSON, its text as `message`. */
  readonly body: unknown;
  readonly isJson: boolean;
}

/** A Docker Engine, spoken to over its HTTP API. Any status is an answer; nobody there is `unavailable`. */
export interface Engine {
  ask(request: EngineRequest): Promise<EngineAnswer>;
  /** An answer that comes in pieces. Whoever stops taking them ends the exchange. */
  stream(request: EngineRequest): Promise<EngineAnswer | { pieces: AsyncIterable<Uint8Array> }>;
  /** A connection in both directions, which belongs to the caller from then on. */
  attach(request: EngineRequest): Promise<EngineAnswer | { socket: Socket; head: Uint8Array }>;
}

export interface EngineOptions {
  clock: Clock;
  host: EngineHost;
  /** Before each path, as `/v1.41`. */
  prefix: (signal: AbortSignal) => Promise<string>;
  timeoutMs: number;
}

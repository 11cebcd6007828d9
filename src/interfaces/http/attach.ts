import * as z from "zod";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, messageOf, toErrorData } from "../../platform/errors.ts";
import { parseJson } from "../../platform/http-body.ts";
import type { Log } from "../../platform/log.ts";

/** Delivers messages to the listeners that are attached now. */
export interface SessionPort {
  /** `session` is the name the listener gave; without one it receives what no other listener gets. */
  attach(caller: Caller, socket: SessionSocket, session?: string): Attached | Promise<Attached>;
  /** False while no listener is admitted; absent: always open. */
  isOpen?(): boolean;
}

/** The socket of one listener, as the port sees it. */
export interface SessionSocket {
  /** Resolves when the frame was handed to the network; only an `ack` confirms that it arrived. */
  send(frame: object): Promise<void>;
  readonly closed: Promise<void>;
}

export interface Attached {
  /** The lane that the listener receives: `inbox:…`, `session:…`. */
  readonly lane: string;
  /** How many messages wait for it; absent when not counted. */
  readonly waiting?: number;
  /** The listener has acknowledged a message. */
  acked(id: string): void;
  detach(): Promise<void>;
}

export interface SocketOptions {
  clock: Clock;
  log: Log;
  sessions: SessionPort;
  caller: Caller;
  session: string | undefined;
  /** Whether the token that opened the socket is still valid. */
  isAllowed(): Promise<boolean>;
}

/** What is used of a WebSocket: the package `ws` has no types of its own, and programs that use this one need none. */
export interface ServerSocket {
  readonly OPEN: number;
  readonly readyState: number;
  once(event: "close", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "message", listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: "pong", listener: () => void): unknown;
  send(text: string, sent: (error?: Error | null) => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

/** Resolves when the socket is closed and detached. */
export type ServeSocket = (socket: ServerSocket) => Promise<void>;

const pingMs = 20_000;
/** Together under five seconds, which is how long a revoked token may still listen. */
const tokenCheckMs = 3_500;
const tokenCheckTimeoutMs = 1_000;

const ack = z.strictObject({ type: z.literal("ack"), id: z.string().min(1).max(200) });

/** Serves one socket until it is closed and detached from the port. */
export async function serveSocket(socket: ServerSocket, options: SocketOptions): Promise<void> {
  const { sessions, caller, session, log } = options;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  socket.once("close", () => close());
  socket.on("error", (error) => log.debug("socket failed", { reason: messageOf(error) }));
  let attached: Attached | undefined;
  socket.on("message", (data, isBinary) => {
    readFrame(socket, isBinary ? undefined : data, (id) => attached?.acked(id));
  });
  const stops = [startPing(socket, options.clock), watchToken(socket, options)];
  try {
    const send = async (frame: object): Promise<void> => {
      await greeted.promise; // nothing is sent before the hello
      await sendFrame(socket, frame);
    };
    attached = await sessions.attach(caller, { send, closed }, session);
    const { lane, waiting = null } = attached;
    await sendFrame(socket, { type: "hello", session: lane, waiting });
  } catch (error) {
    if (socket.readyState === socket.OPEN) closeWith(socket, error, attached ? 1011 : 1008);
  }
  greeted.resolve();
  await closed;
  for (const stop of stops) stop();
  await attached?.detach();
}

/** The only frame of a listener is an acknowledgement. */
function readFrame(socket: ServerSocket, text: unknown, acked: (id: string) => void): void {
  if (socket.readyState !== socket.OPEN) return;
  try {
    if (!Buffer.isBuffer(text)) throw malformed("The frame is not JSON text: send JSON.", 1003);
    const frame = ack.safeParse(parseJson(text));
    if (!frame.success)
      throw malformed('Unknown frame: send { "type": "ack", "id": … }, and nothing else.', 1008);
    acked(frame.data.id);
  } catch (error) {
    const code = error instanceof DaybookError ? Number(error.details["close"] ?? 1007) : 1011;
    closeWith(socket, error, code);
  }
}

function malformed(message: string, close: number): DaybookError {
  return new DaybookError("invalid", message, { details: { close } });
}

function closeWith(socket: ServerSocket, error: unknown, close: number): void {
  const { code, message } = toErrorData(error);
  const detail = code === "bug" ? "Internal error. Attach again." : message;
  socket.send(JSON.stringify({ type: "problem", code, detail }), () => undefined);
  socket.close(close, code);
}

function sendFrame(socket: ServerSocket, frame: object): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(JSON.stringify(frame), (error) => {
      if (!error) return resolve();
      reject(new DaybookError("unavailable", "The listener has left.", { cause: error }));
    });
  });
}

/** Terminates a peer that answers no ping, even if its connection looks open. */
function startPing(socket: ServerSocket, clock: Clock): () => void {
  let isAlive = true;
  socket.on("pong", () => void (isAlive = true));
  let cancel = (): void => undefined;
  const next = (): void => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
    cancel = clock.after(pingMs, next);
  };
  cancel = clock.after(pingMs, next);
  return () => cancel();
}

function watchToken(socket: ServerSocket, { clock, isAllowed, log }: SocketOptions): () => void {
  const stop = new AbortController();
  let cancel = (): void => undefined;
  const limits = { clock, timeoutMs: tokenCheckTimeoutMs, graceMs: 0, signal: stop.signal };
  const check = async (): Promise<void> => {
    try {
      const outcome = await withDeadline(limits, isAllowed);
      if (stop.signal.aborted) return;
      if (!("done" in outcome)) socket.close(1013, "unavailable");
      else if (!outcome.done) socket.close(1008, "refused");
      else cancel = clock.after(tokenCheckMs, () => void check());
    } catch (error) {
      // A token that cannot be checked does not count as valid.
      log.warn("token not checked", { reason: messageOf(error) });
      socket.close(1013, "unavailable");
    }
  };
  cancel = clock.after(tokenCheckMs, () => void check());
  return () => {
    stop.abort();
    cancel();
  };
}

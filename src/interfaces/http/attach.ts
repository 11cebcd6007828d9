import type { WebSocket } from "ws";
import * as z from "zod";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { DaybookError, messageOf, toErrorData } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { parseJson } from "./body.ts";

/** What is said to those who are attached right now. */
export interface SessionPort {
  /** `session` is the name the listener gave; without one it hears what has no other place. */
  attach(caller: Caller, socket: SessionSocket, session?: string): Attached | Promise<Attached>;
  /** False: nobody is let in now; absent: always. */
  isOpen?(): boolean;
}

/** One listener, as the port sees it. */
export interface SessionSocket {
  /** Resolves when the frame was handed to the network: only an `ack` says that it arrived. */
  send(frame: object): Promise<void>;
  readonly closed: Promise<void>;
}

export interface Attached {
  /** What the listener hears: `inbox:…`, `session:…`. */
  readonly lane: string;
  /** How much waits for it; absent when nobody counted. */
  readonly waiting?: number;
  /** The listener has shown a message. */
  acked(id: string): void;
  detach(): Promise<void>;
}

export interface AttachOptions {
  clock: Clock;
  log: Log;
  sessions: SessionPort;
  caller: Caller;
  session: string | undefined;
  /** Whether the token that opened the socket is still good. */
  isAllowed(): Promise<boolean>;
}

/** Resolves when the socket is closed and let go of. */
export type ServeSocket = (socket: WebSocket) => Promise<void>;

const pingMs = 20_000;
/** Together under five seconds: so long may a revoked token still listen. */
const lookMs = 3_500;
const lookTimeoutMs = 1_000;

const ack = z.strictObject({ type: z.literal("ack"), id: z.string().min(1).max(200) });

/** Serves one socket until it closes and the port has let go of it. */
export async function serveSocket(socket: WebSocket, options: AttachOptions): Promise<void> {
  const { sessions, caller, session, log } = options;
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const greeted = Promise.withResolvers<void>();
  socket.once("close", () => close());
  socket.on("error", (error) => log.debug("socket failed", { reason: messageOf(error) }));
  let attached: Attached | undefined;
  socket.on("message", (data, isBinary) => {
    hear(socket, isBinary ? undefined : data, (id) => attached?.acked(id));
  });
  const stops = [beat(socket, options.clock), watchToken(socket, options)];
  try {
    const send = async (frame: object): Promise<void> => {
      await greeted.promise; // nothing is said before the greeting
      await say(socket, frame);
    };
    attached = await sessions.attach(caller, { send, closed }, session);
    const { lane, waiting = null } = attached;
    await say(socket, { type: "hello", session: lane, waiting });
  } catch (error) {
    if (socket.readyState === socket.OPEN) turnAway(socket, error, attached ? 1011 : 1008);
  }
  greeted.resolve();
  await closed;
  for (const stop of stops) stop();
  await attached?.detach();
}

/** What a listener may say is one thing: that it has shown a message. */
function hear(socket: WebSocket, text: unknown, acked: (id: string) => void): void {
  if (socket.readyState !== socket.OPEN) return;
  try {
    if (!Buffer.isBuffer(text)) throw malformed("Frames are JSON texts.", 1003);
    const frame = ack.safeParse(parseJson(text));
    if (!frame.success) throw malformed('Say { "type": "ack", "id": … } and nothing else.', 1008);
    acked(frame.data.id);
  } catch (error) {
    const code = error instanceof DaybookError ? Number(error.details["close"] ?? 1007) : 1011;
    turnAway(socket, error, code);
  }
}

function malformed(message: string, close: number): DaybookError {
  return new DaybookError("invalid", message, { details: { close } });
}

function turnAway(socket: WebSocket, error: unknown, close: number): void {
  const { code, message } = toErrorData(error);
  const detail = code === "bug" ? "Something is wrong on our side: attach again." : message;
  socket.send(JSON.stringify({ type: "problem", code, detail }), () => undefined);
  socket.close(close, code);
}

function say(socket: WebSocket, frame: object): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.send(JSON.stringify(frame), (error) => {
      if (!error) return resolve();
      reject(new DaybookError("unavailable", "The listener has left.", { cause: error }));
    });
  });
}

/** A peer that answers no ping is gone, whatever its connection says. */
function beat(socket: WebSocket, clock: Clock): () => void {
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

function watchToken(socket: WebSocket, { clock, isAllowed, log }: AttachOptions): () => void {
  const stop = new AbortController();
  let cancel = (): void => undefined;
  const limits = { clock, timeoutMs: lookTimeoutMs, graceMs: 0, signal: stop.signal };
  const look = async (): Promise<void> => {
    try {
      const looked = await withDeadline(limits, isAllowed);
      if (stop.signal.aborted) return;
      if (!("done" in looked)) socket.close(1013, "unavailable");
      else if (!looked.done) socket.close(1008, "refused");
      else cancel = clock.after(lookMs, () => void look());
    } catch (error) {
      // Whether the token still holds cannot be said, so it does not.
      log.warn("token not checked", { reason: messageOf(error) });
      socket.close(1013, "unavailable");
    }
  };
  cancel = clock.after(lookMs, () => void look());
  return () => {
    stop.abort();
    cancel();
  };
}

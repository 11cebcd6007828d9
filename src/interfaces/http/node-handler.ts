import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import type { WebSocket, WebSocketServer } from "ws";
import { messageOf } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ServeSocket } from "./attach.ts";
import type { HttpHandler } from "./handler.ts";

/** Properties that Express and similar servers set on a request. */
interface Prepared {
  /** The requested path, before the mount path was removed. */
  originalUrl?: string;
  /** The mount path. */
  baseUrl?: string;
  /** The body, when a parser has read it already. */
  body?: unknown;
  rawBody?: Buffer;
}

/** A request listener for `node:http` and Express. */
export function nodeHandler(
  handler: Pick<HttpHandler, "fetch">,
  stopping?: AbortSignal,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { baseUrl } = incoming as Prepared;
      return handler.fetch(request, {
        address: incoming.socket.remoteAddress,
        incoming: incoming as IncomingMessage, // HTTP/2 requests have the same properties
        basePath: baseUrl || undefined,
        stopping,
      });
    },
    // The embedding program keeps its own Request and Response.
    { overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => listener(whole(incoming), outgoing);
}

/** Restores the whole path, and the body that a parser may have read. */
function whole(incoming: IncomingMessage): IncomingMessage {
  const prepared = incoming as Prepared & { url?: string };
  if (prepared.originalUrl !== undefined) prepared.url = prepared.originalUrl;
  if (incoming.readableEnded && isData(prepared.body)) {
    prepared.rawBody ??= Buffer.from(JSON.stringify(prepared.body));
  }
  return incoming;
}

function isData(body: unknown): boolean {
  return typeof body === "object" && body !== null && !Buffer.isBuffer(body);
}

const payloadBytesMax = 64 * 1024;

export interface Upgrades {
  handle(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Closes every socket. */
  close(): void;
  /** Terminates sockets that did not close. */
  terminate(): void;
  /** Resolves when every socket is closed and detached. */
  done(): Promise<void>;
}

/** Upgrades connections to WebSockets, once the handler has admitted them. */
export function upgrades(handler: HttpHandler, log: Log): Upgrades {
  let server: Promise<WebSocketServer> | undefined;
  const eachOpen = (change: (socket: WebSocket) => void): void =>
    void server?.then(({ clients }) => clients.forEach((socket) => change(socket)));
  const serving = new Set<Promise<void>>();
  const serve = (socket: WebSocket, run: ServeSocket): void => {
    const served = run(socket)
      .catch((error: unknown) => log.error("socket not let go of", { reason: messageOf(error) }))
      .finally(() => serving.delete(served));
    serving.add(served);
  };
  return {
    async handle(incoming, socket, head) {
      const onError = (): void => void socket.destroy();
      socket.on("error", onError);
      const request = requestOf(incoming);
      if (request === undefined) return void socket.destroy();
      const peer = { address: incoming.socket.remoteAddress, incoming };
      const admitted = await handler.upgrade(request, peer);
      if (admitted instanceof Response) return refuse(socket, admitted);
      const opener = await (server ??= socketServer());
      if (socket.destroyed) return;
      socket.off("error", onError);
      opener.handleUpgrade(incoming, socket, head, (opened) => serve(opened, admitted));
    },
    close() {
      eachOpen((socket) => socket.close(1001, "stopping"));
    },
    terminate() {
      eachOpen((socket) => socket.terminate());
    },
    async done() {
      await Promise.all(serving);
    },
  };
}

/** Loaded for the first socket. */
async function socketServer(): Promise<WebSocketServer> {
  const { WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    maxPayload: payloadBytesMax,
    perMessageDeflate: false,
    // Only this protocol is echoed: the other may hold the token.
    handleProtocols: (protocols) => (protocols.has("daybook") ? "daybook" : false),
  });
}

function requestOf({ url = "", headers }: IncomingMessage): Request | undefined {
  if (!url.startsWith("/")) return undefined;
  const whole = URL.parse(`http://${headers.host ?? ""}${url}`);
  if (whole === null) return undefined;
  const pairs = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return new Request(whole, { headers: Object.fromEntries(pairs) });
}

async function refuse(socket: Duplex, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  answer.headers.set("connection", "close");
  answer.headers.set("content-length", String(body.length));
  const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
  socket.end(
    Buffer.concat([
      Buffer.from([`HTTP/1.1 ${answer.status} Refused`, ...lines, "", ""].join("\r\n")),
      body,
    ]),
  );
}

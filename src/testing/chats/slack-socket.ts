import { once } from "node:events";
import type { Server } from "node:http";
import { WebSocketServer, type RawData, type WebSocket } from "ws";

/** Slack's side of Socket Mode. */
export interface SlackSocket {
  /** Serves the sockets with a ticket. */
  prepare(server: Server): void;
  /** The URL of one more socket, valid once. */
  ticket(host: string): string;
  /** The number of open sockets. */
  count(): number;
  /** Resolves when a socket is open. */
  open(): Promise<void>;
  /** Sends an envelope to one socket; resolves when it is acknowledged. */
  say(envelope: {
    readonly type: string;
    readonly payload: object;
    readonly retry: number;
  }): Promise<void>;
  /** Asks all sockets to reconnect, as Slack does every few hours. */
  refresh(): void;
  close(): void;
}

const hello = {
  type: "hello",
  debug_info: { host: "applink-1", build_number: 1, approximate_connection_time: 18_060 },
  connection_info: { app_id: "A1" },
};

export function slackSocket(): SlackSocket {
  const sockets = new Set<WebSocket>();
  const tickets = new Set<string>();
  const unanswered = new Map<string, () => void>();
  const heard = new EventTarget();
  const server = new WebSocketServer({ noServer: true });
  let envelopes = 0;
  let issued = 0;
  const answered = (data: RawData): void => {
    // One buffer, by default.
    const text = (data as Buffer).toString();
    const { envelope_id = "" } = JSON.parse(text) as { envelope_id?: string };
    unanswered.get(envelope_id)?.();
    unanswered.delete(envelope_id);
  };
  server.on("connection", (socket: WebSocket) => {
    sockets.add(socket);
    socket.on("message", answered).on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    socket.send(JSON.stringify({ ...hello, num_connections: sockets.size }));
    heard.dispatchEvent(new Event("open"));
  });
  const open = async (): Promise<void> => {
    while (sockets.size === 0) await once(heard, "open");
  };
  return {
    prepare(http) {
      http.on("upgrade", (request, socket, head) => {
        const ticket = new URL(request.url ?? "", "ws://localhost").searchParams.get("ticket");
        if (!tickets.delete(ticket ?? "")) return void socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
        server.handleUpgrade(request, socket, head, (each) =>
          server.emit("connection", each, request),
        );
      });
    },
    ticket(host) {
      issued += 1;
      tickets.add(`t${issued}`);
      return `ws://${host}/link/?ticket=t${issued}&app_id=A1`;
    },
    count: () => sockets.size,
    open,
    async say({ type, payload, retry }) {
      await open();
      envelopes += 1;
      const envelope_id = `e-${envelopes}`;
      const done = new Promise<void>((resolve) => unanswered.set(envelope_id, resolve));
      const retried =
        type === "events_api"
          ? { retry_attempt: retry, retry_reason: retry === 0 ? "" : "timeout" }
          : {};
      const envelope = { envelope_id, type, payload, accepts_response_payload: false, ...retried };
      const [socket] = sockets;
      socket?.send(JSON.stringify(envelope));
      await done;
    },
    refresh() {
      const farewell = JSON.stringify({ type: "disconnect", reason: "refresh_requested" });
      for (const socket of sockets) socket.send(farewell);
    },
    close() {
      for (const socket of sockets) socket.terminate();
      server.close();
    },
  };
}

import { createServer, type Server } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { service, type Service } from "../../platform/service.ts";
import type { HttpHandler } from "./handler.ts";
import { nodeHandler, upgrades, type Upgrades } from "./node-handler.ts";

export interface HttpServerOptions {
  handler: HttpHandler;
  /** This machine only, by default. */
  host?: string;
  /** 0 for a free one. */
  port: number;
  clock: Clock;
  log: Log;
  /** How long a stop waits for requests and listeners. */
  stopMs?: number;
}

export interface HttpServer extends Service {
  /** Its address, such as `http://127.0.0.1:4321`; undefined while it does not run. */
  url(): string | undefined;
}

/** Slow senders hold a connection no longer than this. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 };

export function httpServer(options: HttpServerOptions): HttpServer {
  const { handler, host = "127.0.0.1", port, clock, log, stopMs = 10_000 } = options;
  let running: { server: Server; sockets: Upgrades; stopping: AbortController } | undefined;
  const parts = service({
    async start() {
      const sockets = upgrades(handler, log);
      const stopping = new AbortController();
      const handle = nodeHandler(handler, stopping.signal);
      const server = createServer(timeouts, (incoming, outgoing) => {
        // After a stop, a connection closes with its request.
        outgoing.once("close", () => void (server.listening || server.closeIdleConnections()));
        void handle(incoming, outgoing);
      });
      server.on("upgrade", (incoming, socket, head) => {
        sockets.handle(incoming, socket, head).catch(() => socket.destroy());
      });
      await listen(server, host, port);
      running = { server, sockets, stopping };
      log.info("listening", { url: urlOf(server) });
    },
    async stop() {
      if (running === undefined) return;
      const { server, sockets, stopping } = running;
      running = undefined;
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      sockets.close();
      stopping.abort();
      const cancel = clock.after(stopMs, () => {
        sockets.terminate();
        server.closeAllConnections();
      });
      await closed;
      cancel();
      await sockets.done();
    },
  });
  return { ...parts, url: () => (running === undefined ? undefined : urlOf(running.server)) };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      reject(new DaybookError("unavailable", sentence(cause, host, port), { cause }));
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function sentence({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  const address = `port ${port} of ${host}`;
  if (code === "EADDRINUSE") {
    return `Another program has ${address}: stop it, or set DAYBOOK_PORT to a free port.`;
  }
  if (code === "EACCES") {
    return `Not allowed to use ${address}: set DAYBOOK_PORT to a port above 1023.`;
  }
  return `Cannot listen on ${address} (${message}): set DAYBOOK_HOST or DAYBOOK_PORT.`;
}

function urlOf(server: Server): string | undefined {
  const bound = server.address();
  if (bound === null || typeof bound === "string") return undefined;
  const host = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return `http://${host}:${bound.port}`;
}

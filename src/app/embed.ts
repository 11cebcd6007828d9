import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { nodeMetrics } from "../features/nodes/index.ts";
import { nodeListeners } from "../features/notifications/index.ts";
import { attachPath } from "../interfaces/http/admission.ts";
import type { SessionPort } from "../interfaces/http/attach.ts";
import type { Auth } from "../interfaces/http/callers.ts";
import { nodeHandler, upgrades } from "../interfaces/http/node-handler.ts";
import type { Host, Node } from "../kernel/host.ts";
import { DaybookError } from "../platform/errors.ts";
import { service, type Service } from "../platform/service.ts";
import { bookHttp } from "./book-http.ts";
import { mcpOnUse } from "./mcp-on-use.ts";
import { sessionPort } from "./sessions.ts";

export interface HostOptions {
  /**
   * The caller of a request, by the cookies or headers of your program. Null: the request may still authenticate with a
   * token of the book (`Authorization: Bearer …`). Absent: only tokens authenticate.
   */
  auth?: Auth;
  /** The prefix of every path, such as `/daybook`. Express strips it for `node()`, but not for `upgrade`. */
  basePath?: string;
  /** Its URL for others, with the base path, such as `https://shop.example/daybook`. Default: that of each request. */
  publicUrl?: string;
}

/** The API and MCP in the HTTP server of another program, without the login page and its cookies. */
export interface HostFace {
  fetch(request: Request): Promise<Response>;
  /** A handler for `node:http`, Express and those like it. */
  node(): ReturnType<typeof nodeHandler>;
  /**
   * For WebSockets: `server.on("upgrade", daybook.upgrade)`. Other paths are left to your other listeners. `auth` gets
   * the request before any middleware.
   */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface HostParts extends HostOptions {
  host: Host;
  /** Absent: this process does no work, and accepts no listeners. */
  node?: Pick<Node, "use"> | undefined;
}

interface HostLifetime {
  /** Accepts listeners while it runs. */
  listening: Service;
  stop(): Promise<void>;
}

/** How long a stop waits for listeners to close. */
const closeMs = 10_000;

export function hostFace(parts: HostParts): HostFace & HostLifetime {
  const { host, node, auth } = parts;
  const basePath = (parts.basePath ?? "").replace(/\/+$/, "");
  const mcp = mcpOnUse(host);
  let isOpen = false;
  const sessions = node && sessionPort(node.use(nodeListeners), host.ledger, host.clock);
  const handler = bookHttp(host, {
    metrics: node === undefined ? () => Promise.resolve("") : node.use(nodeMetrics),
    mcp: mcp.handle,
    basePath,
    auth,
    sessions: sessions && whileOpen(sessions, () => isOpen),
  });
  const sockets = upgrades(handler, host.log);
  return {
    fetch: (request) => handler.fetch(request),
    node: () => nodeHandler(handler),
    upgrade(incoming, socket, head) {
      const [path] = (incoming.url ?? "").split("?", 1);
      if (path !== `${basePath}${attachPath}`) return;
      sockets.handle(incoming, socket, head).catch(() => socket.destroy());
    },
    listening: service({
      async start() {
        isOpen = true;
      },
      async stop() {
        isOpen = false;
        sockets.close();
        const cancel = host.clock.after(closeMs, () => sockets.terminate());
        await sockets.done();
        cancel();
      },
    }),
    stop: () => mcp.stop(),
  };
}

/** A listener that was admitted just before the end is refused too. */
function whileOpen(sessions: SessionPort, isOpen: () => boolean): SessionPort {
  return {
    isOpen,
    attach(caller, socket, session) {
      if (isOpen()) return sessions.attach(caller, socket, session);
      throw new DaybookError("unavailable", "This book is stopping: attach again later.");
    },
  };
}

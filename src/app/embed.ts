import type { Duplex } from "node:stream";
import { nodeMetrics } from "../features/nodes/index.ts";
import { nodeListeners } from "../features/notifications/index.ts";
import { attachPath } from "../interfaces/http/admission.ts";
import type { SessionPort } from "../interfaces/http/attach.ts";
import type { Auth } from "../interfaces/http/callers.ts";
import { nodeHandler, type Incoming, upgrades } from "../interfaces/http/node-handler.ts";
import type { Host, Node } from "../kernel/host.ts";
import { DaybookError } from "../platform/errors.ts";
import { service, type Service } from "../platform/service.ts";
import { bookHttp } from "./book-http.ts";
import { mcpOnUse } from "./mcp-on-use.ts";
import { sessionPort } from "./sessions.ts";

export interface HostOptions {
  /**
   * Who asks, as your program knows by its own cookies or headers. Null: it does not know, and a token of the
   * book's (`Authorization: Bearer …`) may still say it. Absent: tokens alone.
   */
  auth?: Auth;
  /** What every path begins with, such as `/daybook`; Express says it by itself, but not to `upgrade`. */
  basePath?: string;
  /** Where others reach it, with the base path, such as `https://shop.example/daybook`; absent: as each request says. */
  publicUrl?: string;
}

/** The HTTP face in a server of somebody else's: the API and MCP, without the login page and its cookies. */
export interface HostFace {
  fetch(request: Request): Promise<Response>;
  /** A handler for `node:http`, Express and those like it. */
  node(): ReturnType<typeof nodeHandler>;
  /**
   * For whoever attaches: `server.on("upgrade", daybook.upgrade)`. What is for another path is left to your other
   * listeners. `auth` sees the request as it came: no middleware has.
   */
  upgrade(incoming: Incoming, socket: Duplex, head: Buffer): void;
}

interface HostParts extends HostOptions {
  host: Host;
  /** Absent: this process does no work, so nobody listens here. */
  node?: Pick<Node, "use"> | undefined;
}

interface HostParting {
  /** While it runs, listeners are let in. */
  listening: Service;
  stop(): Promise<void>;
}

/** How long a stop waits for listeners to say goodbye. */
const goodbyeMs = 10_000;

export function hostFace(parts: HostParts): HostFace & HostParting {
  const { host, node, auth } = parts;
  const basePath = (parts.basePath ?? "").replace(/\/+$/, "");
  const mcp = mcpOnUse(host);
  let isOpen = false;
  const sessions = node && sessionPort(node.use(nodeListeners), host.ledger, host.clock);
  const face = bookHttp(host, {
    metrics: node === undefined ? () => Promise.resolve("") : node.use(nodeMetrics),
    mcp: mcp.handle,
    basePath,
    ...(auth && { auth }),
    ...(sessions && { sessions: whileOpen(sessions, () => isOpen) }),
  });
  const sockets = upgrades(face, host.log);
  return {
    fetch: (request) => face.fetch(request),
    node: () => nodeHandler(face),
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
        const cancel = host.clock.after(goodbyeMs, () => sockets.terminate());
        await sockets.done();
        cancel();
      },
    }),
    stop: () => mcp.stop(),
  };
}

/** Who was let in just before the end is turned away too. */
function whileOpen(sessions: SessionPort, isOpen: () => boolean): SessionPort {
  return {
    isOpen,
    attach(caller, socket, session) {
      if (isOpen()) return sessions.attach(caller, socket, session);
      throw new DaybookError("unavailable", "This book is being stopped: attach again later.");
    },
  };
}

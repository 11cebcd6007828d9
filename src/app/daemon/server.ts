import { nodeMetrics } from "../../features/nodes/index.ts";
import { nodeListeners } from "../../features/notifications/index.ts";
import type { LoginPort } from "../../interfaces/http/login.ts";
import { httpServer, type HttpServer } from "../../interfaces/http/server.ts";
import type { McpHandler } from "../../interfaces/mcp/http.ts";
import type { Host, Node } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { bookHttp } from "../book-http.ts";
import type { Config } from "../config/config.ts";
import type { Loaded } from "../config/load.ts";
import type { Plugged } from "../plugins.ts";
import { sessionPort } from "../sessions.ts";
import type { UseBook } from "../stores.ts";
import type { Chats } from "./chats-from.ts";

interface Parts {
  readonly config: Config;
  readonly ledger: Ledger;
  readonly platform: PlatformPorts;
  readonly plugged: readonly Plugged[];
  current(): Config;
  origin(): Pick<Loaded, "file" | "warnings">;
}

interface Served {
  host: Host;
  running: Node;
  login: LoginPort;
  mcp: McpHandler;
  chats: Chats;
}

/** The HTTP server of a daemon. */
export function serverOf(parts: Parts, served: Served): HttpServer {
  const { config, ledger, platform, plugged } = parts;
  const { running, login, mcp, chats } = served;
  const { host, port, publicUrl } = config.http;
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const handler = bookHttp(served.host, {
    login,
    hosts: ["127.0.0.1", "localhost", "[::1]", host, ...own],
    metrics: running.use(nodeMetrics),
    async facts() {
      const { installationFacts } = await import("./installation-facts.ts");
      const book: UseBook = (use) => use(ledger);
      const now = { config: parts.current(), ...parts.origin() };
      return installationFacts({ ...now, platform, plugged, book });
    },
    mcp: mcp.handle,
    chats: chats.handle,
    sessions: sessionPort(running.use(nodeListeners), ledger, platform.clock),
  });
  return httpServer({ ...platform, handler, host, port });
}

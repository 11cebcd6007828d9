import type { Readable, Writable } from "node:stream";
import { serveStdio as serve, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Caller } from "../../kernel/operation.ts";
import { mcpServers, type McpOptions } from "./server.ts";

export interface StdioOptions extends McpOptions {
  readonly caller: Caller;
  readonly input: Readable;
  /** Only the protocol is written to it. */
  readonly output: Writable;
}

export interface StdioConnection {
  /** Resolves when the client disconnects or the connection is closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Serves one client over a pair of streams. */
export function serveStdio({ caller, input, output, ...options }: StdioOptions): StdioConnection {
  const servers = mcpServers(options);
  const transport = new StdioServerTransport(input, output);
  const connection = serve(() => servers.serverFor(caller), {
    transport,
    maxSubscriptions: 0, // the server sends no notifications
    onerror: (error) => options.log.debug("MCP protocol error", { error }),
  });
  const closed = Promise.withResolvers<void>();
  const close = transport.onclose;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no such method
  transport.onclose = () => {
    close?.();
    closed.resolve();
  };
  return { closed: closed.promise, close: () => connection.close() };
}

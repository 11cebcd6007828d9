import { table } from "../features/index.ts";
import type { McpHandler } from "../interfaces/mcp/http.ts";
import type { Host } from "../kernel/host.ts";
import { version } from "../platform/version.ts";

/** The MCP handler, loaded for the first request of an agent. */
export function mcpOnUse(host: Host): McpHandler {
  let made: Promise<McpHandler> | undefined;
  const make = async (): Promise<McpHandler> => {
    const { mcpHandler } = await import("../interfaces/mcp/http.ts");
    return mcpHandler({ ...host, installation: host, operations: table, version });
  };
  return {
    handle: async (request, caller) => (await (made ??= make())).handle(request, caller),
    stop: async () => (await made)?.stop(),
  };
}

import { table } from "../features/index.ts";
import type { McpHandler } from "../interfaces/mcp/http.ts";
import type { Installation } from "../kernel/operation.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { version } from "../platform/version.ts";

/** A program that no agent asks does without what serves them. */
export function mcpOnUse(installation: Installation, platform: PlatformPorts): McpHandler {
  let made: Promise<McpHandler> | undefined;
  const make = async (): Promise<McpHandler> => {
    const { mcpHandler } = await import("../interfaces/mcp/http.ts");
    return mcpHandler({ ...platform, installation, operations: table, version });
  };
  return {
    handle: async (request, caller) => (await (made ??= make())).handle(request, caller),
    stop: async () => (await made)?.stop(),
  };
}

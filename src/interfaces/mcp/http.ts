import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { mcpServers, type McpServers, type McpOptions } from "./server.ts";
import { failure, mcpSessions, type McpRequest } from "./sessions.ts";
import type { ToolSet } from "./tool.ts";

export interface McpHandlerOptions extends Omit<McpOptions, "toolSet"> {
  readonly clock: Pick<Clock, "after">;
  readonly idleMs?: number;
  readonly perCallerMax?: number;
  readonly sessionsMax?: number;
}

export interface McpHandler {
  /** Whoever calls it knows who asks, and has refused foreign origins, hosts and tokens. */
  handle(request: Request, caller: Caller): Promise<Response>;
  /** Ends every session and every exchange. */
  stop(): Promise<void>;
}

const bodyBytesMax = 1_048_576;

/**
 * Serves agents over streamable HTTP: each request by itself since 2026, in sessions before. At `?tools=all`
 * they are offered all that can be asked.
 */
export function mcpHandler(options: McpHandlerOptions): McpHandler {
  const {
    clock,
    log,
    installation,
    idleMs = 1_800_000,
    perCallerMax = 16,
    sessionsMax = 1_024,
  } = options;
  const serversOf: Readonly<Record<ToolSet, McpServers>> = {
    default: mcpServers({ ...options, toolSet: "default" }),
    all: mcpServers({ ...options, toolSet: "all" }),
  };
  const { randomBytes } = installation;
  const sessions = mcpSessions({ clock, randomBytes, idleMs, perCallerMax, sessionsMax });
  const exchanges = new Set<McpHttpHandler>();
  let stopped = false;

  const exchange = async ({ request, body, caller, servers }: McpRequest): Promise<Response> => {
    // One of its own for each request: nothing is there that could mix callers.
    const one = createMcpHandler(() => servers.serverFor(caller), {
      legacy: "reject",
      maxSubscriptions: 0, // nothing is announced
      onerror: (error) => log.debug("an MCP client met an error", { error }),
    });
    exchanges.add(one);
    try {
      return await one.fetch(request, { parsedBody: body });
    } finally {
      exchanges.delete(one);
    }
  };

  return {
    async handle(request, caller) {
      if (stopped) return failure(503, "Daybook is stopping: try again later");
      const tools = new URL(request.url).searchParams.get("tools") ?? "default";
      if (tools !== "default" && tools !== "all") {
        return failure(
          400,
          'Ask with "?tools=all" for all tools, or without it for the usual ones',
        );
      }
      const read = await bodyOf(request);
      if ("refused" in read) return read.refused;
      const isOld = await isLegacyRequest(request, read.body);
      const asked: McpRequest = { request, body: read.body, caller, servers: serversOf[tools] };
      return isOld ? sessions.answer(asked) : exchange(asked);
    },
    async stop() {
      stopped = true;
      await Promise.all([sessions.close(), ...[...exchanges].map((each) => each.close())]);
    },
  };
}

async function bodyOf(request: Request): Promise<{ body: unknown } | { refused: Response }> {
  if (request.method !== "POST") return { body: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return { refused: failure(415, "Send JSON: the content type must be application/json") };
  }
  const read = await readRequestBody(request, bodyBytesMax);
  if (read.tooLarge) {
    return { refused: failure(413, `Send less: the body is over ${bodyBytesMax} bytes`) };
  }
  try {
    const body: unknown = JSON.parse(read.text);
    return { body };
  } catch {
    return { refused: failure(400, "The body is not JSON") };
  }
}

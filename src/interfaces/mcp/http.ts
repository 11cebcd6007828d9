import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import { quote } from "../../platform/text.ts";
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
  /** Answers a request whose caller is authenticated, and whose host and origin are checked. */
  handle(request: Request, caller: Caller): Promise<Response>;
  /** Ends every session and every exchange. */
  stop(): Promise<void>;
}

const bodyBytesMax = 1_048_576;

/**
 * Serves agents over streamable HTTP: each request by itself since the protocol of 2026, in sessions before.
 * `?tools=all` offers every tool.
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

  const answerAlone = async ({ request, body, caller, servers }: McpRequest): Promise<Response> => {
    // Each request has its own handler, so that answers of callers cannot mix.
    const exchange = createMcpHandler(() => servers.serverFor(caller), {
      legacy: "reject",
      maxSubscriptions: 0, // the server sends no notifications
      onerror: (error) => log.debug("MCP protocol error", { error }),
    });
    exchanges.add(exchange);
    try {
      return await exchange.fetch(request, { parsedBody: body });
    } finally {
      exchanges.delete(exchange);
    }
  };

  return {
    async handle(request, caller) {
      if (stopped) return failure(503, "Daybook is stopping. Try again later.");
      const tools = new URL(request.url).searchParams.get("tools") ?? "default";
      if (tools !== "default" && tools !== "all") {
        return failure(
          400,
          `Unknown tools ${quote(tools)}. Use "?tools=all" for all tools, or no query for the usual ones.`,
        );
      }
      const read = await bodyOf(request);
      if ("refused" in read) return read.refused;
      const isOld = await isLegacyRequest(request, read.body);
      const call: McpRequest = { request, body: read.body, caller, servers: serversOf[tools] };
      return isOld ? sessions.answer(call) : answerAlone(call);
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
    return { refused: failure(415, "The content type is not application/json. Send JSON.") };
  }
  const read = await readRequestBody(request, bodyBytesMax);
  if (read.tooLarge) {
    return { refused: failure(413, `The body is over ${bodyBytesMax} bytes. Send a shorter one.`) };
  }
  try {
    const body: unknown = JSON.parse(read.text);
    return { body };
  } catch {
    return { refused: failure(400, "The body is not valid JSON. Send a JSON-RPC message.") };
  }
}

import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport as Transport,
  type McpServer,
} from "@modelcontextprotocol/server";
import type { Caller } from "../../kernel/operation.ts";
import type { Clock } from "../../platform/clock.ts";
import type { McpServers } from "./server.ts";

export interface SessionOptions {
  readonly clock: Pick<Clock, "after">;
  randomBytes(count: number): Uint8Array;
  /** A session nobody used for so long is closed. */
  readonly idleMs: number;
  /** One more of the same caller closes the one longest unused. */
  readonly perCallerMax: number;
  /** One more of anybody is refused. */
  readonly sessionsMax: number;
}

/** What came in, who asks, and what they are offered. */
export interface McpRequest {
  readonly request: Request;
  readonly body: unknown;
  readonly caller: Caller;
  readonly servers: McpServers;
}

export interface Sessions {
  answer(asked: McpRequest): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly id: string;
  readonly who: string;
  /** All that the caller was: with other rights it is another session. */
  readonly bond: string;
  readonly server: McpServer;
  readonly transport: Transport;
  stopTimer(): void;
}

const idBytes = 32;
const methods: readonly string[] = ["POST", "DELETE"];

/** Clients of 2025 keep a session: each has its own server, and belongs to the caller who opened it. */
export function mcpSessions(options: SessionOptions): Sessions {
  /** The one longest unused first. */
  const open = new Map<string, Session>();

  const forget = async ({ id, server, stopTimer }: Session): Promise<void> => {
    open.delete(id);
    stopTimer();
    await server.close().catch(() => undefined); // it is forgotten either way
  };
  const use = (session: Session): void => {
    session.stopTimer();
    open.delete(session.id);
    open.set(session.id, session);
    session.stopTimer = options.clock.after(options.idleMs, () => void forget(session));
  };
  const start = async (asked: McpRequest): Promise<Response> => {
    const session = sessionFor(options, asked, (ended) => void forget(ended));
    const own = [...open.values()].filter(({ who }) => who === session.who);
    const [oldest] = own;
    // Nothing is awaited until it stands in the list, so that two at once cannot pass a limit.
    if (oldest !== undefined && own.length >= options.perCallerMax) void forget(oldest);
    if (open.size >= options.sessionsMax) {
      return failure(503, "Too many sessions are open: try again later");
    }
    use(session);
    await session.server.connect(session.transport);
    const { request, body: parsedBody } = asked;
    const response = await session.transport.handleRequest(request, { parsedBody });
    if (!response.ok) await forget(session);
    return response;
  };

  return {
    async answer(asked) {
      const { request, body, caller } = asked;
      // Nothing is announced, so there is no stream to listen to.
      if (!methods.includes(request.method)) {
        return failure(405, "Method not allowed", { allow: methods.join(", ") });
      }
      const id = request.headers.get("mcp-session-id");
      if (id === null && isInitializeRequest(body)) return start(asked);
      if (id === null) {
        return failure(400, "Initialize first, and send the session's id with every request");
      }
      const session = open.get(id);
      if (session === undefined || session.bond !== bondOf(caller)) {
        return failure(404, "Session not found");
      }
      use(session);
      return session.transport.handleRequest(request, { parsedBody: body });
    },
    async close() {
      await Promise.all([...open.values()].map(forget));
    },
  };
}

function sessionFor(
  { randomBytes }: SessionOptions,
  { caller, servers }: McpRequest,
  onEnd: (session: Session) => void,
): Session {
  const id = Buffer.from(randomBytes(idBytes)).toString("base64url");
  const session: Session = {
    id,
    who: JSON.stringify([caller.owner, caller.by]),
    bond: bondOf(caller),
    server: servers.serverFor(caller),
    transport: new Transport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => onEnd(session),
    }),
    stopTimer: () => undefined,
  };
  return session;
}

function bondOf({ owner, by, scopes, origin, token }: Caller): string {
  return JSON.stringify([owner, by, [...scopes].toSorted(), origin, token]);
}

/** A refusal of the request itself: there is no call yet that could answer it. */
export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const code = status === 404 ? -32_001 : -32_000;
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}

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
  /** A session that is idle for so long is closed. */
  readonly idleMs: number;
  /** One more session of a caller closes the caller's longest idle one. */
  readonly perCallerMax: number;
  /** One more session is refused. */
  readonly sessionsMax: number;
}

/** A request with its caller, and the servers with the tools that the caller is offered. */
export interface McpRequest {
  readonly request: Request;
  readonly body: unknown;
  readonly caller: Caller;
  readonly servers: McpServers;
}

export interface Sessions {
  answer(call: McpRequest): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  readonly id: string;
  /** The caller without rights, for the limit per caller. */
  readonly callerKey: string;
  /** The caller with rights: a token with other rights cannot use the session. */
  readonly rightsKey: string;
  readonly server: McpServer;
  readonly transport: Transport;
  stopTimer(): void;
}

const idBytes = 32;
const methods: readonly string[] = ["POST", "DELETE"];

/** The sessions of clients of 2025: each has its own server and belongs to the caller who opened it. */
export function mcpSessions(options: SessionOptions): Sessions {
  /** In order of use, the longest idle first. */
  const open = new Map<string, Session>();

  const end = async ({ id, server, stopTimer }: Session): Promise<void> => {
    open.delete(id);
    stopTimer();
    await server.close().catch(() => undefined); // the session is removed already
  };
  const use = (session: Session): void => {
    session.stopTimer();
    open.delete(session.id);
    open.set(session.id, session);
    session.stopTimer = options.clock.after(options.idleMs, () => void end(session));
  };
  const start = async (call: McpRequest): Promise<Response> => {
    const session = sessionFor(options, call, (closed) => void end(closed));
    const own = [...open.values()].filter(({ callerKey }) => callerKey === session.callerKey);
    const [oldest] = own;
    // No await before the session is in the map, so that two requests at once cannot exceed a limit.
    if (oldest !== undefined && own.length >= options.perCallerMax) void end(oldest);
    if (open.size >= options.sessionsMax) {
      return failure(503, "Too many sessions are open. Try again later.");
    }
    use(session);
    await session.server.connect(session.transport);
    const { request, body: parsedBody } = call;
    const response = await session.transport.handleRequest(request, { parsedBody });
    if (!response.ok) await end(session);
    return response;
  };

  return {
    async answer(call) {
      const { request, body, caller } = call;
      // The server sends no notifications, so GET has no stream to open.
      if (!methods.includes(request.method)) {
        return failure(405, `${request.method} is not allowed. Use POST or DELETE.`, {
          allow: methods.join(", "),
        });
      }
      const id = request.headers.get("mcp-session-id");
      if (id === null && isInitializeRequest(body)) return start(call);
      if (id === null) {
        return failure(
          400,
          "The header mcp-session-id is missing. Send initialize first, then the id of the session with every request.",
        );
      }
      const session = open.get(id);
      if (session === undefined || session.rightsKey !== rightsKeyOf(caller)) {
        return failure(
          404,
          "The session does not exist or has expired. Send initialize to open another one.",
        );
      }
      use(session);
      return session.transport.handleRequest(request, { parsedBody: body });
    },
    async close() {
      await Promise.all([...open.values()].map(end));
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
    callerKey: JSON.stringify([caller.owner, caller.by]),
    rightsKey: rightsKeyOf(caller),
    server: servers.serverFor(caller),
    transport: new Transport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => onEnd(session),
    }),
    stopTimer: () => undefined,
  };
  return session;
}

function rightsKeyOf({ owner, by, scopes, origin, token }: Caller): string {
  return JSON.stringify([owner, by, [...scopes].toSorted(), origin, token]);
}

/** Refuses a request before its call is read, so the answer has no id. */
export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  const code = status === 404 ? -32_001 : -32_000;
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers });
}

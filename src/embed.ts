import type { Ground } from "./compose.ts";
import type { Auth } from "./http/callers.ts";
import { httpFace } from "./http/face.ts";
import { nodeHandler } from "./http/node-handler.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { mcpOnUse } from "./mcp-on-use.ts";
import type { Desk } from "./operations/ask.ts";
import { table } from "./operations/table.ts";
import { findToken, isTokenGood } from "./operations/tokens.ts";
import { version } from "./version.ts";

export interface HostOptions {
  /**
   * Who asks, as your program knows by its own cookies or headers. Null: it does not know, and a token of the
   * book's (`Authorization: Bearer …`) may still say it. Absent: tokens alone.
   */
  auth?: Auth;
  /** What every path begins with, such as `/daybook`; Express says it by itself. */
  basePath?: string;
}

/** The HTTP face in a server of somebody else's: the API and MCP, without the login page and its cookies. */
export interface HostFace {
  fetch(request: Request): Promise<Response>;
  /** A handler for `node:http`, Express and those like it. */
  node(): ReturnType<typeof nodeHandler>;
}

interface HostParts extends HostOptions {
  desk: Desk;
  ground: Ground;
  metrics(): Promise<string>;
}

export function hostFace(parts: HostParts): HostFace & { stop(): Promise<void> } {
  const { desk, ground, metrics, auth, basePath } = parts;
  const mcp = mcpOnUse(desk, ground);
  const face = httpFace({
    ...ground,
    desk,
    operations: table,
    tokens: (token) => findToken(desk, token),
    isTokenGood: (id) => isTokenGood(desk, id),
    version,
    health: { live: () => true, ready: () => isReady(desk.ledger) },
    metrics,
    mcp: mcp.handle,
    ...(auth && { auth }),
    ...(basePath === undefined ? {} : { basePath: basePath.replace(/\/+$/, "") }),
  });
  return {
    fetch: (request) => face.fetch(request),
    node: () => nodeHandler(face),
    stop: () => mcp.stop(),
  };
}

/** A claim of nothing: the store answers. */
export async function isReady(ledger: Ledger): Promise<boolean> {
  await ledger.work.claim({ kind: "node", holder: "readyz", leaseMs: 1, limit: 0 });
  return true;
}

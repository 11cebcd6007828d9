import { hostname } from "node:os";
import { features } from "../features/index.ts";
import { nodeOf } from "../kernel/compose.ts";
import type { Host, Node } from "../kernel/host.ts";
import { present } from "../platform/json.ts";
import { processIdentity } from "../platform/process-identity.ts";
import { version } from "../platform/version.ts";

interface NodeOptions {
  leaseMs: number;
  /** How often records are claimed in case a hint is lost; absent: as each controller says. */
  pollMs?: number;
}

/** One node: every controller of every feature, over a ledger that is open. */
export function node(host: Host, options: NodeOptions): Node {
  const name = `${hostname()}-${process.pid}-${host.random.bits().toString(36)}`;
  const self = present({
    name,
    version,
    host: hostname(),
    pid: process.pid,
    process: processIdentity(),
  });
  return nodeOf(features, host, { ...options, self });
}

/** A process that does the work. It is alive while it keeps the lease on its own record. */
export interface NodeKind {
  body: { name: string; version: string; host: string; pid: number };
  outcome: { reason: string };
  live: "running";
  end: "stopped" | "lost" | "cancelled";
}

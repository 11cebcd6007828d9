/** A process that does the work. */
export interface NodeKind {
  body: { name: string; version: string; host: string; pid: number };
  outcome: { reason: string };
  live: "running";
  end: "stopped" | "lost" | "cancelled";
}

/** Whose book the system's own records are in. */
export const systemOwner = "daybook";

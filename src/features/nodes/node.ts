import { defineKind, type Kind } from "../../kernel/kind.ts";
/** A process that does the work. */
export interface NodeKind {
  name: "node";
  body: { name: string; version: string; host: string; pid: number };
  outcome: { reason: string };
  live: "running";
  end: "stopped" | "lost" | "cancelled";
}

export const nodeKind: Kind<NodeKind> = defineKind({
  name: "node",
  states: { running: ["stopped", "lost"] },
});

/** Whose book the system's own records are in. */
export const systemOwner = "daybook";

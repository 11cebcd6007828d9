import type { Kind } from "./kinds.ts";

/** What the system says about itself while it works. */
export interface Events {
  "record settled": {
    kind: Kind;
    id: string;
    state: string;
    attempt: number;
    lateMs: number;
    tookMs: number;
  };
  "act failed": { kind: Kind; id: string; attempt: number; reason: string };
  "lease lost": { kind: Kind; id: string; reason: string };
  "lane parked": { queue: string; lane: string; untilMs: number; reason: "share" | "rest" };
  "store failed": { doing: string; reason: string };
  "node lost": { name: string };
  "heartbeat failed": { reason: string };
  /** A claim came back: how many it found, and how many of the most are at work then. */
  "work claimed": { queue: string; found: number; working: number; most: number };
}

export type EventLevel = "debug" | "info" | "warn" | "error";

const levels: { readonly [Name in keyof Events]: EventLevel } = {
  "record settled": "debug",
  "act failed": "warn",
  "lease lost": "warn",
  "lane parked": "info",
  "store failed": "error",
  "node lost": "warn",
  "heartbeat failed": "warn",
  "work claimed": "debug",
};

/** The one place that decides how loud an event is. */
export function levelOf(name: keyof Events): EventLevel {
  return levels[name];
}

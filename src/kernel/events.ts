/** What the system says about itself while it works. */
export interface Events {
  "record settled": {
    kind: string;
    id: string;
    state: string;
    attempt: number;
    lateMs: number;
    tookMs: number;
  };
  "act failed": { kind: string; id: string; attempt: number; reason: string };
  "lease lost": { kind: string; id: string; reason: string };
  "lane parked": { queue: string; lane: string; untilMs: number; reason: "share" | "rest" };
  /** It was not said, because its time is over. */
  "overdue skipped": { id: string; channel: string; lateMs: number; reason: string };
  /** It was due while nobody was there: said late, or skipped, which is told of each. */
  "overdue found": { count: number; owners: number; downMs: number };
  /** It may have arrived or not, or it never will. A send that is tried again as usual is none. */
  "send failed": {
    id: string;
    channel: string;
    attempt: number;
    result: "unknown" | "failed" | "unconfirmed";
    reason: string;
  };
  /** What should have followed from a verdict could not be written; what was seen stays. */
  "consequence refused": { kind: string; id: string; attempt: number; reason: string };
  /** A call that was to settle so many; given up on, their leases lapse. */
  "settle failed": { units: number; gaveUp: boolean; reason: string };
  "store failed": { doing: string; reason: string };
  "node lost": { name: string };
  "heartbeat failed": { reason: string };
  /** How much the machine has to do: all is begun, only what is urgent, nothing. */
  "health turned": { from: string; to: string; reason: string | null };
  /** It could not be measured. */
  "health unknown": { reason: string };
  /** A claim came back: how many it found, and how many of the most are at work then. */
  "work claimed": { queue: string; found: number; working: number; most: number };
}

export type EventLevel = "debug" | "info" | "warn" | "error";

const levels: { readonly [Name in keyof Events]: EventLevel } = {
  "record settled": "debug",
  "act failed": "warn",
  "lease lost": "warn",
  "lane parked": "info",
  "overdue skipped": "warn",
  "overdue found": "warn",
  "send failed": "warn",
  "consequence refused": "warn",
  "settle failed": "error",
  "store failed": "error",
  "node lost": "warn",
  "heartbeat failed": "warn",
  "health turned": "info",
  "health unknown": "warn",
  "work claimed": "debug",
};

/** The one place that decides how loud an event is. */
export function levelOf(name: keyof Events): EventLevel {
  return levels[name];
}

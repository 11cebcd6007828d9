/** The events of the system, for log and metrics. */
export interface Events {
  "record settled": {
    kind: string;
    id: string;
    state: string;
    attempt: number;
    /** From when it was due, or somebody could receive it, to the claim. */
    lateMs: number;
    tookMs: number;
  };
  "act failed": {
    kind: string;
    id: string;
    attempt: number;
    reason: string;
    /** Of an error that nobody expected. */
    stack?: string;
  };
  "lease lost": { kind: string; id: string; reason: string };
  "lane parked": { queue: string; lane: string; untilMs: number; reason: "share" | "rest" };
  /** A notification was skipped because it expired. */
  "overdue skipped": { id: string; channel: string; lateMs: number; reason: string };
  /** Notifications became due while no node ran; each is sent late, or reported as skipped. */
  "overdue found": { count: number; owners: number; downMs: number };
  /** A send failed for good or its result is unknown. An ordinary retry is not reported. */
  "send failed": {
    id: string;
    channel: string;
    attempt: number;
    result: "unknown" | "failed" | "unconfirmed";
    reason: string;
  };
  /** A channel returned what its contract does not know; reported once for each channel and problem. */
  "channel answered wrongly": { channel: string; problem: string };
  /** The consequences of a verdict could not be written; the verdict itself stays. */
  "consequence refused": { kind: string; id: string; attempt: number; reason: string };
  /** A settle of that many units failed; if it gave up, their leases lapse. */
  "settle failed": { units: number; gaveUp: boolean; reason: string };
  "store failed": { doing: string; reason: string };
  "node lost": { name: string };
  "heartbeat failed": { reason: string };
  /** The load level changed: everything starts, only urgent work starts, nothing starts. */
  "health turned": { from: string; to: string; reason: string | null };
  /** The load could not be measured. */
  "health unknown": { reason: string };
  /** A step in the life of a nag, under the name of its log namespace. */
  alarm: {
    id: string;
    step: "due" | "sent" | "retried" | "conflict resolved";
    /** The number of the message. */
    count: number;
    /** When the next message is due; null while one is being sent. */
    nextAt: string | null;
    /** The push service's id of the message that was sent. */
    notificationId?: string | null;
    error?: string | null;
    /** How many taken minutes were tried before a free one. */
    tries?: number;
  };
  /** The result of a claim: the records found, the attempts running, and the limit of these. */
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
  "channel answered wrongly": "error",
  "consequence refused": "warn",
  "settle failed": "error",
  "store failed": "error",
  "node lost": "warn",
  "heartbeat failed": "warn",
  "health turned": "info",
  "health unknown": "warn",
  alarm: "debug",
  "work claimed": "debug",
};

/** The log level of an event. */
export function levelOf(name: keyof Events): EventLevel {
  return levels[name];
}

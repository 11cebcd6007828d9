import type { Kind, Live, State } from "./kinds.ts";

/**
 * For every live state of every kind: the states a write may leave the record in. Ends have none.
 * Any live record may stay as it is (an attempt broke and is made again), and be cancelled. The first is
 * the one that a record is written in.
 */
export const transitions: {
  readonly [K in Kind]: { readonly [S in Live<K>]: readonly State<K>[] };
} = {
  notification: {
    pending: ["pending", "delivered", "failed", "cancelled", "unconfirmed", "expired"],
  },
  schedule: {
    active: ["active", "paused", "disabled", "completed", "cancelled"],
    paused: ["paused", "active", "disabled", "completed", "cancelled"],
    disabled: ["disabled", "active", "completed", "cancelled"],
  },
  task: {
    pending: [
      "pending",
      "needs_human",
      "completed",
      "failed",
      "skipped",
      "interrupted",
      "missed",
      "cancelled",
    ],
    needs_human: ["needs_human", "pending", "failed", "cancelled"],
  },
  nag: {
    active: ["active", "paused", "done", "cancelled"],
    paused: ["paused", "active", "done", "cancelled"],
  },
  page: {
    kept: ["kept", "deleted", "cancelled"],
    deleted: ["deleted", "kept", "cancelled"],
  },
  event: {
    pending: ["pending", "dispatched", "completed", "failed", "cancelled"],
    dispatched: ["dispatched", "pending", "completed", "failed", "cancelled"],
  },
  question: { open: ["open", "answered", "expired", "cancelled"] },
  source: { active: ["active", "cancelled"] },
  subscription: {
    active: ["active", "paused", "cancelled"],
    paused: ["paused", "active", "cancelled"],
  },
  workspace: {
    pending: ["pending", "standby", "running", "error", "deleted", "cancelled"],
    standby: ["standby", "pending", "running", "error", "deleted", "cancelled"],
    running: ["running", "standby", "pending", "error", "deleted", "cancelled"],
    error: ["error", "pending", "standby", "running", "deleted", "cancelled"],
  },
  counter: { kept: ["kept", "cancelled"] },
  expiry: { waiting: ["waiting", "over", "cancelled"] },
  profile: { kept: ["kept", "cancelled"] },
  token: { active: ["active", "cancelled"] },
  person: {
    active: ["active", "unlinked", "cancelled"],
    unlinked: ["unlinked", "active", "cancelled"],
  },
  invite: { open: ["open", "used", "cancelled"] },
  webhook: { active: ["active", "cancelled"] },
  pause: { active: ["active", "over", "cancelled"] },
  chore: { waiting: ["waiting", "cancelled"] },
  node: { running: ["running", "stopped", "lost", "cancelled"] },
};

export function isLive(kind: string, state: unknown): boolean {
  return typeof state === "string" && Object.hasOwn(liveStates(kind), state);
}

export function isEnd(kind: string, state: unknown): boolean {
  const reached: readonly unknown[] = Object.values(liveStates(kind)).flat();
  return reached.includes(state) && !isLive(kind, state);
}

export function isKind(kind: string): boolean {
  return Object.hasOwn(transitions, kind);
}

function liveStates(kind: string): Readonly<Record<string, readonly string[]>> {
  return isKind(kind) ? transitions[kind as Kind] : {};
}

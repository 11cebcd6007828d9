import type { Kind, Live, State } from "./kinds.ts";

/**
 * For every live state of every kind: the states a write may leave the record in. Ends have none.
 * Any live record may stay as it is (an attempt broke and is made again), and be cancelled.
 */
export const transitions: {
  readonly [K in Kind]: { readonly [S in Live<K>]: readonly State<K>[] };
} = {
  notification: { pending: ["pending", "delivered", "failed", "cancelled"] },
  chore: { waiting: ["waiting", "cancelled"] },
  node: { running: ["running", "stopped", "lost", "cancelled"] },
};

/** The state each kind of record is written in. */
export const firstStates: { readonly [K in Kind]: Live<K> } = {
  notification: "pending",
  chore: "waiting",
  node: "running",
};

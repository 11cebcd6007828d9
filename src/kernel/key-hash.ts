import { hash } from "node:crypto";
import { canonical } from "../platform/json.ts";
import { keyTaken } from "./ledger-errors.ts";
import type { Draft } from "./unit.ts";

/** The hash of the request that a key stands for. The order of names does not change it. */
export function keyHash(draft: Pick<Draft, "body" | "key">): string {
  const request = draft.key?.asked ?? draft.body;
  return hash("sha256", canonical(request));
}

/** A stored key. */
interface KeyEntry {
  readonly uid: string;
  readonly hash: string;
  readonly until: number | null;
  /** Its record was pruned. */
  readonly pruned: boolean;
}

/** The record that the key stands for, pruned or not. Throws `conflict` if it stands for another body. */
export function recordIdByKey(entry: KeyEntry, draft: Draft, now: number): string | undefined {
  if (entry.pruned && (entry.until ?? 0) <= now) return undefined;
  if (entry.hash === keyHash(draft)) return entry.uid;
  throw keyTaken(draft.key?.name ?? "", entry.uid);
}

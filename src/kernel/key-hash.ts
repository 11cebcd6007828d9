import { hash } from "node:crypto";
import { canonical } from "../platform/json.ts";
import { keyTaken } from "./refusals.ts";
import type { Draft } from "./unit.ts";

/** What a key stands for: the same words in another order of names give the same hash. */
export function keyHash(draft: Pick<Draft, "body" | "key">): string {
  const request = draft.key?.asked ?? draft.body;
  return hash("sha256", canonical(request));
}

/** What a store has of a key. */
interface KeyEntry {
  readonly uid: string;
  readonly hash: string;
  readonly until: number | null;
  /** Its record is gone. */
  readonly pruned: boolean;
}

/** The record that the key stands for, pruned or not. Throws `conflict` if it stands for another body. */
export function firstByKey(entry: KeyEntry, draft: Draft, now: number): string | undefined {
  if (entry.pruned && (entry.until ?? 0) <= now) return undefined;
  if (entry.hash === keyHash(draft)) return entry.uid;
  throw keyTaken(draft.key?.name ?? "", entry.uid);
}

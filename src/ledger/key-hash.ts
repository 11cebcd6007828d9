import { createHash } from "node:crypto";
import { canonical } from "../base/json.ts";
import type { Draft } from "../rules/unit.ts";

/** What a key stands for: the same words in another order of names give the same hash. */
export function keyHash(draft: Pick<Draft, "body" | "key">): string {
  const asked = draft.key?.asked ?? draft.body;
  return createHash("sha256").update(canonical(asked)).digest("hex");
}

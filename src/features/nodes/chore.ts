import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import { json } from "../../kernel/schemas.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";

/** Periodic work of the system's own, such as pruning old records. */
export const choreKind = defineKind({
  name: "chore",
  body: z.strictObject({ name: z.string(), everyMs: z.int().nonnegative() }),
  outcome: z.strictObject({
    /** What the last round did, in a few words. */
    did: z.string(),
    /** State for the next round. */
    kept: json.exactOptional(),
  }),
  states: { waiting: [] },
});
export interface ChoreKind extends KindOf<typeof choreKind> {}

/** What was done, in a few words; and what the next round must know. */
export type Did = string | ChoreKind["outcome"];

/** The next round is counted from this one's end: two rounds never meet. */
export function afterChore(body: ChoreKind["body"], did: Did, facts: Facts): Verdict<ChoreKind> {
  return {
    state: "waiting",
    wakeAt: facts.now + body.everyMs,
    freshStart: true,
    outcome: typeof did === "string" ? { did } : did,
  };
}

import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Json } from "../../platform/json.ts";

/** Something the system does for itself, again and again: forgetting old records, for one. */
export interface ChoreKind {
  name: "chore";
  body: { name: string; everyMs: number };
  outcome: {
    did: string;
    /** What the next round must know. */
    kept?: Json;
  };
  live: "waiting";
  end: "cancelled";
}

export const choreKind: Kind<ChoreKind> = defineKind({
  name: "chore",
  states: { waiting: [] },
});

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

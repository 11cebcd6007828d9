import type { Facts, Verdict } from "./verdict.ts";

/** Something the system does for itself, again and again: forgetting old records, for one. */
export interface ChoreKind {
  body: { name: string; everyMs: number };
  outcome: { did: string };
  live: "waiting";
  end: "cancelled";
}

/** The next round is counted from this one's end: two rounds never meet. */
export function afterChore(body: ChoreKind["body"], did: string, facts: Facts): Verdict<"chore"> {
  return {
    state: "waiting",
    wakeAt: facts.now + body.everyMs,
    freshStart: true,
    outcome: { did },
  };
}

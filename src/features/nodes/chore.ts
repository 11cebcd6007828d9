import * as z from "zod";
import type { Controller } from "../../kernel/controller.ts";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { json } from "../../kernel/schemas.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { choreHold } from "./holds.ts";
import { systemOwner } from "./node.ts";

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

/** One thing the system does for itself. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Does it, and says what was done. */
  run(now: number, signal: AbortSignal, memory: ChoreMemory): Promise<Did>;
}

/** What a round knows of those before it. */
export interface ChoreMemory {
  /** The chore's own: the same in every round, and no other book has it. */
  readonly id: string;
  /** Null in the first round. */
  readonly kept: Json;
  /** The same in a round that is done again since it was cut off; another in every other. */
  readonly round: string;
}

/** Runs chores. A chore is a record with a wake time, so that of many nodes one does it. */
export function chores(known: readonly Chore[]): Controller<ChoreKind, Did> {
  const byName = new Map(known.map((chore) => [chore.name, chore]));
  return {
    name: "chores",
    kind: choreKind,
    async act(record, { signal }) {
      const chore = byName.get(record.body.name);
      if (chore === undefined) return `no chore is called "${record.body.name}" here`;
      const { id, revision, outcome, lease } = record;
      const memory = { id, kept: outcome?.kept ?? null, round: `${id}:${revision}` };
      return chore.run(lease.claimedAt, signal, memory);
    },
    decide: (record, did, facts) => afterChore(record.body, did, facts),
  };
}

/** Writes each chore down once, however many nodes start and however often. */
export async function planChores(ledger: Ledger, known: readonly Chore[]): Promise<void> {
  const book = ledger.of(systemOwner, systemOwner);
  for (const { name, everyMs } of known) {
    const draft = { kind: "chore", body: { name, everyMs }, state: "waiting", wakeAt: 0 } as const;
    await book.append({ ...draft, holds: [choreHold(name)] }).catch((error: unknown) => {
      if (!hasCode(error, "held")) throw error; // held: it is planned already
    });
  }
}

/** Forgets what ended long ago. */
export function forgetOld(ledger: Ledger, keepMs: () => number): Chore {
  const limit = 1_000;
  return {
    name: "forget-old",
    everyMs: 60 * 60_000,
    async run(now, signal) {
      const endedBefore = Math.max(now - keepMs(), 0);
      let forgotten = 0;
      let round = limit;
      while (round === limit && !signal.aborted) {
        round = await ledger.work.prune({ endedBefore, limit });
        forgotten += round;
      }
      return `forgot ${forgotten} records`;
    },
  };
}

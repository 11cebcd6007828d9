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

/** Periodic work of the system, such as pruning old records. */
export const choreKind = defineKind({
  name: "chore",
  body: z.strictObject({ name: z.string(), everyMs: z.int().nonnegative() }),
  outcome: z.strictObject({
    /** A short summary of the last round. */
    did: z.string(),
    /** State for the next round. */
    kept: json.exactOptional(),
  }),
  states: { waiting: [] },
});
export interface ChoreKind extends KindOf<typeof choreKind> {}

/** A short summary of a round, or with it the state for the next round. */
export type RoundResult = string | ChoreKind["outcome"];

/** The interval starts at the end of a round, so that two rounds never overlap. */
export function afterChore(
  body: ChoreKind["body"],
  did: RoundResult,
  facts: Facts,
): Verdict<ChoreKind> {
  return {
    state: "waiting",
    wakeAt: facts.now + body.everyMs,
    freshStart: true,
    outcome: typeof did === "string" ? { did } : did,
  };
}

/** One kind of periodic work. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** Runs one round. */
  run(now: number, signal: AbortSignal, memory: ChoreMemory): Promise<RoundResult>;
}

/** The state that a round has from earlier rounds. */
export interface ChoreMemory {
  /** The id of the chore's record: the same in every round of this ledger. */
  readonly id: string;
  /** Null in the first round. */
  readonly kept: Json;
  /** The id of the round: the same if an interrupted round is repeated. */
  readonly round: string;
}

/** Runs chores. A chore is a record with a wake time, so that one of many nodes runs it. */
export function chores(known: readonly Chore[]): Controller<ChoreKind, RoundResult> {
  const byName = new Map(known.map((chore) => [chore.name, chore]));
  return {
    name: "chores",
    kind: choreKind,
    async act(record, { signal }) {
      const chore = byName.get(record.body.name);
      if (chore === undefined) return `this node has no chore "${record.body.name}"`;
      const { id, revision, outcome, lease } = record;
      const memory = { id, kept: outcome?.kept ?? null, round: `${id}:${revision}` };
      return chore.run(lease.claimedAt, signal, memory);
    },
    decide: (record, did, facts) => afterChore(record.body, did, facts),
  };
}

/** Writes the record of each chore once, however many nodes start and however often. */
export async function planChores(ledger: Ledger, known: readonly Chore[]): Promise<void> {
  const book = ledger.of(systemOwner, systemOwner);
  for (const { name, everyMs } of known) {
    const draft = { kind: "chore", body: { name, everyMs }, state: "waiting", wakeAt: 0 } as const;
    await book.append({ ...draft, holds: [choreHold(name)] }).catch((error: unknown) => {
      if (!hasCode(error, "held")) throw error; // held: the record exists
    });
  }
}

/** Prunes the records that ended long ago. */
export function pruneOld(ledger: Ledger, keepMs: () => number): Chore {
  const limit = 1_000;
  return {
    name: "forget-old",
    everyMs: 60 * 60_000,
    async run(now, signal) {
      const endedBefore = Math.max(now - keepMs(), 0);
      let pruned = 0;
      let round = limit;
      while (round === limit && !signal.aborted) {
        round = await ledger.work.prune({ endedBefore, limit });
        pruned += round;
      }
      return `pruned ${pruned} records`;
    },
  };
}

import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { afterChore, type Did, type ChoreKind, choreKind } from "./chore.ts";
import { choreHold } from "./holds.ts";
import { systemOwner } from "./node.ts";

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

import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { cached } from "../../platform/cached.ts";
import type { Clock } from "../../platform/clock.ts";
import { systemOwner } from "../nodes/index.ts";
import { workspaceOf } from "../tasks/index.ts";
import { scheduleKind } from "./kind.ts";

/** A new slot is known at most so much later. */
const readEveryMs = 5_000;

/** When a schedule runs next in a workspace, by the book; null: no run is planned. */
export function slotsAhead(
  ledger: Ledger,
  clock: Clock,
): (owner: string, name: string) => Promise<number | null> {
  const slotsOf = cached(clock, readEveryMs, async (owner: string) => {
    const book = ledger.of(owner, systemOwner);
    const next = new Map<string, number>();
    for await (const { body, outcome } of recordsIn(book, {
      kind: scheduleKind,
      state: "active",
    })) {
      const at = outcome?.nextRunAt ?? null;
      const name = workspaceOf(body.run)?.toLowerCase();
      if (name === undefined || at === null) continue;
      next.set(name, Math.min(next.get(name) ?? Infinity, at));
    }
    return next;
  });
  return async (owner, name) => (await slotsOf(owner)).get(name.toLowerCase()) ?? null;
}

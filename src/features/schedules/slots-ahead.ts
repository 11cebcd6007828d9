import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import { cached } from "../../platform/cached.ts";
import type { Clock } from "../../platform/clock.ts";
import { systemOwner } from "../nodes/index.ts";
import { workspaceOf } from "../tasks/index.ts";
import { scheduleKind } from "./kind.ts";

/** A slot that is nearer than this is known a moment later at most. */
const readEveryMs = 5_000;

/** By the book: when the next run of a schedule happens in a workspace; null when none is known. */
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

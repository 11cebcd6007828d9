import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import {
  waitsForEnd,
  taskKind,
  usageOf,
  endOf,
  withConsequences,
  runHook,
  type RunHook,
} from "../tasks/index.ts";
import { scheduleKind } from "./kind.ts";
import { countRun, type RunAround } from "./run-count.ts";

/** Counts the end of a run in its schedule, notifies the owner of repeated failures, and wakes the run that waits for its turn. */
export function scheduleRuns(ledger: Ledger): RunHook {
  return runHook<Omit<RunAround, "reader">>({
    applies: ({ body }) => body.slot !== undefined,
    async read({ id, owner, by, body }) {
      const { schedule = "" } = body.slot ?? {};
      const book = ledger.of(owner, by);
      // The schedule is read before its runs: if another run ends in between, the revision differs and the edit is refused.
      const found = await book.get(schedule);
      const query = { kind: taskKind, parent: schedule, live: true } as const;
      const runs = await Array.fromAsync(recordsIn(book, query));
      const isLive = is(scheduleKind, found) && found.endedAt === null;
      return {
        schedule: isLive ? found : undefined,
        others: runs.filter((other) => other.id !== id),
      };
    },
    finish(verdict, { task, attempt, read, reader, ...facts }) {
      const state = endOf(task, verdict);
      if (state === undefined) return verdict;
      const cost = usageOf(attempt.ran)?.cost ?? 0;
      const run = { state, reason: verdict.outcome?.reason ?? null, cost };
      const { edit, notices } = countRun(run, { ...read, reader }, facts);
      const next = read.others.find((other) => waitsForEnd(other, facts.now));
      return withConsequences(verdict, {
        append: notices,
        edit: edit === undefined ? [] : [edit],
        wake: next === undefined ? [] : [{ id: next.id }],
      });
    },
  });
}

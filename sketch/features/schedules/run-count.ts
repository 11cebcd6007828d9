import { ledgerPort } from "../../kernel/node.ts";
import { provide } from "../../kernel/port.ts";
import { edit, joined } from "../../kernel/unit.ts";
import { makeNotification } from "../notifications/index.ts";
import { runHook, runHooks } from "../tasks/index.ts";
import { schedule } from "./kind.ts";

/** Counts a run's end in its schedule, and tells the owner of repeated failures. */
export const countRuns = provide(runHooks, { ledger: ledgerPort }, ({ ledger }) =>
  runHook({
    applies: ({ body }) => body.slot !== undefined,
    read: ({ owner, by, body }) => ledger.of(owner, by).get(body.slot?.schedule ?? "", schedule),
    finish(verdict, { read: found, now }) {
      if (found === undefined || !("ends" in verdict)) return verdict;
      const { id, revision: ifRevision, body } = found;
      const failures = verdict.ends === "failed" ? (found.outcome?.failures ?? 0) + 1 : 0;
      const outcome = { nextRunAt: null, ...found.outcome, lastRunState: verdict.ends, failures };
      const isTold = failures === body.notifyAfterFailures;
      const message = `${body.name} failed ${failures} times in a row.`;
      const counted = {
        edit: [edit(schedule, { id, ifRevision, outcome })],
        append: isTold ? [makeNotification({ message, target: body.target, at: now })] : [],
      };
      return { ...verdict, consequences: joined(verdict.consequences, counted) };
    },
    refused: ({ details }, found) => found !== undefined && details["id"] === found.id,
  }),
);

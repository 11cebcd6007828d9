import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError, ErrorCode } from "../../platform/errors.ts";
import type { TaskKind } from "./kind.ts";
import type { RunAttempt } from "./result.ts";
import type { RunFacts } from "./run-facts.ts";
import { afterRun } from "./verdict.ts";

type Task = Claimed<TaskKind>;

/** One attempt, and what else is true at its end. */
export interface RunSeen extends RunAttempt {
  readonly known: RunFacts;
}

/** The end of every run, of a runner here or a worker outside: the task's own verdict, then the hooks in their order. */
export function decideEnd(task: Task, seen: RunSeen, facts: Facts): Verdict<TaskKind> {
  const { known, ...attempt } = seen;
  const hooks = [...known.reads];
  const ran = hooks.reduce(
    (result, [hook]) => hook.interpret?.({ ...attempt, ran: result }, task) ?? result,
    attempt.ran,
  );
  const { reader } = known;
  return hooks.reduce(
    (verdict, [hook, read]) => hook.finish(verdict, { task, attempt, read, reader, ...facts }),
    afterRun(task, { ...attempt, ran }, { ...facts, ...known }),
  );
}

/** Another record moved on, ended or is leased: what was read of it is read again. */
const readAgain: readonly ErrorCode[] = ["stale", "ended", "leased", "not_found"];

/** The attempt when what follows from its end was refused: unless reading again helps, it has failed. */
export function afterRefusal({ known, ...attempt }: RunSeen, refused: DaybookError): RunAttempt {
  const isKnown = [...known.reads].some(([hook, read]) => hook.refused?.(refused, read) === true);
  if (isKnown || readAgain.includes(refused.code)) return attempt;
  const reason = `what follows from it could not be written: ${refused.message}`;
  return { ...attempt, ran: { result: "failed", reason, retry: false } };
}

import type { Facts } from "../../kernel/controller.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { makeNotification } from "../notifications/index.ts";
import type { TaskKind } from "./kind.ts";
import type { RunAttempt, RunHook, Task } from "./run-hook.ts";

/** An attempt with what every hook read at its end. */
export interface RunEnd {
  readonly attempt: RunAttempt;
  readonly reads: ReadonlyMap<RunHook, unknown>;
}

/** The end of every run, of a runner here or a worker outside: the task's own verdict, then the hooks in order. */
export async function readEnd(
  task: Task,
  ran: RunAttempt,
  hooks: readonly RunHook[],
): Promise<RunEnd> {
  const mine = hooks.filter((hook) => hook.applies(task));
  const attempt = mine.reduce((seen, hook) => hook.interpret?.(seen, task) ?? seen, ran);
  const reads = new Map<RunHook, unknown>();
  for (const hook of mine) reads.set(hook, await hook.read(task, attempt));
  return { attempt, reads };
}

export function decideEnd(task: Task, { attempt, reads }: RunEnd, facts: Facts): Verdict<TaskKind> {
  let verdict = ownVerdict(task, attempt, facts);
  for (const [hook, read] of reads) verdict = hook.finish(verdict, { task, read, ...facts });
  return verdict;
}

/** A consequence of a hook may go through when it is read again; one of nobody means that the run has failed. */
export function afterRefusal({ attempt, reads }: RunEnd, refused: DaybookError): RunAttempt {
  const isKnown = [...reads].some(([hook, read]) => hook.refused?.(refused, read) === true);
  return isKnown
    ? attempt
    : { result: "failed", text: `A consequence was refused: ${refused.message}` };
}

/** Why a task does not start now; undefined: it does. */
export function postponed(
  task: Task,
  facts: Facts,
  hooks: readonly RunHook[],
): Verdict<TaskKind> | undefined {
  const mine = hooks.filter((hook) => hook.applies(task));
  return mine.map((hook) => hook.before?.(task, facts)).find((verdict) => verdict !== undefined);
}

/** The verdict of a task that did not run, with what the hooks add to it. */
export function waiting(
  task: Task,
  verdict: Verdict<TaskKind>,
  hooks: readonly RunHook[],
): Verdict<TaskKind> {
  const mine = hooks.filter((hook) => hook.applies(task));
  return mine.reduce((so, hook) => hook.waits?.(so, task) ?? so, verdict);
}

function ownVerdict(
  { body }: Task,
  { result, text }: RunAttempt,
  { now }: Facts,
): Verdict<TaskKind> {
  if (result === "failed") return { ends: "failed", outcome: { summary: null, reason: text } };
  const report = makeNotification({ message: text, target: body.target, at: now });
  const append = text === "" ? [] : [report];
  return { ends: "completed", outcome: { summary: text, reason: null }, consequences: { append } };
}

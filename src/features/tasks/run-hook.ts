import type { Claimed } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { sleepAgain, nextStep, type NextStep } from "./capacity.ts";
import type { TaskKind } from "./kind.ts";
import type { RunAttempt, RunResult } from "./outcome.ts";

type Task = Claimed<TaskKind>;

/** What a feature above adds to a run and its end. All of it is written in the one settle of the task. */
export interface RunHook<Read = unknown> {
  /** Whether the hook applies to the task. The other methods are called only if it does. */
  applies(task: Task): boolean;
  /** A verdict that keeps a task from starting. Pure: called again when the record was edited. */
  before?(task: Task, facts: StartFacts): Verdict<TaskKind> | undefined;
  /** Why a task that could start waits for a few seconds; undefined: it starts. */
  postpones?(task: Task): string | undefined;
  /** Interprets the result of the attempt; the verdict of the task follows from that. Pure. */
  interpret?(attempt: RunAttempt, task: Task): RunResult;
  /** Reads the facts for `finish`. Called again, without another run, when a consequence was refused. */
  read(task: Task, attempt: RunAttempt, reader: NoticeReader): Promise<Read>;
  /** Adds its consequences to the verdict. Pure. */
  finish(verdict: Verdict<TaskKind>, end: RunEnd<Read>): Verdict<TaskKind>;
  /** Adds to the verdict of a task that waits, or is cancelled while it waits. Pure. */
  waits?(verdict: Verdict<TaskKind>, task: Task): Verdict<TaskKind>;
  /** Whether the refused consequence is its own, and can be written after the facts are read again. */
  refused?(error: DaybookError, read: Read): boolean;
}

export interface StartFacts extends Facts {
  /** The most runs of its runner at once. */
  readonly concurrency: number | undefined;
}

/** The end of one attempt as a hook sees it: as it was made, before any hook interprets it. */
export interface RunEnd<Read> extends Facts {
  readonly task: Task;
  readonly attempt: RunAttempt;
  readonly read: Read;
  readonly reader: NoticeReader;
}

/** A hook in a list with hooks of other types: each receives only the facts that it read itself. */
export function runHook<Read>(hook: RunHook<Read>): RunHook {
  return hook;
}

/** The end state in a verdict; undefined: the task continues. A task that is being cancelled ends unless it continues. */
export function endOf(task: Task, verdict: Verdict<TaskKind>): End<TaskKind> | undefined {
  if ("ends" in verdict) return verdict.ends;
  return task.cancelling ? "cancelled" : undefined;
}

/** The verdict with further consequences, after those that it has. */
export function withConsequences(
  verdict: Verdict<TaskKind>,
  more: Consequences,
): Verdict<TaskKind> {
  const { append = [], edit = [], cancel = [], wake = [] } = verdict.consequences ?? {};
  const consequences: Consequences = {
    append: [...append, ...(more.append ?? [])],
    edit: [...edit, ...(more.edit ?? [])],
    cancel: [...cancel, ...(more.cancel ?? [])],
    wake: [...wake, ...(more.wake ?? [])],
  };
  return { ...verdict, consequences };
}

/** The verdict of a claimed task that must neither be read nor run now; undefined: it starts. */
export function beforeStart(
  task: Task,
  hooks: readonly RunHook[],
  facts: StartFacts,
): Verdict<TaskKind> | undefined {
  const step = nextStep(task, facts.concurrency, facts.now);
  if (step === "asleep") return waitVerdict(task, sleepAgain(task), hooks);
  if (step !== "run") return undefined;
  const verdict = firstOf(hooks, task, (hook) => hook.before?.(task, facts));
  return verdict && waitVerdict(task, verdict, hooks);
}

/** The reason of the first hook that postpones the start; undefined: none does. */
export function postponedBy(
  hooks: readonly RunHook[],
  task: Task,
  step: NextStep,
): string | undefined {
  if (step !== "turn" && step !== "run") return undefined;
  return firstOf(hooks, task, (hook) => hook.postpones?.(task));
}

/** The verdict of a task that waits, with the additions of the hooks. */
export function waitVerdict(
  task: Task,
  verdict: Verdict<TaskKind>,
  hooks: readonly RunHook[],
): Verdict<TaskKind> {
  const applying = hooks.filter((hook) => hook.applies(task));
  return applying.reduce((left, hook) => hook.waits?.(left, task) ?? left, verdict);
}

function firstOf<Found>(
  hooks: readonly RunHook[],
  task: Task,
  find: (hook: RunHook) => Found | undefined,
): Found | undefined {
  for (const hook of hooks) {
    const found = hook.applies(task) ? find(hook) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

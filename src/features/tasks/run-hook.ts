import type { Claimed } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { sleeps, startOf, type Start } from "./capacity.ts";
import type { TaskKind } from "./kind.ts";
import type { RunAttempt, RunResult } from "./outcome.ts";

type Task = Claimed<TaskKind>;

/** What a feature above adds to a run and its end. All that follows from it is written in the one settle of the task. */
export interface RunHook<Read = unknown> {
  /** Whether the task is one of its own; every other method is only asked about those. */
  applies(task: Task): boolean;
  /** Where a task that is about to run is left instead. Pure: asked again when the record was edited. */
  before?(task: Task, facts: StartFacts): Verdict<TaskKind> | undefined;
  /** Why a task that could start waits a few seconds more; undefined: it starts. */
  postpones?(task: Task): string | undefined;
  /** What the attempt means here: the task's own verdict is about that. Pure. */
  interpret?(attempt: RunAttempt, task: Task): RunResult;
  /** Reads what `finish` must know. Read again, without running again, when a consequence was refused. */
  read(task: Task, attempt: RunAttempt, reader: NoticeReader): Promise<Read>;
  /** The verdict, with what follows from it here. Pure. */
  finish(verdict: Verdict<TaskKind>, end: RunEnd<Read>): Verdict<TaskKind>;
  /** The verdict of a task that did not run: it waits, or is being cancelled while it waits. Pure. */
  waits?(verdict: Verdict<TaskKind>, task: Task): Verdict<TaskKind>;
  /** Whether a refused consequence is its own, and goes through when everything is read again. */
  refused?(error: DaybookError, read: Read): boolean;
}

export interface StartFacts extends Facts {
  /** The most of its runner at work at once. */
  readonly concurrency: number | undefined;
}

/** One attempt as a hook sees it at its end: as it was made, not as another hook reads it. */
export interface RunEnd<Read> extends Facts {
  readonly task: Task;
  readonly attempt: RunAttempt;
  readonly read: Read;
  readonly reader: NoticeReader;
}

/** A hook beside others that read other things: what one read is only ever given back to itself. */
export function runHook<Read>(hook: RunHook<Read>): RunHook {
  return hook;
}

/** How a verdict ends the task; undefined: it lives on. What is being cancelled ends when it does not go on. */
export function endOf(task: Task, verdict: Verdict<TaskKind>): End<TaskKind> | undefined {
  if ("ends" in verdict) return verdict.ends;
  return task.cancelling ? "cancelled" : undefined;
}

/** The verdict with more that follows from it, behind what followed already. */
export function followedBy(verdict: Verdict<TaskKind>, more: Consequences): Verdict<TaskKind> {
  const { append = [], edit = [], cancel = [], wake = [] } = verdict.consequences ?? {};
  const consequences: Consequences = {
    append: [...append, ...(more.append ?? [])],
    edit: [...edit, ...(more.edit ?? [])],
    cancel: [...cancel, ...(more.cancel ?? [])],
    wake: [...wake, ...(more.wake ?? [])],
  };
  return { ...verdict, consequences };
}

/** Where a task that was claimed is left without anything being read or run; undefined: it goes on. */
export function beforeStart(
  task: Task,
  hooks: readonly RunHook[],
  facts: StartFacts,
): Verdict<TaskKind> | undefined {
  const start = startOf(task, facts.concurrency, facts.now);
  if (start === "asleep") return waiting(task, sleeps(task), hooks);
  if (start !== "run") return undefined;
  const wait = firstOf(hooks, task, (hook) => hook.before?.(task, facts));
  return wait && waiting(task, wait, hooks);
}

/** Why a task that could start waits a few seconds more; undefined: it starts. */
export function postponedBy(
  hooks: readonly RunHook[],
  task: Task,
  start: Start,
): string | undefined {
  if (start !== "turn" && start !== "run") return undefined;
  return firstOf(hooks, task, (hook) => hook.postpones?.(task));
}

/** The verdict of a task that did not run, with what the hooks add to it. */
export function waiting(
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

import type { Claimed } from "../../kernel/record.ts";
import type { End } from "../../kernel/shape.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { NoticeReader } from "../notifications/undeliverable.ts";
import type { TaskKind } from "./kind.ts";
import type { RunAttempt, RunResult } from "./result.ts";

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
  return { ...verdict, consequences: consequences };
}

import type { Facts } from "../../kernel/controller.ts";
import { registry } from "../../kernel/port.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { DaybookError } from "../../platform/errors.ts";
import type { TaskKind } from "./kind.ts";

export type Task = Claimed<TaskKind>;

/** What is known of one attempt at its end. */
export interface RunAttempt {
  readonly result: "completed" | "failed";
  readonly text: string;
}

/** What a feature above adds to the end of a run. All of it is written in the one settle of the task. */
export interface RunHook<Read = unknown> {
  applies(task: Task): boolean;
  /** Why it does not start now; pure, before anything runs. */
  before?(task: Task, facts: Facts): Verdict<TaskKind> | undefined;
  /** What the attempt means here: asked before the task's own verdict, which may retry. */
  interpret?(attempt: RunAttempt, task: Task): RunAttempt;
  /** Reads what `finish` must know. */
  read(task: Task, attempt: RunAttempt): Promise<Read>;
  /** The verdict, with what follows from it here. Pure. */
  finish(
    verdict: Verdict<TaskKind>,
    end: { readonly task: Task; readonly read: Read } & Facts,
  ): Verdict<TaskKind>;
  /** The verdict of a task that did not run: it waits, or was cancelled while it waited. Pure. */
  waits?(verdict: Verdict<TaskKind>, task: Task): Verdict<TaskKind>;
  /** Whether a refused consequence is its own, and goes through when everything is read again. */
  refused?(error: DaybookError, read: Read): boolean;
}

export function runHook<Read>(hook: RunHook<Read>): RunHook {
  return hook;
}

export const runHooks = registry<RunHook>("tasks.runHooks");

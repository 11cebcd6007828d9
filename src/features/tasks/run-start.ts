import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { sleeps, startOf, type Start } from "./capacity.ts";
import type { TaskKind } from "./kind.ts";
import type { RunHook, StartFacts } from "./run-hook.ts";

type Task = Claimed<TaskKind>;

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

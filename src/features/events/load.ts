import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Start } from "../tasks/capacity.ts";
import { emptyOutcome, sameAttempt, type TaskKind } from "../tasks/kind.ts";
import type { Condition } from "./health.ts";
import { waitOf } from "./route.ts";

type Task = Claimed<TaskKind>;

/** What waits is looked at again. */
const lookMs = 10_000;

/** Why a task of a handler is not begun now; undefined: it is begun. */
export function strainOn(
  { body, outcome, priority }: Task,
  start: Start,
  { health, reason }: Condition,
): string | undefined {
  if (body.event === undefined || (start !== "turn" && start !== "run")) return undefined;
  // With its place it is about to begin; with its callback, only its end is read.
  if (outcome?.hasTurn === true || outcome?.callback !== undefined) return undefined;
  // Somebody asked for it just now, and sees how the machine is; or answered, and waits.
  if (body.slot !== undefined && body.slot.because !== "cadence") return undefined;
  if (body.event.answer !== undefined) return undefined;
  return waitOf(priority, health, reason);
}

/** It waits, and no attempt is counted. */
export function waitsForStrain(record: Task, note: string, facts: Facts): Verdict<TaskKind> {
  const { isInLine: _, ...outcome } = sameAttempt(record, record.outcome ?? emptyOutcome);
  const wakeAt = facts.now + Math.round(lookMs * (0.5 + facts.jitter / 2));
  return { state: "pending", wakeAt, freshStart: true, outcome, note };
}

import type { Claimed } from "../../kernel/record.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { Condition } from "./health.ts";
import { waitOf } from "./route.ts";

type Task = Claimed<TaskKind>;

/** Why a task of a handler is not begun now; undefined: it is begun. */
export function overloadFor(
  { body, outcome, priority }: Task,
  { health, reason }: Condition,
): string | undefined {
  // With its place it is about to begin; with its callback, only its end is read.
  if (outcome?.hasTurn === true || outcome?.callback !== undefined) return undefined;
  // Somebody asked for it just now, and sees how the machine is; or answered, and waits.
  if (body.slot !== undefined && body.slot.because !== "cadence") return undefined;
  if (body.event?.answer !== undefined) return undefined;
  return waitOf(priority, health, reason);
}

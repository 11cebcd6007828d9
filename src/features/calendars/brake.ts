import type { Step } from "./plan.ts";

/** A pass that would remove more than this many, and this share of our entries, stops and asks. */
const removalsMax = 3;
const shareMax = 0.1;

export interface Braked {
  readonly removals: number;
  readonly entries: number;
}

/** Whether a step removes something for another reason than the end of its record, or answers such a removal there. */
export function isDrastic(step: Step): boolean {
  if (step.do === "remove") return step.why === "hidden" || step.why === "orphan";
  if (step.do === "put") return step.why === "missing" || isDeletionConflict(step);
  return step.do === "cancel" || step.do === "doubt";
}

function isDeletionConflict(step: Extract<Step, { do: "put" }>): boolean {
  return step.why === "conflict" && step.known === null;
}

/** The brake for the steps of one pass over so many entries; null: they may be done. */
export function brakeFor(
  steps: readonly Step[],
  entries: number,
  confirmed: number,
): Braked | null {
  const removals = steps.filter(isDrastic).length;
  const isFew = removals <= Math.max(removalsMax, entries * shareMax);
  return isFew || removals <= confirmed ? null : { removals, entries };
}

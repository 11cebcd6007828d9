import type { WorkspaceOperation, WorkspaceOutcome } from "./kind.ts";

/** What is written down before an attempt at an operation: one that was begun goes on, another begins now. */
export function begun(
  outcome: WorkspaceOutcome,
  operation: WorkspaceOperation,
  now: number,
): WorkspaceOutcome {
  const goesOn = outcome.operation === operation;
  return {
    ...outcome,
    ...(goesOn ? {} : { operation, operationStartedAt: now, progress: null }),
    // What an earlier restore was whole by says nothing of one that is made anew.
    ...(operation === "RESTORING" ? { restoreMarker: null } : {}),
    // An archive from before the last run is not one of what is there now.
    ...(operation === "ARCHIVING" && !goesOn ? { opId: null } : {}),
  };
}

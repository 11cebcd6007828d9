import type { Claimed } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { afterBlindness, afterFault, errorLookMs } from "./failure.ts";
import { mismatch, type ErrorInfo } from "./fault.ts";
import type { WorkspaceOperation, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import type { Observation } from "./observation.ts";
import { planFor } from "./plan.ts";
import { levelIn, settledAt } from "./reached-level.ts";
import { liveOf, outcomeOf, type KeptAbout } from "./surroundings.ts";

type Workspace = Claimed<WorkspaceKind>;

/** What came of looking after a workspace once. */
export type KeptSeen =
  /** It was looked at. */
  | { readonly saw: "look"; readonly observation: Observation; readonly about: KeptAbout }
  /** An operation has come to its end; `outcome` as it was saved in its course. */
  | {
      readonly saw: "done";
      readonly operation: WorkspaceOperation;
      readonly outcome: WorkspaceOutcome;
      readonly observation: Observation;
      readonly about: KeptAbout;
    }
  | {
      readonly saw: "fault";
      readonly fault: ErrorInfo;
      readonly outcome: WorkspaceOutcome;
      readonly about: KeptAbout;
    }
  /** Nobody could be asked what is there: that is not absence. */
  | { readonly saw: "unseen"; readonly reason: string; readonly about: KeptAbout }
  /** This node stops, or is no more to do it. */
  | { readonly saw: "stopped"; readonly outcome: WorkspaceOutcome };

/** Where what was seen leaves the workspace. */
export function afterKeeping(
  record: Workspace,
  seen: KeptSeen,
  facts: Facts,
): Verdict<WorkspaceKind> {
  switch (seen.saw) {
    case "look":
      return afterLook(record, seen.observation, seen.about, facts);
    case "done":
      return afterOperation(record, seen, facts);
    case "fault":
      return afterFault({ ...record, outcome: seen.outcome }, seen.fault, seen.about, facts);
    case "unseen":
      return afterBlindness(record, seen.reason, seen.about, facts);
    case "stopped":
      return {
        state: liveOf(record),
        outcome: seen.outcome,
        wakeAt: facts.now,
        freshStart: true,
        note: "given back: the node stopped",
      };
  }
}

function afterLook(
  record: Workspace,
  observation: Observation,
  about: KeptAbout,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const plan = planFor(record, observation);
  if (plan.do === "end")
    return {
      ends: "deleted",
      note: plan.why,
      outcome: { ...outcomeOf(record), observedAt: facts.now, operation: null },
    };
  if (plan.do === "blame") return afterFault(record, mismatch(plan, null, facts.now), about, facts);
  if (record.state === "error")
    return { unchanged: plan.do === null ? facts.now + errorLookMs : facts.now };
  const level = levelIn(observation, outcomeOf(record));
  return settledAt(record, { level, outcome: outcomeOf(record), about }, facts);
}

function afterOperation(
  record: Workspace,
  { operation, outcome, observation, about }: KeptSeen & { saw: "done" },
  facts: Facts,
): Verdict<WorkspaceKind> {
  const over: WorkspaceOutcome = {
    ...outcome,
    operation: null,
    operationStartedAt: null,
    progress: null,
    errorInfo: null,
    errorCount: 0,
    observedAt: facts.now,
    // A new volume is restored from nothing before it is; an archive that is done is known by its key.
    ...(operation === "ARCHIVING" ? { opId: null, restoreMarker: null } : {}),
  };
  if (operation === "DELETING")
    return { ends: "deleted", outcome: over, note: "deleted, and nothing of it is left" };
  return settledAt(
    record,
    { level: levelIn(observation, over), outcome: over, about, note: `${operation} is done` },
    facts,
  );
}

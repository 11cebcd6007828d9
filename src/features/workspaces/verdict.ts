import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { capacityChange } from "./capacity.ts";
import { mismatchError, type ErrorInfo } from "./error-info.ts";
import { unreachableVerdict, errorVerdict, errorCheckMs } from "./error-verdict.ts";
import {
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
  unobservedWorkspace,
  type Level,
  stateOf,
} from "./kind.ts";
import { type Observation, levelOf } from "./observation.ts";
import { planFor } from "./plan.ts";
import { nextObservationAt, chosenLevel } from "./sleep.ts";
import { liveOf, outcomeOf, type VerdictContext, wakesOf } from "./verdict-context.ts";

type Workspace = Claimed<WorkspaceKind>;

/** The result of one reconciliation. */
export type WorkspaceObserved =
  /** It was observed, and no operation is due. */
  | {
      readonly saw: "observed";
      readonly observation: Observation;
      readonly context: VerdictContext;
    }
  /** An operation is done; it saved this outcome. */
  | {
      readonly saw: "done";
      readonly operation: WorkspaceOperation;
      readonly outcome: WorkspaceOutcome;
      readonly observation: Observation;
      readonly context: VerdictContext;
    }
  | {
      readonly saw: "error";
      readonly error: ErrorInfo;
      readonly outcome: WorkspaceOutcome;
      readonly context: VerdictContext;
    }
  /** The machines did not answer, which is not absence. */
  | { readonly saw: "unreachable"; readonly reason: string; readonly context: VerdictContext }
  /** This node stops, or lost the lease. */
  | { readonly saw: "stopped"; readonly outcome: WorkspaceOutcome };

/** Follows from what was observed, never from the success of an operation. */
export function workspaceVerdict(
  record: Workspace,
  seen: WorkspaceObserved,
  facts: Facts,
): Verdict<WorkspaceKind> {
  switch (seen.saw) {
    case "observed":
      return afterObservation(record, seen.observation, seen.context, facts);
    case "done":
      return afterOperation(record, seen, facts);
    case "error":
      return errorVerdict({ ...record, outcome: seen.outcome }, seen.error, seen.context, facts);
    case "unreachable":
      return unreachableVerdict(record, seen.reason, seen.context, facts);
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

function afterObservation(
  record: Workspace,
  observation: Observation,
  context: VerdictContext,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const plan = planFor(record, observation);
  if (plan.do === "end")
    return {
      ends: "deleted",
      note: plan.why,
      outcome: { ...outcomeOf(record), observedAt: facts.now, operation: null },
    };
  if (plan.do === "blame") {
    return errorVerdict(record, mismatchError(plan, null, facts.now), context, facts);
  }
  if (record.state === "error")
    return { unchanged: plan.do === null ? facts.now + errorCheckMs : facts.now };
  const level = levelIn(observation, outcomeOf(record));
  return verdictAt(record, { level, outcome: outcomeOf(record), context }, facts);
}

function afterOperation(
  record: Workspace,
  { operation, outcome, observation, context }: WorkspaceObserved & { saw: "done" },
  facts: Facts,
): Verdict<WorkspaceKind> {
  const isArchived = operation === "ARCHIVING";
  const after: WorkspaceOutcome = {
    ...outcome,
    operation: null,
    operationStartedAt: null,
    progress: null,
    errorInfo: null,
    errorCount: 0,
    observedAt: facts.now,
    // The archive is known by its key from now on, and a later volume is not restored yet.
    opId: isArchived ? null : outcome.opId,
    restoreMarker: isArchived ? null : outcome.restoreMarker,
  };
  if (operation === "DELETING")
    return { ends: "deleted", outcome: after, note: "deleted, and nothing of it is left" };
  const level = levelIn(observation, after);
  return verdictAt(record, { level, outcome: after, context, note: `${operation} is done` }, facts);
}

/** How often an observation without a change is written. */
const observedMsMax = 60 * 60_000;

/** The observed level. */
interface Reached {
  readonly level: Level;
  readonly outcome: WorkspaceOutcome;
  readonly context: VerdictContext;
  readonly note?: string;
}

/** The verdict at a level: if an operation is due next it is claimed at once, otherwise later. */
function verdictAt(record: Workspace, reached: Reached, { now }: Facts): Verdict<WorkspaceKind> {
  const { level, context, note } = reached;
  const { outcome, choice } = withChoice(record, reached, now);
  const after: Workspace = { ...record, state: stateOf(level), outcome };
  const isWorkLeft = planFor(after, observationAt(level, outcome)).do !== null;
  const use = { now, slotAt: context.slotAt };
  const { pollMs, limits, isFull = false } = context;
  const wakeAt = isWorkLeft ? now : nextObservationAt(after, level, { use, pollMs });
  const isOld = now - (outcome.observedAt ?? 0) > observedMsMax;
  const news = note ?? (choice && reasonOf(choice));
  if (news === undefined && !isChanged(record, after) && !isOld) return { unchanged: wakeAt };
  const isUp = level === "RUNNING" && (record.state !== "running" || note !== undefined);
  return {
    state: stateOf(level),
    outcome: { ...outcome, observedAt: now },
    wakeAt,
    freshStart: true,
    // A workspace that runs without a request is stopped, and needs no slot for that.
    holds: isFull && level === "RUNNING" ? undefined : capacityChange(record, after, limits),
    note: news,
    consequences: isUp ? { wake: wakesOf(record, context) } : undefined,
  };
}

/** The outcome with the level that is chosen, if one is. */
function withChoice(
  record: Workspace,
  { level, outcome, context }: Reached,
  now: number,
): { outcome: WorkspaceOutcome; choice: NonNullable<WorkspaceOutcome["own"]> | undefined } {
  const seen: WorkspaceOutcome = { ...outcome, unseen: null, errorInfo: null, errorCount: 0 };
  if (context.isFull === true || record.body.deletedAt !== null)
    return { outcome: seen, choice: undefined };
  const reached = { ...record, state: stateOf(level), outcome: seen };
  const choice = chosenLevel(reached, level, { now, slotAt: context.slotAt });
  return { outcome: choice === undefined ? seen : { ...seen, own: choice }, choice };
}

function isChanged(
  before: LedgerRecord<WorkspaceKind>,
  after: LedgerRecord<WorkspaceKind>,
): boolean {
  const { unseen, errorInfo, errorCount } = before.outcome ?? unobservedWorkspace;
  return before.state !== after.state || unseen !== null || errorInfo !== null || errorCount !== 0;
}

function reasonOf({ desired, because }: NonNullable<WorkspaceOutcome["own"]>): string {
  return because === "slot"
    ? "woken ahead of its next slot"
    : `${desired}: it was not used for a while`;
}

/** The observation that stands for a level in a plan. */
function observationAt(level: Level, { restoreMarker }: WorkspaceOutcome): Observation {
  return {
    machine: level === "RUNNING" ? "running" : null,
    volume: level === "PENDING" ? null : { marker: restoreMarker },
  };
}

function levelIn(observation: Observation, { restoreMarker }: WorkspaceOutcome): Level {
  const seen = levelOf(observation, restoreMarker);
  return "level" in seen ? seen.level : "PENDING";
}

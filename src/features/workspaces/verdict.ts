import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { capacityChange } from "./capacity.ts";
import { liveOf, outcomeOf, type WorkspaceFacts, wakesOf } from "./facts.ts";
import { afterUnreachable, afterFault, errorCheckMs } from "./failure.ts";
import { mismatch, type ErrorInfo } from "./fault.ts";
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
import { nextObservationAt, ownLevel } from "./sleep.ts";

type Workspace = Claimed<WorkspaceKind>;

/** The result of one reconciliation. */
export type WorkspaceObserved =
  /** It was observed, and nothing is to be done. */
  | { readonly saw: "observed"; readonly observation: Observation; readonly about: WorkspaceFacts }
  /** An operation is done; `outcome` as it was saved in its course. */
  | {
      readonly saw: "done";
      readonly operation: WorkspaceOperation;
      readonly outcome: WorkspaceOutcome;
      readonly observation: Observation;
      readonly about: WorkspaceFacts;
    }
  | {
      readonly saw: "fault";
      readonly fault: ErrorInfo;
      readonly outcome: WorkspaceOutcome;
      readonly about: WorkspaceFacts;
    }
  /** The machines did not answer: that is not absence. */
  | { readonly saw: "unseen"; readonly reason: string; readonly about: WorkspaceFacts }
  /** This node stops, or has lost the lease. */
  | { readonly saw: "stopped"; readonly outcome: WorkspaceOutcome };

/** Decides by what was observed. */
export function workspaceVerdict(
  record: Workspace,
  seen: WorkspaceObserved,
  facts: Facts,
): Verdict<WorkspaceKind> {
  switch (seen.saw) {
    case "observed":
      return afterObservation(record, seen.observation, seen.about, facts);
    case "done":
      return afterOperation(record, seen, facts);
    case "fault":
      return afterFault({ ...record, outcome: seen.outcome }, seen.fault, seen.about, facts);
    case "unseen":
      return afterUnreachable(record, seen.reason, seen.about, facts);
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
  about: WorkspaceFacts,
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
    return { unchanged: plan.do === null ? facts.now + errorCheckMs : facts.now };
  const level = levelIn(observation, outcomeOf(record));
  return settledAt(record, { level, outcome: outcomeOf(record), about }, facts);
}

function afterOperation(
  record: Workspace,
  { operation, outcome, observation, about }: WorkspaceObserved & { saw: "done" },
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

/** An observation that changes nothing is written this often. */
const observedMsMax = 60 * 60_000;

/** The level it was observed at. */
interface Reached {
  readonly level: Level;
  readonly outcome: WorkspaceOutcome;
  readonly about: WorkspaceFacts;
  readonly note?: string;
}

/** It was observed at a level: when an operation is left it is due at once, otherwise later. */
function settledAt(record: Workspace, reached: Reached, { now }: Facts): Verdict<WorkspaceKind> {
  const { level, about, note } = reached;
  const { outcome, choice } = chosen(record, reached, now);
  const after: Workspace = { ...record, state: stateOf(level), outcome };
  const isWorkLeft = planFor(after, observationAt(level, outcome)).do !== null;
  const use = { now, slotAt: about.slotAt };
  const wakeAt = isWorkLeft ? now : nextObservationAt(after, level, { use, pollMs: about.pollMs });
  const isOld = now - (outcome.observedAt ?? 0) > observedMsMax;
  const news = note ?? (choice && reasonOf(choice));
  if (news === undefined && !isChanged(record, after) && !isOld) return { unchanged: wakeAt };
  const isUp = level === "RUNNING" && (record.state !== "running" || note !== undefined);
  return {
    state: stateOf(level),
    outcome: { ...outcome, observedAt: now },
    wakeAt,
    freshStart: true,
    // One that runs unrequested is stopped, within its limit or not.
    ...(about.isFull === true && level === "RUNNING"
      ? {}
      : capacityChange(record, after, about.limits)),
    ...(news === undefined ? {} : { note: news }),
    ...(isUp ? { consequences: { wake: wakesOf(record, about) } } : {}),
  };
}

/** The outcome, with the level that is chosen for it unless another was requested. */
function chosen(
  record: Workspace,
  { level, outcome, about }: Reached,
  now: number,
): { outcome: WorkspaceOutcome; choice: NonNullable<WorkspaceOutcome["own"]> | undefined } {
  const seen: WorkspaceOutcome = { ...outcome, unseen: null, errorInfo: null, errorCount: 0 };
  if (about.isFull === true || record.body.deletedAt !== null)
    return { outcome: seen, choice: undefined };
  const reached = { ...record, state: stateOf(level), outcome: seen };
  const choice = ownLevel(reached, level, { now, slotAt: about.slotAt });
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

/** What a plan needs of an observation at this level. */
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

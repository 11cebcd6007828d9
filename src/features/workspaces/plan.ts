import type { LedgerRecord } from "../../kernel/record.ts";
import { archiveKeyOf } from "./archives.ts";
import {
  unobservedWorkspace,
  type Level,
  type WorkspaceKind,
  type WorkspaceOperation,
  type WorkspaceOutcome,
} from "./kind.ts";
import { type Observation, describeObservation, hasVolume, levelOf } from "./observation.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** The next operation of a workspace, and why. */
export type Plan =
  | { readonly do: WorkspaceOperation; readonly why: string }
  /** It is reconciled, or nothing may be done. */
  | { readonly do: null; readonly why: string }
  /** It was deleted, and nothing of it exists. */
  | { readonly do: "end"; readonly why: string }
  /** What exists matches no level. */
  | { readonly do: "blame"; readonly expected: string; readonly actual: string };

/** Compares the observed state with the desired one. Pure. Deletion comes first, ERROR stays. */
export function planFor(record: Workspace, observation: Observation): Plan {
  const { body, state } = record;
  const outcome = record.outcome ?? unobservedWorkspace;
  if (body.deletedAt !== null) {
    const isGone = observation.machine === null && observation.volume === null;
    if (isGone) return { do: "end", why: "it was deleted, and nothing of it is left" };
    return { do: "DELETING", why: "it was deleted" };
  }
  if (state === "error") return { do: null, why: "it is in ERROR until a person recovers it" };
  if (outcome.operation !== null) {
    return { do: outcome.operation, why: "it was started and has not ended" };
  }
  const seen = levelOf(observation, outcome.restoreMarker);
  if (!("level" in seen)) return { do: "blame", ...seen };
  const desired = desiredOf(body, outcome);
  const next = nextOperation(seen.level, desired, outcome.archiveKey);
  const why = `it is ${seen.level}, and ${desired} is desired`;
  return { do: next, why };
}

/** The desired level: the last one requested, or the one that was chosen since. */
export function desiredOf(
  { desired, asks }: Pick<WorkspaceKind["body"], "desired" | "asks">,
  outcome: Pick<WorkspaceOutcome, "own"> | null,
): Level {
  const own = outcome?.own ?? null;
  return own !== null && own.asks === asks ? own.desired : desired;
}

/** One level at a time. */
function nextOperation(
  level: Level,
  desired: Level,
  archiveKey: string | null,
): WorkspaceOperation | null {
  if (level === desired) return null;
  switch (level) {
    case "PENDING":
      return archiveKey === null ? "PROVISIONING" : "RESTORING";
    case "STANDBY":
      return desired === "RUNNING" ? "STARTING" : "ARCHIVING";
    case "RUNNING":
      return "STOPPING";
  }
}

/** What an operation still lacks, by the observation and not by its success. Null: it is done. */
export function missingFrom(
  operation: WorkspaceOperation,
  observation: Observation,
  { id, outcome }: { id: string; outcome: WorkspaceOutcome },
): { expected: string; actual: string } | null {
  const isDone = ends[operation](observation, outcome, id);
  if (isDone) return null;
  return { expected: expected[operation], actual: describeObservation(observation) };
}

type IsDone = (observation: Observation, outcome: WorkspaceOutcome, id: string) => boolean;

const ends: Readonly<Record<WorkspaceOperation, IsDone>> = {
  PROVISIONING: (observation, { restoreMarker }) => hasVolume(observation, restoreMarker),
  RESTORING: ({ volume }, { archiveKey, restoreMarker }) =>
    archiveKey !== null && volume?.marker === archiveKey && restoreMarker === archiveKey,
  STARTING: (observation, { restoreMarker }) =>
    observation.machine === "running" && hasVolume(observation, restoreMarker),
  STOPPING: (observation, { restoreMarker }) =>
    observation.machine === null && hasVolume(observation, restoreMarker),
  ARCHIVING: ({ volume }, { archiveKey, opId }, id) =>
    volume === null && opId !== null && archiveKey === archiveKeyOf(id, opId),
  DELETING: ({ machine, volume }) => machine === null && volume === null,
};

const expected: Readonly<Record<WorkspaceOperation, string>> = {
  PROVISIONING: "a volume",
  RESTORING: "a volume that was completely restored from its archive",
  STARTING: "a running machine on its volume",
  STOPPING: "no machine, and its volume",
  ARCHIVING: "no volume, and its archive",
  DELETING: "nothing",
};

const minuteMs = 60_000;
const timeoutsMs: Readonly<Record<WorkspaceOperation, number>> = {
  PROVISIONING: 5 * minuteMs,
  RESTORING: 30 * minuteMs,
  ARCHIVING: 30 * minuteMs,
  STARTING: 5 * minuteMs,
  STOPPING: 5 * minuteMs,
  DELETING: 10 * minuteMs,
};

/** The time limit of an operation, over all attempts at it. */
export function operationTimeoutMs(operation: WorkspaceOperation): number {
  return timeoutsMs[operation];
}

import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, type DaybookError } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { slotsAhead } from "../schedules/index.ts";
import type { OperatingOptions } from "./actuator.ts";
import { workspaceAttempt } from "./attempt.ts";
import type { RunningLimits } from "./capacity.ts";
import type { WorkspaceFacts } from "./facts.ts";
import { workspaceLimitOf } from "./holds.ts";
import {
  unobservedWorkspace,
  workspaceQueue,
  type WorkspaceOperation,
  type WorkspaceKind,
  workspaceKind,
  stateOf,
} from "./kind.ts";
import { type Observation, levelOf } from "./observation.ts";
import { directObserver, batchedObserver, turns } from "./observer.ts";
import { planFor, type Plan } from "./plan.ts";
import { workspaceVerdict, type WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

/** The settings at this moment. */
export interface WorkspaceSettings {
  readonly limits: RunningLimits;
  readonly pollMs: number;
  /** Where administrators are notified of a workspace in ERROR. */
  readonly administrator: string | null;
}

export interface WorkspacesOptions extends OperatingOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  settings(): WorkspaceSettings;
  /** Operations of this node at once; observing costs next to nothing, and is not counted. */
  operationsAtOnce: number;
}

const reasonCharsMax = 500;

/** Reconciles workspaces with their desired state: observes, plans, acts, observes again. Observations decide, never actions. */
export function workspaceController(
  options: WorkspacesOptions,
): Controller<WorkspaceKind, WorkspaceObserved> {
  const { machines, clock, settings } = options;
  const observeTogether = batchedObserver(machines, clock);
  const slotAt = slotsAhead(options.ledger, clock);
  const operate = workspaceAttempt(options);
  const lookAt = directObserver(machines, clock);
  const inTurn = turns(options.operationsAtOnce);

  const aboutOf = async ({ owner, body }: Workspace): Promise<WorkspaceFacts> => ({
    ...settings(),
    slotAt: await slotAt(owner, body.name),
    reader: await options.profile(owner),
  });
  const look = async (record: Workspace, signal: AbortSignal): Promise<Observation> => {
    const { observation, isList } = await observeTogether(record.id, signal);
    // A list may be older than the last operation: before anything is changed it is observed directly.
    return isList && !isReconciled(record, observation) ? lookAt(record.id, signal) : observation;
  };
  return {
    name: "workspaces",
    kind: workspaceKind,
    queue: workspaceQueue(machines.place),
    async act(record, handle) {
      const about = await aboutOf(record);
      const outcome = record.outcome ?? unobservedWorkspace;
      let observation: Observation;
      try {
        observation = await look(record, handle.signal);
      } catch (error) {
        if (handle.signal.aborted) return { saw: "stopped", outcome };
        return { saw: "unseen", reason: cut(harmless(messageOf(error)), reasonCharsMax), about };
      }
      const operation = operationIn(planFor(record, observation));
      if (operation === undefined || isUnrecorded(record, observation))
        return { saw: "observed", observation, about };
      return inTurn(() => operate(record, operation, { handle, about }));
    },
    decide: workspaceVerdict,
    observeAgain(_record, seen, refused) {
      if (!("about" in seen)) return Promise.resolve(seen);
      return Promise.resolve({
        ...seen,
        about: { ...seen.about, ...factsFrom(seen.about, refused) },
      });
    },
  };
}

/** The facts that a refused write reveals. */
function factsFrom(
  { forgotten = [] }: WorkspaceFacts,
  { code, details }: DaybookError,
): Partial<WorkspaceFacts> {
  if (workspaceLimitOf(details["name"]) !== undefined) return { isFull: true };
  const { id } = details;
  return code === "not_found" && typeof id === "string" ? { forgotten: [...forgotten, id] } : {};
}

function operationIn({ do: next }: Plan): WorkspaceOperation | undefined {
  return next === null || next === "end" || next === "blame" ? undefined : next;
}

/** What exists is what was written: nothing to do, nothing to record. */
function isReconciled(record: Workspace, observation: Observation): boolean {
  return planFor(record, observation).do === null && !isUnrecorded(record, observation);
}

/** It is at another level than recorded, and no operation of ours explains it: that is recorded first. */
function isUnrecorded({ state, body, outcome }: Workspace, observation: Observation): boolean {
  if (state === "error" || body.deletedAt !== null || (outcome?.operation ?? null) !== null)
    return false;
  const seen = levelOf(observation, outcome?.restoreMarker ?? null);
  return "level" in seen && stateOf(seen.level) !== state;
}

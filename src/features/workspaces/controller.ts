import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, type DaybookError } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { slotsAhead } from "../schedules/index.ts";
import type { ActuatorOptions } from "./actuator.ts";
import { workspaceAttempt } from "./attempt.ts";
import type { RunningLimits } from "./capacity.ts";
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
import { directObserver, batchedObserver, limiter } from "./observer.ts";
import { planFor, type Plan } from "./plan.ts";
import type { VerdictContext } from "./verdict-context.ts";
import { workspaceVerdict, type WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

/** The current settings. */
export interface WorkspaceSettings {
  readonly limits: RunningLimits;
  readonly pollMs: number;
  /** Where administrators are notified of a workspace in ERROR. */
  readonly administrator: string | null;
}

export interface WorkspacesOptions extends ActuatorOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  settings(): WorkspaceSettings;
  /** The most operations of this node at once. Observations cost little, and are not counted. */
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
  const observeOne = directObserver(machines, clock);
  const limited = limiter(options.operationsAtOnce);

  const contextOf = async ({ owner, body }: Workspace): Promise<VerdictContext> => ({
    ...settings(),
    slotAt: await slotAt(owner, body.name),
    reader: await options.profile(owner),
  });
  const observe = async (record: Workspace, signal: AbortSignal): Promise<Observation> => {
    const { observation, isList } = await observeTogether(record.id, signal);
    // A list may be older than the last operation, so a workspace is observed directly before any change.
    const isCertain = !isList || isReconciled(record, observation);
    return isCertain ? observation : observeOne(record.id, signal);
  };
  return {
    name: "workspaces",
    kind: workspaceKind,
    queue: workspaceQueue(machines.location),
    async act(record, handle) {
      const context = await contextOf(record);
      const outcome = record.outcome ?? unobservedWorkspace;
      let observation: Observation;
      try {
        observation = await observe(record, handle.signal);
      } catch (error) {
        if (handle.signal.aborted) return { saw: "stopped", outcome };
        const reason = cut(harmless(messageOf(error)), reasonCharsMax);
        return { saw: "unreachable", reason, context };
      }
      const operation = operationIn(planFor(record, observation));
      if (operation === undefined || isUnrecorded(record, observation)) {
        return { saw: "observed", observation, context };
      }
      return limited(() => operate(record, operation, { handle, context }));
    },
    decide: workspaceVerdict,
    async observeAgain(_record, seen, refused) {
      return "context" in seen ? { ...seen, context: learnedFrom(seen.context, refused) } : seen;
    },
  };
}

/** The context with the fact that a refused write reveals. */
function learnedFrom(context: VerdictContext, { code, details }: DaybookError): VerdictContext {
  if (workspaceLimitOf(details["name"]) !== undefined) return { ...context, isFull: true };
  const { id } = details;
  if (code !== "not_found" || typeof id !== "string") return context;
  return { ...context, missingTasks: [...(context.missingTasks ?? []), id] };
}

function operationIn({ do: next }: Plan): WorkspaceOperation | undefined {
  return next === null || next === "end" || next === "blame" ? undefined : next;
}

/** What exists is what was recorded: there is nothing to do, and nothing to record. */
function isReconciled(record: Workspace, observation: Observation): boolean {
  return planFor(record, observation).do === null && !isUnrecorded(record, observation);
}

/** It is at another level than recorded, and no operation explains that: the level is recorded first. */
function isUnrecorded({ state, body, outcome }: Workspace, observation: Observation): boolean {
  if (state === "error" || body.deletedAt !== null || (outcome?.operation ?? null) !== null)
    return false;
  const seen = levelOf(observation, outcome?.restoreMarker ?? null);
  return "level" in seen && stateOf(seen.level) !== state;
}

import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, type DaybookError } from "../../platform/errors.ts";
import { cut, harmless } from "../../platform/text.ts";
import { slotsAhead } from "../schedules/slots-ahead.ts";
import { workspaceAttempt } from "./attempt.ts";
import { workspaceLimitOf } from "./holds.ts";
import {
  unseenWorkspace,
  workspaceQueue,
  type WorkspaceOperation,
  type WorkspaceKind,
  workspaceKind,
} from "./kind.ts";
import { levelOf } from "./level.ts";
import type { Observation } from "./observation.ts";
import { closeLook, sightings } from "./observations.ts";
import type { OperatingOptions } from "./operations-at-work.ts";
import { planFor, type Plan } from "./plan.ts";
import { stateOf, type RunningLimits } from "./request.ts";
import type { KeptAbout } from "./surroundings.ts";
import { turns } from "./turnstile.ts";
import { afterKeeping, type KeptSeen } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

/** What is set at this moment. */
export interface WorkspaceSettings {
  readonly limits: RunningLimits;
  readonly pollMs: number;
  /** Where who looks after the machines hears of what cannot be mended by itself. */
  readonly administrator: string | null;
}

export interface WorkspacesOptions extends OperatingOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  settings(): WorkspaceSettings;
  /** Operations of this node at once; looking costs next to nothing, and is not counted. */
  operationsAtOnce: number;
}

const reasonCharsMax = 500;

/** Holds workspaces in the state that is asked for: looks, plans, acts, looks again. Sensors decide, never actuators. */
export function workspaces(options: WorkspacesOptions): Controller<WorkspaceKind, KeptSeen> {
  const { machines, clock, settings } = options;
  const seenWithOthers = sightings(machines, clock);
  const slotAt = slotsAhead(options.ledger, clock);
  const operate = workspaceAttempt(options);
  const lookAt = closeLook(machines, clock);
  const inTurn = turns(options.operationsAtOnce);

  const aboutOf = async ({ owner, body }: Workspace): Promise<KeptAbout> => ({
    ...settings(),
    slotAt: await slotAt(owner, body.name),
    reader: await options.profile(owner),
  });
  const look = async (record: Workspace, signal: AbortSignal): Promise<Observation> => {
    const { observation, isList } = await seenWithOthers(record.id, signal);
    // A list may be older than what was done: before anything is changed it is looked closer.
    return isList && !isAsItShouldBe(record, observation) ? lookAt(record.id, signal) : observation;
  };
  return {
    name: "workspaces",
    kind: workspaceKind,
    queue: workspaceQueue(machines.place),
    async act(record, handle) {
      const about = await aboutOf(record);
      const outcome = record.outcome ?? unseenWorkspace;
      let observation: Observation;
      try {
        observation = await look(record, handle.signal);
      } catch (error) {
        if (handle.signal.aborted) return { saw: "stopped", outcome };
        return { saw: "unseen", reason: cut(harmless(messageOf(error)), reasonCharsMax), about };
      }
      const operation = operationIn(planFor(record, observation));
      if (operation === undefined || isNews(record, observation))
        return { saw: "look", observation: observation, about };
      return inTurn(() => operate(record, operation, { handle: handle, about }));
    },
    decide: afterKeeping,
    reread(_record, seen, refused) {
      if (!("about" in seen)) return Promise.resolve(seen);
      return Promise.resolve({ ...seen, about: { ...seen.about, ...learnt(seen.about, refused) } });
    },
  };
}

/** What could not be written says what was not known. */
function learnt(
  { forgotten = [] }: KeptAbout,
  { code, details }: DaybookError,
): Partial<KeptAbout> {
  if (workspaceLimitOf(details["name"]) !== undefined) return { isFull: true };
  const { id } = details;
  return code === "not_found" && typeof id === "string" ? { forgotten: [...forgotten, id] } : {};
}

function operationIn({ do: next }: Plan): WorkspaceOperation | undefined {
  return next === null || next === "end" || next === "blame" ? undefined : next;
}

/** What is there is what was written: nothing is to be done and nothing to be said. */
function isAsItShouldBe(record: Workspace, observation: Observation): boolean {
  return planFor(record, observation).do === null && !isNews(record, observation);
}

/** It is at another level than is written, and no operation of ours explains it: that is written first. */
function isNews({ state, body, outcome }: Workspace, observation: Observation): boolean {
  if (state === "error" || body.deletedAt !== null || (outcome?.operation ?? null) !== null)
    return false;
  const seen = levelOf(observation, outcome?.restoreMarker ?? null);
  return "level" in seen && stateOf(seen.level) !== state;
}

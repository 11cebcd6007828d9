import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { unseenWorkspace, type Level, type WorkspaceOutcome, type WorkspaceKind } from "./kind.ts";
import { levelOf } from "./level.ts";
import type { Observation } from "./observation.ts";
import { planFor } from "./plan.ts";
import { placeChange, stateOf } from "./request.ts";
import { nextLookAt, ownChoice } from "./sleep.ts";
import { wakesOf, type KeptAbout } from "./surroundings.ts";

type Workspace = Claimed<WorkspaceKind>;

/** An observation that says the same is written this often. */
const observedMsMax = 60 * 60_000;

/** The level it was seen at, and what is known with that. */
export interface Reached {
  readonly level: Level;
  readonly outcome: WorkspaceOutcome;
  readonly about: KeptAbout;
  readonly note?: string;
}

/** It was seen at a level: what follows is looked for at once, and when there is nothing, later. */
export function settledAt(
  record: Workspace,
  reached: Reached,
  { now }: Facts,
): Verdict<WorkspaceKind> {
  const { level, about, note } = reached;
  const { outcome, choice } = chosen(record, reached, now);
  const after: Workspace = { ...record, state: stateOf(level), outcome };
  const isWorkLeft = planFor(after, sightingAt(level, outcome)).do !== null;
  const use = { now, slotAt: about.slotAt };
  const wakeAt = isWorkLeft ? now : nextLookAt(after, level, { use, pollMs: about.pollMs });
  const isOld = now - (outcome.observedAt ?? 0) > observedMsMax;
  const news = note ?? (choice && whyOf(choice));
  if (news === undefined && !isChanged(record, after) && !isOld) return { unchanged: wakeAt };
  const isUp = level === "RUNNING" && (record.state !== "running" || note !== undefined);
  return {
    state: stateOf(level),
    outcome: { ...outcome, observedAt: now },
    wakeAt,
    freshStart: true,
    // One that runs unasked is stopped, whether or not there is a place for it.
    ...(about.isFull === true && level === "RUNNING"
      ? {}
      : placeChange(record, after, about.limits)),
    ...(news === undefined ? {} : { note: news }),
    ...(isUp ? { consequences: { wake: wakesOf(record, about) } } : {}),
  };
}

/** What is known of it now, with the level that is chosen for it if nobody asked for another. */
function chosen(
  record: Workspace,
  { level, outcome, about }: Reached,
  now: number,
): { outcome: WorkspaceOutcome; choice: NonNullable<WorkspaceOutcome["own"]> | undefined } {
  const seen: WorkspaceOutcome = { ...outcome, unseen: null, errorInfo: null, errorCount: 0 };
  if (about.isFull === true || record.body.deletedAt !== null)
    return { outcome: seen, choice: undefined };
  const reached = { ...record, state: stateOf(level), outcome: seen };
  const choice = ownChoice(reached, level, { now, slotAt: about.slotAt });
  return { outcome: choice === undefined ? seen : { ...seen, own: choice }, choice };
}

function isChanged(
  before: LedgerRecord<WorkspaceKind>,
  after: LedgerRecord<WorkspaceKind>,
): boolean {
  const { unseen, errorInfo, errorCount } = before.outcome ?? unseenWorkspace;
  return before.state !== after.state || unseen !== null || errorInfo !== null || errorCount !== 0;
}

function whyOf({ desired, because }: NonNullable<WorkspaceOutcome["own"]>): string {
  return because === "slot"
    ? "woken ahead of its next slot"
    : `${desired}: it was not used for a while`;
}

/** As much of what is there as a plan asks for. */
function sightingAt(level: Level, { restoreMarker }: WorkspaceOutcome): Observation {
  return {
    machine: level === "RUNNING" ? "running" : null,
    volume: level === "PENDING" ? null : { marker: restoreMarker },
  };
}

export function levelIn(observation: Observation, { restoreMarker }: WorkspaceOutcome): Level {
  const seen = levelOf(observation, restoreMarker);
  return "level" in seen ? seen.level : "PENDING";
}

import {
  type Level,
  type WorkspaceKind,
  type WorkspaceOutcome,
  workspaceKind,
} from "../../features/workspaces/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { SimEngine } from "../simulator/simulated-engine.ts";
import type { SimStorage } from "../simulator/simulated-storage.ts";
import type { Watch } from "./calls.ts";

/** What is known of workspaces, from what was done where they live. */
export interface WorkspaceModel {
  /** Where they live; null: there are none. */
  backend: Backend | null;
  /** The newest that anybody has put into each: it must never be lost. */
  readonly newestContent: Map<string, string>;
  /** How often something went wrong for one since it was well. */
  readonly faultCounts: Map<string, number>;
  /** When something that is not its node's doing last changed what is there of it. */
  readonly ranUntil: Map<string, number>;
  /** Until when each archive was needed, by its unit. */
  readonly neededUntil: Map<string, number>;
  /** Those that were as they should be since. */
  readonly converged: Set<string>;
  /** What stood in the ledger when it was: until something else does, nothing is done. */
  readonly convergedStates: Map<string, string>;
  /** What was chosen for each without being asked. */
  readonly choices: Map<string, string>;
  /** Whose each is that is to run. */
  readonly toRun: Map<string, string>;
  /** When each was asked for something last. */
  readonly requestedAt: Map<string, number>;
  /** Since when nothing goes wrong any more; Infinity: it still does. */
  healedAt: number;
}

export interface Backend {
  readonly engine: SimEngine;
  readonly storage: SimStorage;
  readonly limits: { readonly perOwner: number; readonly inAll: number };
  readonly administrator: string;
}

export function emptyWorkspaceModel(): WorkspaceModel {
  return {
    backend: null,
    newestContent: new Map(),
    faultCounts: new Map(),
    ranUntil: new Map(),
    neededUntil: new Map(),
    converged: new Set(),
    convergedStates: new Map(),
    choices: new Map(),
    toRun: new Map(),
    requestedAt: new Map(),
    healedAt: Infinity,
  };
}

export type Workspace = LedgerRecord<WorkspaceKind>;

export function workspaceAt({ engine, model }: Watch, id: string): Workspace | undefined {
  const owner = model.facts.get(id)?.owner ?? "";
  const record = engine.get({ who: { owner, by: "oracle" }, id });
  return is(workspaceKind, record) ? record : undefined;
}

/** What is to be true of it: what was asked, or what was chosen since nobody asked again. */
export function desiredLevel(body: WorkspaceKind["body"], outcome: WorkspaceOutcome | null): Level {
  const own = outcome?.own;
  return own != null && own.asks === body.asks ? own.desired : body.desired;
}

/** What is there of it, whatever the ledger says. */
export function actualLevel(record: Workspace, { engine }: Backend): Level | "broken" {
  const { machine, volume } = engine.at(record.id);
  const isVolume =
    volume !== null && (volume.marker === null || volume.marker === record.outcome?.restoreMarker);
  if (!isVolume) return machine === null ? "PENDING" : "broken";
  return machine === "running" ? "RUNNING" : "STANDBY";
}

/** The part of a key that an archive and what is beside it have in common. */
export function unitOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/** The archives that it needs for as long as it lives: the one that stands for its volume, and the one that is being made. */
export function neededBy({ id, endedAt, body, outcome }: Workspace): readonly string[] {
  if (endedAt !== null || body.deletedAt !== null || outcome === null) return [];
  const { archiveKey, opId } = outcome;
  return [
    ...(archiveKey === null ? [] : [unitOf(archiveKey)]),
    ...(opId === null ? [] : [`archives/${id}/${opId}/`]),
  ];
}

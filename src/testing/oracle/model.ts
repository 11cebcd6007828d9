import type { Kind } from "../../kernel/kind.ts";
import type { Consequences } from "../../kernel/unit.ts";
import { emptyEventWork, type EventWork } from "./event-notes.ts";
import { emptyFacts, type Facts, type Group, type Version } from "./facts.ts";
import type { NagNotes } from "./nags.ts";
import type { Settings } from "./quiet-hours.ts";
import type { SchedulePlan } from "./slots.ts";
import { emptyWorkspaceModel, type WorkspaceModel } from "./workspace-notes.ts";

export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

export interface Model {
  /** Of the program and of the workloads, by name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  readonly facts: Map<string, Facts>;
  /** Whose text it is; what the system says by itself is not here. */
  readonly byText: Map<string, Facts>;
  /** Consequences without an id, by owner and key: what they may say. */
  readonly unnamed: Map<string, Version[]>;
  /** Which hour each notice's key stands for, and the other way round. */
  readonly noticeHours: Map<string, string>;
  /** What each owner has set, since when. */
  readonly profiles: Map<string, Settings[]>;
  /** What listeners confirmed: target, listener, id. */
  readonly acks: Set<string>;
  readonly groups: Map<string, Group>;
  /** Ids of consequences whose unit was refused: they must never be seen. */
  readonly refused: Set<string>;
  /** Steps that a relay settled, and children that stand in the history: they must be the same. */
  readonly stepsSettled: Set<string>;
  readonly stepsWritten: Set<string>;
  /** Every schedule, and what is known of it. */
  readonly plans: Map<string, SchedulePlan>;
  /** Every nag, which one each of its notifications says, and who has which minute of an owner. */
  readonly nags: NagNotes;
  /** Events, the tasks of their handlers, and what those asked. */
  readonly eventWork: EventWork;
  /** Workspaces, and what is there of them. */
  readonly workspaces: WorkspaceModel;
  /** Tasks that were handed out: their schedule, and how often a run was begun. */
  readonly runs: Map<string, { readonly schedule: string; starts: number }>;
  /** Which record each key stands for. */
  readonly keys: Map<string, string>;
  readonly violations: Violation[];
  /** The newest the store's clock has ever been. */
  storeNowMax: number;
  /** The most the store's clock was ever ahead of the kernel's. */
  offsetMax: number;
  endedBeforeMax: number;
  /** Rises with everything that is put in order. */
  order: number;
}

export function emptyModel(kinds: readonly Kind[]): Model {
  return {
    kinds: new Map(kinds.map((kind) => [kind.name, kind])),
    facts: new Map(),
    byText: new Map(),
    unnamed: new Map(),
    noticeHours: new Map(),
    profiles: new Map(),
    acks: new Set(),
    groups: new Map(),
    refused: new Set(),
    stepsSettled: new Set(),
    stepsWritten: new Set(),
    plans: new Map(),
    nags: { plans: new Map(), nagOf: new Map(), minutes: new Map() },
    eventWork: emptyEventWork(),
    workspaces: emptyWorkspaceModel(),
    runs: new Map(),
    keys: new Map(),
    violations: [],
    storeNowMax: 0,
    offsetMax: -Infinity,
    endedBeforeMax: 0,
    order: 0,
  };
}

export function factsOf(model: Model, id: string): Facts {
  const known = model.facts.get(id);
  if (known !== undefined) return known;
  const facts = emptyFacts(id);
  model.facts.set(id, facts);
  return facts;
}

/** Says that something which must always be true is not. The run stops at the first. */
export function checkInvariant(
  model: Model,
  holds: boolean,
  invariant: string,
  detail: () => string,
): void {
  if (!holds) model.violations.push({ invariant, detail: detail() });
}

/** Nothing of a refused unit may ever be seen. */
export function refuse(model: Model, consequences: Consequences | undefined): void {
  for (const { id } of consequences?.append ?? []) {
    if (id !== undefined && model.facts.get(id)?.row == null) model.refused.add(id);
  }
}

/** A place in the order of everything that happened. */
export function nextOrder(model: Model): number {
  model.order += 1;
  return model.order;
}

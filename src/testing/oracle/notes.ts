import type { Kind } from "../../kernel/kind.ts";
import type { Consequences } from "../../kernel/unit.ts";
import { alwaysNotes, type AlwaysNotes } from "./always-notes.ts";
import { nothingOf, type Facts, type Group, type Version } from "./facts.ts";
import type { Settings } from "./hours.ts";
import type { NagNotes } from "./nags.ts";
import type { Plan } from "./slots.ts";
import { whenNotes, type WhenNotes } from "./when-notes.ts";

export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

export interface Notes {
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
  readonly stepsFollowed: Set<string>;
  /** Every schedule, and what is known of it. */
  readonly plans: Map<string, Plan>;
  /** Every nag, which one each of its notifications says, and who has which minute of an owner. */
  readonly nags: NagNotes;
  /** Events, the tasks of their handlers, and what those asked. */
  readonly when: WhenNotes;
  /** Workspaces, and what is there of them. */
  readonly always: AlwaysNotes;
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

export function notes(kinds: readonly Kind[]): Notes {
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
    stepsFollowed: new Set(),
    plans: new Map(),
    nags: { plans: new Map(), sayings: new Map(), minutes: new Map() },
    when: whenNotes(),
    always: alwaysNotes(),
    runs: new Map(),
    keys: new Map(),
    violations: [],
    storeNowMax: 0,
    offsetMax: -Infinity,
    endedBeforeMax: 0,
    order: 0,
  };
}

export function factsOf(notes: Notes, id: string): Facts {
  const known = notes.facts.get(id);
  if (known !== undefined) return known;
  const facts = nothingOf(id);
  notes.facts.set(id, facts);
  return facts;
}

/** Says that something which must always be true is not. The run stops at the first. */
export function demand(
  notes: Notes,
  holds: boolean,
  invariant: string,
  detail: () => string,
): void {
  if (!holds) notes.violations.push({ invariant, detail: detail() });
}

/** Nothing of a refused unit may ever be seen. */
export function refuse(notes: Notes, consequences: Consequences | undefined): void {
  for (const { id } of consequences?.append ?? []) {
    if (id !== undefined && notes.facts.get(id)?.row == null) notes.refused.add(id);
  }
}

/** A place in the order of everything that happened. */
export function nextOrder(notes: Notes): number {
  notes.order += 1;
  return notes.order;
}

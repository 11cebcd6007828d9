import type { Change } from "../../ledger/reading.ts";
import type { Follows } from "../../rules/unit.ts";
import type { Life } from "../simulator/kernel.ts";

/** What the oracle knows of one record, from what it saw pass, never from the record itself. */
export interface Facts {
  readonly id: string;
  owner: string;
  /** Every body it ever had, in order; the last is in force. */
  readonly versions: Version[];
  /** Names it competes for. */
  group: Group | null;
  /** The newest row of its history, and the one that ended it. */
  row: Change | null;
  end: Change | null;
  /** A cancel was answered `cancelling`. */
  cancelling: boolean;
  fence: number;
  attempt: number;
  /** The newest lease, until it is settled. */
  lease: { life: Life; until: number } | null;
  /** Its own time: it must not be handed out before. */
  readyAt: number;
  /** The earliest wake that came under the lease. */
  wokenAt: number | null;
  /** What each life was handed, and did with it. */
  readonly works: Map<Life, Works>;
  /** The outcome that the newest settle wrote. */
  outcome: { readonly receipt: unknown; readonly maybeDelivered: boolean } | null;
  readonly arrivals: number[];
  /** Bytes that the store said it has. */
  readonly output: number[];
  /** What names the message on every attempt. */
  messageId: string | null;
}

interface Version {
  readonly text: string;
  readonly at: number;
  /** When it could be sent at the earliest: its time, or when it was written. */
  readonly from: number;
}

/** One life's dealings with one record. */
export interface Works {
  claims: number;
  /** Given back without an attempt. */
  unstarted: number;
  sends: number;
  /** Leases it ended, and how many it says it ended. */
  settles: number;
  settlesSaid: number;
  /** In kernel time: the newest claim, and how long that lease was. */
  claimedAt: number;
  leaseMs: number;
  /** How many had arrived, by earlier attempts, at the newest claim. */
  arrivals: number;
  readonly versions: Version[];
}

/** `size` names which live records may have; one each. */
export interface Group {
  readonly name: string;
  readonly size: number;
  readonly live: Set<string>;
}

export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

export interface Notes {
  readonly facts: Map<string, Facts>;
  /** Whose text it is. */
  readonly byText: Map<string, Facts>;
  readonly groups: Map<string, Group>;
  /** Ids of consequences whose unit was refused: they must never be seen. */
  readonly refused: Set<string>;
  /** Steps that a relay settled, and children that stand in the history: they must be the same. */
  readonly stepsSettled: Set<string>;
  readonly stepsFollowed: Set<string>;
  /** Which record each key stands for. */
  readonly keys: Map<string, string>;
  readonly violations: Violation[];
  /** The newest the store's clock has ever been. */
  storeNowMax: number;
  endedBeforeMax: number;
}

export function notes(): Notes {
  return {
    facts: new Map(),
    byText: new Map(),
    groups: new Map(),
    refused: new Set(),
    stepsSettled: new Set(),
    stepsFollowed: new Set(),
    keys: new Map(),
    violations: [],
    storeNowMax: 0,
    endedBeforeMax: 0,
  };
}

export function factsOf(notes: Notes, id: string): Facts {
  const known = notes.facts.get(id);
  if (known !== undefined) return known;
  const facts: Facts = {
    id,
    owner: "",
    versions: [],
    group: null,
    row: null,
    end: null,
    cancelling: false,
    fence: 0,
    attempt: 0,
    lease: null,
    readyAt: 0,
    wokenAt: null,
    works: new Map(),
    outcome: null,
    arrivals: [],
    output: [],
    messageId: null,
  };
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

export function worksOf(facts: Facts, life: Life): Works {
  const known = facts.works.get(life);
  if (known !== undefined) return known;
  const counts = { claims: 0, unstarted: 0, sends: 0, settles: 0, settlesSaid: 0, arrivals: 0 };
  const works: Works = { ...counts, claimedAt: 0, leaseMs: 0, versions: [] };
  facts.works.set(life, works);
  return works;
}

/** Nothing of a refused unit may ever be seen. */
export function refuse(notes: Notes, follows: Follows | undefined): void {
  for (const { id } of follows?.append ?? []) {
    if (id !== undefined && notes.facts.get(id)?.row == null) notes.refused.add(id);
  }
}

import type { Kind } from "../../kernel/kind.ts";
import type { Change } from "../../kernel/reading.ts";
import type { Priority } from "../../kernel/record.ts";
import type { Consequences } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import type { Life } from "../simulator/kernel.ts";
import { alwaysNotes, type AlwaysNotes } from "./always-notes.ts";
import type { Settings } from "./hours.ts";
import type { NagNotes } from "./nags.ts";
import type { Plan } from "./slots.ts";
import { whenNotes, type WhenNotes } from "./when-notes.ts";

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
  outcome: Outcome | null;
  /** What its key stands for, as text. */
  asked: string;
  /** Every part that reached its reader. */
  readonly arrivals: Arrival[];
  /** Every attempt in which a listener was shown it, by its number in `sends`. */
  readonly shows: Map<number, { readonly text: string; readonly order: number }>;
  /** Every time that a digest with it arrived as a whole. */
  readonly together: Together[];
  /** Attempts that began to say it, and those whose fate the node heard in time. */
  sends: number;
  known: number;
  /** A lease ran out under an attempt. */
  lapsed: boolean;
  /** How many parts of a text are written down as said, and since when. */
  readonly saved: Map<string, { readonly count: number; readonly order: number }>;
  /** What a digest was first made of. */
  members: readonly string[] | null;
  /** What a digest said, by its whole text: who was in it, and with which words. */
  readonly lines: Map<string, readonly Line[]>;
  /** Digests it waited for. */
  readonly digests: Set<string>;
  /** When a cancel was acknowledged. */
  cancelledOrder: number | null;
  /** Bytes that the store said it has, and in which stream. */
  readonly output: number[];
  stream: string;
}

export interface Outcome {
  readonly receipt: Json;
  readonly maybeDelivered: boolean;
  readonly digest?: string;
}

export interface Line {
  readonly id: string;
  readonly text: string;
}

export interface Together {
  readonly text: string;
  readonly order: number;
  readonly digest: string;
  /** The digest's own time. */
  readonly at: number;
}

export interface Arrival {
  readonly text: string;
  readonly part: number;
  readonly of: number;
  readonly receipt: number;
  readonly order: number;
}

export interface Version {
  readonly text: string;
  readonly at: number;
  readonly target: string;
  readonly type: string;
  readonly expiresAt: number;
  readonly atMostOnce: boolean;
  /** The message that begins the thread it belongs in. */
  readonly thread: string | null;
  /** When it could be sent at the earliest: its time, or when it was written. */
  readonly from: number;
  /** When it was written, among everything that happened. */
  readonly order: number;
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
  /** In kernel time: the newest claim or keep, and how long that lease was. */
  claimedAt: number;
  leaseMs: number;
  /** The newest claim's place among everything that happened, and the store's time then. */
  order: number;
  claimedStoreAt: number;
  /** The same of the claim before, while its attempt may not have begun: its answer may be late. */
  earlierStoreAt: number | null;
  /** When the record was claimed for the attempt that runs: keeps do not move it. */
  attemptAt: number;
  priority: Priority;
  /** The whole text of the newest send. */
  saying: string;
  /** What it wrote down that a digest is made of. */
  members: readonly string[] | null;
  /** What the channel last said of it. */
  heard: string;
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

/** A record that was forgotten is made anew under its id: only what it says is the same. */
export function startAnew(facts: Facts): void {
  const { owner, versions } = facts;
  Object.assign(facts, nothingOf(facts.id), { owner, versions });
}

function nothingOf(id: string): Facts {
  return {
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
    asked: "",
    arrivals: [],
    shows: new Map(),
    together: [],
    sends: 0,
    known: 0,
    lapsed: false,
    saved: new Map(),
    members: null,
    lines: new Map(),
    digests: new Set(),
    cancelledOrder: null,
    output: [],
    stream: "",
  };
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
  const counts = { claims: 0, unstarted: 0, sends: 0, settles: 0, settlesSaid: 0, order: 0 };
  const times = { claimedAt: 0, leaseMs: 0, claimedStoreAt: 0, attemptAt: 0, earlierStoreAt: null };
  const works: Works = {
    ...counts,
    ...times,
    priority: "normal",
    saying: "",
    members: null,
    heard: "",
    versions: [],
  };
  facts.works.set(life, works);
  return works;
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

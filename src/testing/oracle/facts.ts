import type { Change } from "../../kernel/query.ts";
import type { Priority } from "../../kernel/record.ts";
import type { Json } from "../../platform/json.ts";
import type { VirtualProcess } from "../simulator/kernel.ts";

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
  lease: { process: VirtualProcess; until: number } | null;
  /** Its own time: it must not be handed out before. */
  readyAt: number;
  /** The earliest wake that came under the lease. */
  wokenAt: number | null;
  /** What each life was handed, and did with it. */
  readonly work: Map<VirtualProcess, ProcessWork>;
  /** The outcome that the newest settle wrote. */
  outcome: Outcome | null;
  /** What its key stands for, as text. */
  requested: string;
  /** Every part that reached its reader. */
  readonly arrivals: Arrival[];
  /** Every attempt in which a listener was shown it, by its number in `sends`. */
  readonly shows: Map<number, { readonly text: string; readonly order: number }>;
  /** Every time that a digest with it arrived as a whole. */
  readonly digestArrivals: DigestArrival[];
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

export interface DigestArrival {
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
export interface ProcessWork {
  claims: number;
  /** Given back without an attempt. */
  unstarted: number;
  sends: number;
  /** Leases it ended, and how many it says it ended. */
  settles: number;
  settlesReported: number;
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
  sentText: string;
  /** What it wrote down that a digest is made of. */
  members: readonly string[] | null;
  /** What the channel last said of it. */
  channelResult: string;
  readonly versions: Version[];
}

/** A record that was forgotten is made anew under its id: only what it says is the same. */
export function resetFacts(facts: Facts): void {
  const { owner, versions } = facts;
  Object.assign(facts, emptyFacts(facts.id), { owner, versions });
}

export function emptyFacts(id: string): Facts {
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
    work: new Map(),
    outcome: null,
    requested: "",
    arrivals: [],
    shows: new Map(),
    digestArrivals: [],
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

export function workOf(facts: Facts, process: VirtualProcess): ProcessWork {
  const known = facts.work.get(process);
  if (known !== undefined) return known;
  const counts = { claims: 0, unstarted: 0, sends: 0, settles: 0, settlesReported: 0, order: 0 };
  const times = { claimedAt: 0, leaseMs: 0, claimedStoreAt: 0, attemptAt: 0, earlierStoreAt: null };
  const work: ProcessWork = {
    ...counts,
    ...times,
    priority: "normal",
    sentText: "",
    members: null,
    channelResult: "",
    versions: [],
  };
  facts.work.set(process, work);
  return work;
}

/** `size` names which live records may have; one each. */
export interface Group {
  readonly name: string;
  readonly size: number;
  readonly live: Set<string>;
}

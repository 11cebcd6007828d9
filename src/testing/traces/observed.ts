import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Leased } from "../../kernel/work-unit.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";

export type Command<V extends Verb = Verb> = {
  [K in V]: { readonly verb: K; readonly input: Verbs[K]["input"] };
}[V];

/** A record as an earlier answer showed it. */
export interface KnownRecord {
  id: string;
  owner: string;
  kind: string;
  revision: number;
}

export type Lease = Leased & Pick<KnownRecord, "kind" | "owner">;

/** What earlier answers showed, in their order. Commands choose from it by index, so that a seed makes the same calls
 * on every store, whatever ids and cursors the store makes. */
export interface Observed {
  readonly records: Map<string, KnownRecord>;
  /** Leases that the trace has not settled. */
  leases: Lease[];
  readonly spent: Lease[];
  /** Where each record's output ends. */
  readonly sizes: Map<string, number>;
  pageAfter: string | undefined;
  feedAfter: string | undefined;
  queueAfter: string | undefined;
}

export function nothingObserved(): Observed {
  return {
    records: new Map(),
    leases: [],
    spent: [],
    sizes: new Map(),
    pageAfter: undefined,
    feedAfter: undefined,
    queueAfter: undefined,
  };
}

type Observers = {
  [V in Verb]?: (observed: Observed, answer: Verbs[V]["answer"], input: Verbs[V]["input"]) => void;
};

const observers: Observers = {
  append: (observed, { record }) => observeRecords(observed, record ? [record] : []),
  get: (observed, record) => observeRecords(observed, record ? [record] : []),
  edit: (observed, record) => observeRecords(observed, [record]),
  cancel: (observed, { record }) => observeRecords(observed, [record]),
  list(observed, { records, next }) {
    observeRecords(observed, records);
    observed.pageAfter = next ?? undefined;
  },
  inQueue(observed, { records, next }) {
    observeRecords(observed, records);
    observed.queueAfter = next ?? undefined;
  },
  changes(observed, { cursor }) {
    observed.feedAfter = cursor;
  },
  claim(observed, { records }) {
    observeRecords(observed, records);
    for (const { id, lease, kind, owner } of records) {
      observed.leases.push({ id, fence: lease.fence, kind, owner });
    }
  },
  settle(observed, answers, units) {
    for (const [index, answer] of answers.entries()) {
      if (answer.result === "moved") observeRecords(observed, [answer.record]);
      if (answer.result === "settled") spend(observed, units[index]?.id);
    }
  },
  write(observed, answer, { id }) {
    if ("size" in answer) observed.sizes.set(id, answer.size);
  },
};

export function observe<V extends Verb>(
  observed: Observed,
  { verb, input }: Command<V>,
  answer: Verbs[V]["answer"],
): void {
  const observer: Observers[V] = observers[verb];
  observer?.(observed, answer, input);
}

function spend(observed: Observed, id: string | undefined): void {
  observed.spent.push(...observed.leases.filter((lease) => lease.id === id));
  observed.leases = observed.leases.filter((lease) => lease.id !== id);
}

function observeRecords(observed: Observed, records: readonly KnownRecord[]): void {
  for (const { id, owner, kind, revision } of records) {
    observed.records.set(id, { id, owner, kind, revision });
  }
}

/** One of the newest, in most calls. */
export function oneRecent<T>(random: Random, from: readonly T[]): T | undefined {
  const newest = chance(random, 0.7) ? Math.min(from.length, 6) : from.length;
  return from[from.length - 1 - intBelow(random, newest)];
}

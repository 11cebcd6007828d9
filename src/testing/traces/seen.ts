import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Leased } from "../../kernel/work-unit.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";

export type Command<V extends Verb = Verb> = {
  [K in V]: { readonly verb: K; readonly input: Verbs[K]["input"] };
}[V];

/** A record as the trace knows it: the store may know better by now. */
export interface Known {
  id: string;
  owner: string;
  kind: string;
  revision: number;
}

export type Lease = Leased & Pick<Known, "kind" | "owner">;

/** What earlier answers told, in the order they told it. Commands choose from it by index, so that
 * the same seed asks the same things of every store, whatever ids and cursors it makes. */
export interface Seen {
  readonly records: Map<string, Known>;
  /** Not settled, as far as is known. */
  leases: Lease[];
  readonly spent: Lease[];
  /** Where each record's output ends. */
  readonly sizes: Map<string, number>;
  pageAfter: string | undefined;
  feedAfter: string | undefined;
  queueAfter: string | undefined;
}

export function nothingSeen(): Seen {
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

type Learners = {
  [V in Verb]?: (seen: Seen, answer: Verbs[V]["answer"], input: Verbs[V]["input"]) => void;
};

const learners: Learners = {
  append: (seen, { record }) => learnRecords(seen, record ? [record] : []),
  get: (seen, record) => learnRecords(seen, record ? [record] : []),
  edit: (seen, record) => learnRecords(seen, [record]),
  cancel: (seen, { record }) => learnRecords(seen, [record]),
  list(seen, { records, next }) {
    learnRecords(seen, records);
    seen.pageAfter = next ?? undefined;
  },
  inQueue(seen, { records, next }) {
    learnRecords(seen, records);
    seen.queueAfter = next ?? undefined;
  },
  changes(seen, { cursor }) {
    seen.feedAfter = cursor;
  },
  claim(seen, { records }) {
    learnRecords(seen, records);
    for (const { id, lease, kind, owner } of records) {
      seen.leases.push({ id, fence: lease.fence, kind, owner });
    }
  },
  settle(seen, answers, units) {
    for (const [index, answer] of answers.entries()) {
      if (answer.result === "moved") learnRecords(seen, [answer.record]);
      if (answer.result === "settled") spend(seen, units[index]?.id);
    }
  },
  write(seen, answer, { id }) {
    if ("size" in answer) seen.sizes.set(id, answer.size);
  },
};

export function learn<V extends Verb>(
  seen: Seen,
  { verb, input }: Command<V>,
  answer: Verbs[V]["answer"],
): void {
  const learner: Learners[V] = learners[verb];
  learner?.(seen, answer, input);
}

function spend(seen: Seen, id: string | undefined): void {
  seen.spent.push(...seen.leases.filter((lease) => lease.id === id));
  seen.leases = seen.leases.filter((lease) => lease.id !== id);
}

function learnRecords(seen: Seen, records: readonly Known[]): void {
  for (const { id, owner, kind, revision } of records) {
    seen.records.set(id, { id, owner, kind, revision });
  }
}

/** One of the newest, most of the time. */
export function oneOf<T>(random: Random, from: readonly T[]): T | undefined {
  const newest = chance(random, 0.7) ? Math.min(from.length, 6) : from.length;
  return from[from.length - 1 - intBelow(random, newest)];
}

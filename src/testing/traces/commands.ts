import type { Who } from "../../kernel/unit.ts";
import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Keep, Leased, Settle } from "../../kernel/work-unit.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import {
  anyRecord,
  choose,
  consequences,
  draft,
  edit,
  maybe,
  someHolds,
  timeAround,
  type Making,
} from "./drafts.ts";
import { oneOf, type Command, type Lease } from "./seen.ts";

const weights: readonly [Verb, ...Verb[]] = [
  ...repeat("append", 22),
  ...repeat("edit", 10),
  ...repeat("cancel", 8),
  ...repeat("claim", 18),
  ...repeat("keep", 8),
  ...repeat("settle", 18),
  ...repeat("move", 5),
  ...repeat("write", 6),
  ...repeat("read", 3),
  ...repeat("prune", 6),
  ...repeat("get", 2),
  ...repeat("list", 5),
  ...repeat("changes", 5),
  ...repeat("inQueue", 4),
  ...repeat("stats", 2),
];

function repeat(verb: Verb, count: number): [Verb, ...Verb[]] {
  return [verb, ...Array.from({ length: count - 1 }, () => verb)];
}

export function nextCommand(make: Making): Command {
  const verb = pick(make.random, weights);
  const makers: { [V in Verb]: (make: Making) => Verbs[V]["input"] } = inputs;
  return { verb, input: makers[verb](make) } as Command;
}

const inputs: { readonly [V in Verb]: (make: Making) => Verbs[V]["input"] } = {
  append(make) {
    const who = whoever(make.random);
    return { who, draft: draft(make), ...consequences(make, who.owner) };
  },
  edit(make) {
    const asked = edit(make);
    const who = whoseIs(make, asked.id);
    return { who, edit: asked, ...consequences(make, who.owner) };
  },
  cancel(make) {
    const { id } = anyRecord(make);
    const who = whoseIs(make, id);
    const reason = maybe(make.random, 0.5, () => ({ reason: "enough" }));
    return { who, cancel: { id, ...reason }, ...consequences(make, who.owner) };
  },
  get(make) {
    const { id } = anyRecord(make);
    return { who: whoseIs(make, id), id };
  },
  list({ random, seen }) {
    const { pageAfter: after } = seen;
    const query = {
      limit: 1 + intBelow(random, 6),
      ...maybe(random, 0.3, () => ({ live: chance(random, 0.5) })),
      ...maybe(random, 0.3, () => ({ order: choose(random, ["oldest", "newest"]) })),
      ...maybe(random, 0.2, () => ({ kind: choose(random, ["node", "chore"]) })),
      ...maybe(random, 0.2, () => ({ state: choose(random, ["running", "cancelled"]) })),
      ...(after !== undefined && chance(random, 0.7) ? { after } : {}),
    };
    return { who: whoever(random), query };
  },
  changes(make) {
    const { random, seen } = make;
    const { feedAfter: after } = seen;
    const query = {
      limit: 1 + intBelow(random, 12),
      ...maybe(random, 0.2, () => ({ id: anyRecord(make).id })),
      ...(after !== undefined && chance(random, 0.7) ? { after } : {}),
    };
    return { who: whoever(random), query };
  },
  read(make) {
    const { random, seen } = make;
    const { id } = oneOf(random, seen.leases) ?? anyRecord(make);
    const query = { id, stream: "out", offset: intBelow(random, 8), limit: intBelow(random, 8) };
    return { who: whoseIs(make, id), query };
  },
  claim({ random }) {
    const kind = choose(random, ["node", "node", "chore"]);
    return {
      kind,
      holder: choose(random, ["w1", "w2"]),
      leaseMs: 10 + intBelow(random, 80),
      limit: 1 + intBelow(random, 4),
      ...maybe(random, 0.15, () => ({ queue: `${kind}@a` })),
      ...maybe(random, 0.2, () => ({ lane: choose(random, ["x", "y"]) })),
      ...maybe(random, 0.2, () => ({ except: [choose(random, ["x", "y"])] })),
      ...maybe(random, 0.3, () => ({ lowFirst: true })),
    };
  },
  keep: (make) => units(make, keepUnit),
  settle: (make) => units(make, settleUnit),
  move(make) {
    const { random } = make;
    const queue = choose(random, ["node", "node", "chore", "node@a"]);
    const to = choose(random, [0, make.now, timeAround(make), make.now + 100]);
    return { queue, lane: choose(random, ["x", "x", "y"]), to, limit: 1 + intBelow(random, 4) };
  },
  write(make) {
    const { random, seen } = make;
    const leased = someLease(make);
    const end = seen.sizes.get(leased.id) ?? 0;
    const offset = chance(random, 0.8) ? end : intBelow(random, 6);
    const bytes = Uint8Array.from({ length: intBelow(random, 5) }, () => intBelow(random, 256));
    return { ...leased, stream: "out", offset, bytes };
  },
  prune: (make) => ({
    endedBefore: timeAround(make),
    limit: 1 + intBelow(make.random, 5),
    ...maybe(make.random, 0.2, () => ({ endedFrom: timeAround(make) })),
    ...maybe(make.random, 0.3, () => ({
      of: [
        { kind: "node" },
        { kind: "chore", has: choose(make.random, ["name", "none"]) },
      ] as const,
    })),
  }),
  inQueue({ random, seen }) {
    const { queueAfter: after } = seen;
    return {
      queue: choose(random, ["node", "node", "chore", "node@a"]),
      limit: 1 + intBelow(random, 4),
      ...(after !== undefined && chance(random, 0.7) ? { after } : {}),
    };
  },
  stats: () => null,
};

function whoever(random: Random): Who {
  const owner = choose(random, ["ann", "ann", "ann", "bob"]);
  return { owner, by: `${owner}@${choose(random, ["cli", "chat"])}` };
}

/** The record's owner, most of the time. */
function whoseIs({ random, seen }: Making, id: string): Who {
  const owner = seen.records.get(id)?.owner;
  if (owner === undefined || chance(random, 0.08)) return whoever(random);
  return { owner, by: `${owner}@cli` };
}

function units<T>(make: Making, one: (make: Making) => T): T[] {
  return Array.from({ length: 1 + intBelow(make.random, 3) }, () => one(make));
}

function leaseOf({ random, seen }: Making): Lease {
  const none = { id: "nobody", fence: 1, owner: "ann", kind: "node" } as const;
  return oneOf(random, chance(random, 0.9) ? seen.leases : seen.spent) ?? none;
}

function fenced({ random }: Making, { id, fence }: Lease): Leased {
  return { id, fence: chance(random, 0.94) ? fence : fence + choose(random, [-1, 1]) };
}

function someLease(make: Making): Leased {
  return fenced(make, leaseOf(make));
}

function keepUnit(make: Making): Keep {
  const { random } = make;
  return {
    ...someLease(make),
    leaseMs: 10 + intBelow(random, 80),
    ...maybe(random, 0.3, () => ({ outcome: { reason: "half" } })),
    ...maybe(random, 0.2, () => ({ note: "kept" })),
  };
}

function settleUnit(make: Making): Settle {
  const { random, seen } = make;
  const lease = leaseOf(make);
  const leased = fenced(make, lease);
  const known = seen.records.get(leased.id)?.revision ?? 1;
  const revision = chance(random, 0.93) ? known : known + 1;
  if (chance(random, 0.2)) {
    const rests = maybe(random, 0.5, () => ({ revision }));
    return { ...leased, unstarted: true, wakeAt: timeAround(make), ...rests };
  }
  const unit = {
    ...leased,
    revision,
    ...maybe(random, 0.4, () => ({ outcome: { reason: "seen" } })),
    ...maybe(random, 0.2, () => ({ holds: someHolds(random) })),
    ...maybe(random, 0.15, () => ({ queue: choose(random, [lease.kind, `${lease.kind}@a`]) })),
    ...maybe(random, 0.2, () => ({ note: "settled" })),
    ...consequences(make, lease.owner),
  };
  const isNode = lease.kind === "node";
  if (chance(random, 0.4)) return { ...unit, ends: isNode ? "stopped" : "cancelled" };
  return {
    ...unit,
    state: isNode ? "running" : "waiting",
    ...maybe(random, 0.7, () => ({ wakeAt: timeAround(make) })),
    ...maybe(random, 0.2, () => ({ freshStart: true })),
  };
}

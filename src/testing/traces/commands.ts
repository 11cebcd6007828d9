import type { Actor } from "../../kernel/unit.ts";
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
  type CommandContext,
} from "./drafts.ts";
import { oneRecent, type Command, type Lease } from "./observed.ts";

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

/** A start that leaves out few characters: with the time alone, other records would share it in one store and not in another. */
function startOf(id: string, random: Random): string {
  return id.slice(0, id.length - intBelow(random, Math.min(id.length, 8)));
}

export function nextCommand(context: CommandContext): Command {
  const verb = pick(context.random, weights);
  const inputsOf: { [V in Verb]: (context: CommandContext) => Verbs[V]["input"] } = inputs;
  return { verb, input: inputsOf[verb](context) } as Command;
}

const inputs: { readonly [V in Verb]: (context: CommandContext) => Verbs[V]["input"] } = {
  append(context) {
    const who = anyWho(context.random);
    return { who, draft: draft(context), ...consequences(context, who.owner) };
  },
  edit(context) {
    const request = edit(context);
    const who = whoOf(context, request.id);
    return { who, edit: request, ...consequences(context, who.owner) };
  },
  cancel(context) {
    const { id } = anyRecord(context);
    const who = whoOf(context, id);
    const reason = maybe(context.random, 0.5, () => ({ reason: "enough" }));
    return { who, cancel: { id, ...reason }, ...consequences(context, who.owner) };
  },
  get(context) {
    const { id } = anyRecord(context);
    return { who: whoOf(context, id), id };
  },
  list(context) {
    const { random, observed } = context;
    const { pageAfter: after } = observed;
    const query = {
      limit: 1 + intBelow(random, 6),
      ...maybe(random, 0.3, () => ({ live: chance(random, 0.5) })),
      ...maybe(random, 0.3, () => ({ order: choose(random, ["oldest", "newest"]) })),
      ...maybe(random, 0.2, () => ({ kind: choose(random, ["node", "chore"]) })),
      ...maybe(random, 0.2, () => ({ state: choose(random, ["running", "cancelled"]) })),
      ...maybe(random, 0.2, () => ({ idPrefix: startOf(anyRecord(context).id, random) })),
      after: after !== undefined && chance(random, 0.7) ? after : undefined,
    };
    return { who: anyWho(random), query };
  },
  changes(context) {
    const { random, observed } = context;
    const { feedAfter: after } = observed;
    const query = {
      limit: 1 + intBelow(random, 12),
      ...maybe(random, 0.2, () => ({ id: anyRecord(context).id })),
      after: after !== undefined && chance(random, 0.7) ? after : undefined,
    };
    return { who: anyWho(random), query };
  },
  read(context) {
    const { random, observed } = context;
    const { id } = oneRecent(random, observed.leases) ?? anyRecord(context);
    const query = { id, stream: "out", offset: intBelow(random, 8), limit: intBelow(random, 8) };
    return { who: whoOf(context, id), query };
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
  keep: (context) => units(context, keepUnit),
  settle: (context) => units(context, settleUnit),
  move(context) {
    const { random } = context;
    const queue = choose(random, ["node", "node", "chore", "node@a"]);
    const to = choose(random, [0, context.now, timeAround(context), context.now + 100]);
    return { queue, lane: choose(random, ["x", "x", "y"]), to, limit: 1 + intBelow(random, 4) };
  },
  write(context) {
    const { random, observed } = context;
    const leased = someLease(context);
    const end = observed.sizes.get(leased.id) ?? 0;
    const offset = chance(random, 0.8) ? end : intBelow(random, 6);
    const bytes = Uint8Array.from({ length: intBelow(random, 5) }, () => intBelow(random, 256));
    return { ...leased, stream: "out", offset, bytes };
  },
  prune: (context) => ({
    endedBefore: timeAround(context),
    limit: 1 + intBelow(context.random, 5),
    ...maybe(context.random, 0.2, () => ({ endedFrom: timeAround(context) })),
    ...maybe(context.random, 0.3, () => ({
      of: [
        { kind: "node" },
        { kind: "chore", has: choose(context.random, ["name", "none"]) },
      ] as const,
    })),
  }),
  inQueue({ random, observed }) {
    const { queueAfter: after } = observed;
    return {
      queue: choose(random, ["node", "node", "chore", "node@a"]),
      limit: 1 + intBelow(random, 4),
      after: after !== undefined && chance(random, 0.7) ? after : undefined,
    };
  },
  stats: () => null,
};

function anyWho(random: Random): Actor {
  const owner = choose(random, ["ann", "ann", "ann", "bob"]);
  return { owner, by: `${owner}@${choose(random, ["cli", "chat"])}` };
}

/** The record's owner, most of the time. */
function whoOf({ random, observed }: CommandContext, id: string): Actor {
  const owner = observed.records.get(id)?.owner;
  if (owner === undefined || chance(random, 0.08)) return anyWho(random);
  return { owner, by: `${owner}@cli` };
}

function units<T>(context: CommandContext, one: (context: CommandContext) => T): T[] {
  return Array.from({ length: 1 + intBelow(context.random, 3) }, () => one(context));
}

function leaseOf({ random, observed }: CommandContext): Lease {
  const none = { id: "missing", fence: 1, owner: "ann", kind: "node" } as const;
  return oneRecent(random, chance(random, 0.9) ? observed.leases : observed.spent) ?? none;
}

function fenced({ random }: CommandContext, { id, fence }: Lease): Leased {
  return { id, fence: chance(random, 0.94) ? fence : fence + choose(random, [-1, 1]) };
}

function someLease(context: CommandContext): Leased {
  return fenced(context, leaseOf(context));
}

function keepUnit(context: CommandContext): Keep {
  const { random } = context;
  return {
    ...someLease(context),
    leaseMs: 10 + intBelow(random, 80),
    ...maybe(random, 0.3, () => ({ outcome: { reason: "half" } })),
    ...maybe(random, 0.2, () => ({ note: "kept" })),
  };
}

function settleUnit(context: CommandContext): Settle {
  const { random, observed } = context;
  const lease = leaseOf(context);
  const leased = fenced(context, lease);
  const known = observed.records.get(leased.id)?.revision ?? 1;
  const revision = chance(random, 0.93) ? known : known + 1;
  if (chance(random, 0.2)) {
    const unchanged = maybe(random, 0.5, () => ({ revision }));
    return { ...leased, unstarted: true, wakeAt: timeAround(context), ...unchanged };
  }
  const unit = {
    ...leased,
    revision,
    ...maybe(random, 0.4, () => ({ outcome: { reason: "seen" } })),
    ...maybe(random, 0.2, () => ({ holds: someHolds(random) })),
    ...maybe(random, 0.15, () => ({ queue: choose(random, [lease.kind, `${lease.kind}@a`]) })),
    ...maybe(random, 0.2, () => ({ note: "settled" })),
    ...consequences(context, lease.owner),
  };
  const isNode = lease.kind === "node";
  if (chance(random, 0.4)) return { ...unit, ends: isNode ? "stopped" : "cancelled" };
  return {
    ...unit,
    state: isNode ? "running" : "waiting",
    ...maybe(random, 0.7, () => ({ wakeAt: timeAround(context) })),
    ...maybe(random, 0.2, () => ({ freshStart: true })),
  };
}

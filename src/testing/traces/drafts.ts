import type {
  Cancel,
  Draft,
  Edit,
  Consequences,
  Hold,
  Key,
  Placement,
  Wake,
} from "../../kernel/unit.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { oneRecent, type KnownRecord, type Observed } from "./observed.ts";

/** What the next command depends on. */
export interface CommandContext {
  readonly random: Random;
  readonly observed: Observed;
  readonly now: number;
}

export const holdNames: readonly [string, ...string[]] = ["h1", "h2", "h3"];
export const keyNames: readonly [string, ...string[]] = ["k1", "k2", "k3"];
const givenIds = ["id1", "id2", "id3", "id4"] as const;

export function choose<const T>(random: Random, from: readonly [T, ...T[]]): T {
  return pick(random, from);
}

export function maybe<T extends object>(
  random: Random,
  probability: number,
  create: () => T,
): Partial<T> {
  return chance(random, probability) ? create() : {};
}

export function timeAround({ random, now }: CommandContext): number {
  return Math.max(0, now - 20 + intBelow(random, 100));
}

export function anyRecord({ random, observed }: CommandContext, owner?: string): KnownRecord {
  const missing = { id: "missing", owner: owner ?? "ann", kind: "node", revision: 1 } as const;
  // Most conflicts are on leased records.
  const leased = chance(random, 0.5)
    ? observed.leases.map(({ id }) => observed.records.get(id))
    : [];
  const busy = leased.filter((each) => each !== undefined);
  const all = busy.length > 0 ? busy : [...observed.records.values()];
  const own = chance(random, 0.95)
    ? all.filter((each) => each.owner === (owner ?? each.owner))
    : all;
  return (chance(random, 0.98) ? oneRecent(random, own) : undefined) ?? missing;
}

function placement(random: Random, kind: string): Placement {
  return {
    ...maybe(random, 0.3, () => ({ priority: choose(random, ["high", "normal", "low"]) })),
    ...maybe(random, 0.2, () => ({ queue: choose(random, [kind, `${kind}@a`]) })),
    ...maybe(random, 0.4, () => ({ lane: choose(random, ["x", "x", "y", null]) })),
  };
}

export function someHolds(random: Random): readonly Hold[] {
  const one = (): Hold =>
    chance(random, 0.5)
      ? choose(random, holdNames)
      : { oneOf: [choose(random, holdNames), choose(random, holdNames)] };
  return Array.from({ length: intBelow(random, 3) }, one);
}

function key(context: CommandContext): Key {
  const { random, now } = context;
  return {
    name: choose(random, keyNames),
    ...maybe(random, 0.5, () => ({ asked: { text: choose(random, ["a", "a", "a", "a", "b"]) } })),
    ...maybe(random, 0.6, () => ({ until: now + intBelow(random, 1000) })),
  };
}

export function draft(context: CommandContext): Draft {
  const { random } = context;
  const kind = choose(random, ["node", "node", "chore"]);
  const more = {
    ...placement(random, kind),
    ...maybe(random, 0.1, () => ({ id: choose(random, givenIds) })),
    ...maybe(random, 0.3, () => ({ key: key(context) })),
    ...maybe(random, 0.25, () => ({ holds: someHolds(random) })),
    ...maybe(random, 0.25, () => ({ parent: anyRecord(context).id })),
    ...maybe(random, 0.1, () => ({ note: "noted" })),
  };
  const at = maybe(random, 0.8, () => ({ wakeAt: timeAround(context) }));
  const ends = chance(random, 0.12);
  if (kind === "chore") {
    const body = { name: choose(random, ["p", "q"]), everyMs: 1 };
    return { kind, body, ...more, ...(ends ? { ends: "cancelled" } : { state: "waiting", ...at }) };
  }
  const body = { name: choose(random, ["p", "p", "q"]), version: "1", host: "h", pid: 1 };
  return { kind, body, ...more, ...(ends ? { ends: "stopped" } : { state: "running", ...at }) };
}

export function edit(context: CommandContext, owner?: string): Edit {
  const { random, now } = context;
  const { id, kind: known, revision } = anyRecord(context, owner);
  const kind = chance(random, 0.97) ? known : choose(random, ["node", "chore"]);
  const more = {
    id,
    ...placement(random, kind),
    ...maybe(random, 0.25, () => ({ ifRevision: revision + choose(random, [0, 0, 0, 1]) })),
    ...maybe(random, 0.2, () => ({ holds: someHolds(random) })),
    ...maybe(random, 0.1, () => ({ note: "edited" })),
  };
  const at = maybe(random, 0.4, () => ({
    wakeAt: choose(random, [null, timeAround(context), now + 10]),
  }));
  const ends = chance(random, 0.25);
  if (kind === "chore") {
    const body = maybe(random, 0.3, () => ({ body: { name: "edited", everyMs: 2 } }));
    return { kind, ...more, ...body, ...(ends ? { ends: "cancelled" } : at) };
  }
  const observed = maybe(random, 0.2, () => ({ outcome: { reason: "edited" } }));
  return { ...more, ...observed, ...(ends ? { ends: "lost" } : at), kind: "node" };
}

function cancel(context: CommandContext, owner: string): Cancel {
  const { random } = context;
  const reason = maybe(random, 0.3, () => ({ reason: "so" }));
  const { id } = anyRecord(context, owner);
  return { id, ...reason };
}

function wake(context: CommandContext, owner: string): Wake {
  return { id: anyRecord(context, owner).id };
}

/** Consequences, for four commands of ten. */
export function consequences(
  context: CommandContext,
  owner: string,
): { consequences?: Consequences } {
  const { random } = context;
  if (chance(random, 0.6)) return {};
  const some = <T>(most: number, one: () => T): T[] =>
    Array.from({ length: intBelow(random, most + 1) }, one);
  const consequences = {
    append: some(2, () => draft(context)),
    ...maybe(random, 0.35, () => ({ edit: [edit(context, owner)] })),
    ...maybe(random, 0.25, () => ({ cancel: [cancel(context, owner)] })),
    ...maybe(random, 0.7, () => ({ wake: some(2, () => wake(context, owner)) })),
  };
  return { consequences };
}

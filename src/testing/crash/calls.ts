import assert from "node:assert/strict";
import { type ChoreKind, choreKind } from "../../features/nodes/chore.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Draft, DraftOf, Consequences } from "../../kernel/unit.ts";
import type { Verb, Verbs } from "../../kernel/verbs.ts";
import type { Leased } from "../../kernel/work-unit.ts";

/** A call as plain data, for a process that makes it and is killed. */
export type Call = { readonly [V in Verb]: { verb: V; input: Verbs[V]["input"] } }[Verb];

/** Prepares records of an owner that no other call uses, and answers the call. */
export type MakeCall = (ledger: Ledger, owner: string) => Promise<Call>;

const farFuture = 9_000_000_000_000;
const who = (owner: string): { owner: string; by: string } => ({ owner, by: "cli" });

function draftOf(owner: string, more: Partial<DraftOf<ChoreKind>> = {}): Draft {
  const body = { name: "sweep", everyMs: 1_000 };
  const queue = `chore@${owner}`;
  return { kind: "chore", state: "waiting", body, queue, wakeAt: 1, ...more };
}

async function append(ledger: Ledger, draft: Draft, owner: string): Promise<string> {
  return (await ledger.of(owner, "test").append(draft)).id;
}

/** Claims the owner's due records. */
async function claim(ledger: Ledger, owner: string): Promise<readonly Claimed[]> {
  const request = { kind: choreKind, queue: `chore@${owner}`, holder: "w1", limit: 9 } as const;
  return (await ledger.work.claim({ ...request, leaseMs: 60_000 })).records;
}

type Unit = Leased & { revision: number };
const unitOf = ({ id, revision, lease: { fence } }: Claimed): Unit => ({ id, revision, fence });

/** A leased record, and consequences that change three others and append one. */
async function leasedRecord(
  ledger: Ledger,
  owner: string,
): Promise<{ unit: Unit; consequences: Consequences }> {
  await append(ledger, draftOf(owner, { holds: [`${owner}-a`] }), owner);
  const [own] = await claim(ledger, owner);
  assert.ok(own);
  const later = draftOf(owner, { wakeAt: farFuture });
  const edited = await append(ledger, later, owner);
  const cancelled = await append(ledger, { ...later, holds: [`${owner}-b`] }, owner);
  const woken = await append(ledger, later, owner);
  const consequences: Consequences = {
    append: [draftOf(owner)],
    edit: [{ kind: "chore", id: edited, body: { name: "edited", everyMs: 2 } }],
    cancel: [{ id: cancelled }],
    wake: [{ id: woken }],
  };
  return { unit: unitOf(own), consequences };
}

/** One call for each verb that writes, and for each way it is written. */
export const calls: Readonly<Record<string, MakeCall>> = {
  async append(_, owner) {
    return { verb: "append", input: { who: who(owner), draft: draftOf(owner) } };
  },
  async "append with a key"(_, owner) {
    const draft = draftOf(owner, { key: { name: "mine" } });
    return { verb: "append", input: { who: who(owner), draft } };
  },
  async "append with a key, a name and a consequence"(_, owner) {
    const consequences = { append: [draftOf(owner)] };
    const draft = draftOf(owner, { key: { name: "mine" }, holds: [`${owner}-d`] });
    return { verb: "append", input: { who: who(owner), draft, consequences } };
  },
  async "claim, also over leases that have lapsed"(ledger, owner) {
    const cancelled = await append(ledger, draftOf(owner, { holds: [`${owner}-a`] }), owner);
    await append(ledger, draftOf(owner), owner);
    const units = await claim(ledger, owner);
    await ledger.of(owner, "cli").cancel({ id: cancelled });
    await ledger.work.keep(units.map((each) => ({ ...unitOf(each), leaseMs: 1 })));
    await append(ledger, draftOf(owner), owner);
    const request = { kind: choreKind.name, queue: `chore@${owner}`, holder: "w2" } as const;
    return { verb: "claim", input: { ...request, leaseMs: 60_000, limit: 3 } };
  },
  async keep(ledger, owner) {
    const { unit } = await leasedRecord(ledger, owner);
    const { id, fence } = unit;
    const workspaceContent = {
      id,
      fence,
      leaseMs: 9_000_000,
      note: "half",
      outcome: { did: "half" },
    };
    return { verb: "keep", input: [workspaceContent] };
  },
  async "settle of two"(ledger, owner) {
    await append(ledger, draftOf(owner, { holds: [`${owner}-a`] }), owner);
    await append(ledger, draftOf(owner), owner);
    const [first, second] = await claim(ledger, owner);
    assert.ok(first && second);
    const waits = { ...unitOf(second), state: "waiting", wakeAt: farFuture } as const;
    return { verb: "settle", input: [{ ...unitOf(first), ends: "cancelled" }, waits] };
  },
  async "settle with consequences"(ledger, owner) {
    const { unit, consequences } = await leasedRecord(ledger, owner);
    const outcome = { did: "all" };
    return {
      verb: "settle",
      input: [{ ...unit, ends: "cancelled", outcome, consequences }],
    };
  },
  async edit(ledger, owner) {
    const id = await append(ledger, draftOf(owner, { holds: [`${owner}-a`] }), owner);
    const edit = {
      kind: "chore",
      id,
      wakeAt: farFuture,
      holds: [`${owner}-b`],
      lane: "x",
    } as const;
    return { verb: "edit", input: { who: who(owner), edit } };
  },
  async cancel(ledger, owner) {
    const id = await append(ledger, draftOf(owner, { holds: [`${owner}-a`] }), owner);
    const consequences = { append: [draftOf(owner, { holds: [`${owner}-b`] })] };
    return {
      verb: "cancel",
      input: { who: who(owner), cancel: { id }, consequences },
    };
  },
  async move(ledger, owner) {
    const draft = draftOf(owner, { lane: "x" });
    for (let count = 0; count < 3; count += 1) await append(ledger, draft, owner);
    const lane = { queue: `chore@${owner}`, lane: "x" };
    return { verb: "move", input: { ...lane, to: farFuture, limit: 9 } };
  },
  async prune(ledger, owner) {
    const until = farFuture;
    await append(ledger, draftOf(owner, { key: { name: "stays", until } }), owner);
    await append(ledger, draftOf(owner, { key: { name: "goes" } }), owner);
    const units = (await claim(ledger, owner)).map(unitOf);
    for (const { id, fence } of units) {
      await ledger.work.write({ id, fence, stream: "out", offset: 0, bytes: Buffer.from("hi") });
    }
    await ledger.work.settle(units.map((unit) => ({ ...unit, ends: "cancelled" })));
    return { verb: "prune", input: { endedBefore: farFuture, limit: 500 } };
  },
};

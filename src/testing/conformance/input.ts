import assert from "node:assert/strict";
import { type NodeKind, nodeKind } from "../../features/nodes/node.ts";
import { limits } from "../../kernel/check-field.ts";
import type { Body } from "../../kernel/shape.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import {
  codeOf,
  fails,
  leased,
  node,
  put,
  read,
  under,
  writesNothing,
  type Holds,
} from "./fixture.ts";

/** Bodies that nobody would type: the contract says plain JSON, and callers send what they have. */
function odd(body: unknown): DraftOf<NodeKind> {
  return { ...node(), body: body as Body<NodeKind> };
}

const roundTrips: Readonly<Record<string, unknown>> = {
  "a name __proto__": JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  emoji: { text: "👩‍👩‍👧‍👦 e\u0301 한국어 \u0000 \u2028" },
  "a lone surrogate": { text: "a\ud800b", "\udc00": 1 },
  "numbers at their limits": [Number.MAX_SAFE_INTEGER, 5e-324, 1e308, -1.5],
  "nothing much": [null, "", [], {}, false, 0],
};

export function inputHolds(holds: Holds): void {
  for (const [what, body] of Object.entries(roundTrips)) {
    holds(`${what} in a body reads back as it was written`, async ({ ann }) => {
      const { id } = await put(ann, odd(body));
      const record = await read(ann, id);
      assert.deepEqual(record.body, body);
      assert.equal(JSON.stringify(record.body), JSON.stringify(body));
    });
  }

  holds("what JSON does not carry reads back as JSON writes it", async ({ ann }) => {
    const { body } = await put(
      ann,
      odd({ none: undefined, not: NaN, list: [undefined], minus: -0 }),
    );
    assert.deepEqual(body, { not: null, list: [null], minus: 0 });
  });

  holds("what is no JSON is invalid", async (fixture) => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await writesNothing(fixture, async () => {
      for (const body of [1n, circle, () => 1, Symbol("s")]) {
        await fails(fixture.ann.append(odd(body)), "invalid");
      }
    });
  });

  holds("a body over the limit is too large, and one at the limit is not", async (fixture) => {
    const max = limits.bodyBytesMax;
    await put(fixture.ann, odd("é".repeat((max - 2) / 2)));
    await writesNothing(fixture, () =>
      fails(fixture.ann.append(odd(`${"é".repeat((max - 2) / 2)}x`)), "too_large", {
        what: "body",
        max,
      }),
    );
  });

  holds("a queue must name the kind it carries", async ({ ann }) => {
    await fails(ann.append(node({ queue: "chore" })), "invalid");
    await fails(ann.append(node({ queue: "nodes" })), "invalid");
    const { id } = await put(ann, node({ queue: "node@here" }));
    await fails(ann.edit({ kind: "node", id, queue: "chore@here" }), "invalid");
  });

  holds("names without letters, with spaces around or too long are refused", async ({ ann }) => {
    for (const name of ["", " ", " a", "a\n"]) {
      await fails(ann.append(node({ key: { name } })), "invalid");
      await fails(ann.append(node({ lane: name })), "invalid");
      await fails(ann.append(node({ holds: [name] })), "invalid");
    }
    const long = "x".repeat(limits.nameCharsMax);
    await put(ann, node({ lane: long, key: { name: long }, holds: [long] }));
    await fails(ann.append(node({ lane: `${long}x` })), "too_large");
  });

  holds("an owner and a principal must have names", ({ ledger }) => {
    assert.throws(() => ledger.of("", "x"), { code: "invalid" });
    assert.throws(() => ledger.of("x", " "), { code: "invalid" });
    return Promise.resolve();
  });

  holds("a time must be whole milliseconds since 1970", async ({ ann }) => {
    for (const wakeAt of [NaN, Infinity, -1, 1.5]) {
      await fails(ann.append(node({ wakeAt })), "invalid");
    }
  });

  holds("a hold must name something, and a record holds at most so many", async ({ ann }) => {
    await fails(ann.append(node({ holds: [{ oneOf: [] }] })), "invalid");
    const many = Array.from({ length: limits.holdsMax + 1 }, (_, index) => `h${index}`);
    await fails(ann.append(node({ holds: many })), "too_large");
    await put(ann, node({ holds: many.slice(1) }));
  });

  holds("a unit has at most so many consequences", async (fixture) => {
    const wake = Array.from({ length: limits.consequencesMax + 1 }, () => ({ id: "x" }));
    await writesNothing(fixture, () => fails(fixture.ann.append(node(), { wake }), "too_large"));
  });

  holds("a consequence is checked like any other draft", async (fixture) => {
    await writesNothing(fixture, () =>
      fails(fixture.ann.append(node(), { append: [node({ queue: "chore" })] }), "invalid"),
    );
  });

  holds("a unit that is wrong in itself is refused, and touches no other", async (fixture) => {
    const [bad, good] = [await leased(fixture), await leased(fixture)];
    const large = { reason: "x".repeat(limits.bodyBytesMax) };
    const units = [
      { ...under(bad), ends: "stopped", outcome: large },
      { ...under(good), ends: "stopped" },
    ] as const;
    const answers = await fixture.work.settle(units);
    assert.deepEqual(answers.map(codeOf), ["too_large", "settled"]);
    const { id, fence } = under(bad);
    const kept = await fixture.work.keep([
      { id, fence, leaseMs: 0 },
      { id, fence, leaseMs: 1000, note: "x".repeat(limits.noteCharsMax + 1) },
      { id, fence, leaseMs: 1000 },
    ]);
    assert.deepEqual(kept.map(codeOf), ["invalid", "too_large", "kept"]);
  });

  holds("a claim must name a lease, a number and a queue of its kind", async ({ work }) => {
    const request = { kind: nodeKind, holder: "w1", leaseMs: 1000, limit: 1 } as const;
    for (const wrong of [
      { leaseMs: 0 },
      { limit: -1 },
      { limit: 1.5 },
      { holder: "" },
      { queue: "chore" },
    ]) {
      await fails(work.claim({ ...request, ...wrong }), "invalid");
    }
  });

  holds("numbers that count and times that are none are refused in work too", async (fixture) => {
    const { id, fence } = under(await leased(fixture));
    const { work, ann } = fixture;
    const write = { id, fence, stream: "out", offset: 0, bytes: new Uint8Array(1) };
    await fails(work.write({ ...write, offset: -1 }), "invalid");
    await fails(work.write({ ...write, stream: "" }), "invalid");
    await fails(ann.read({ id, stream: "out", offset: -1, limit: 1 }), "invalid");
    await fails(work.move({ queue: "node", lane: "a", to: NaN, limit: 1 }), "invalid");
    await fails(work.prune({ endedBefore: -1, limit: 1 }), "invalid");
    await fails(work.prune({ endedBefore: 1, limit: 1, endedFrom: -1 }), "invalid");
    await fails(work.prune({ endedBefore: 1, limit: 1, of: [{ kind: "x" }] }), "invalid");
    const odd = [{ kind: "node", has: "a'b" }] as const;
    await fails(work.prune({ endedBefore: 1, limit: 1, of: odd }), "invalid");
  });

  holds("a record must be of a kind, and in a state, that there is", async ({ ann }) => {
    const odd = (wish: object): Promise<unknown> => ann.append({ ...node(), ...wish });
    for (const wrong of [
      { kind: "banana" },
      { state: "zzz" },
      { state: "stopped" },
      { ends: "stopped" }, // beside a state
      { ends: undefined },
      { state: undefined },
      { priority: "urgent" },
      { id: "" },
      { id: 5 },
      { parent: {} },
      { key: { name: "k", until: 1.5 } },
      { note: "\ud800" },
    ]) {
      await fails(odd(wrong), "invalid");
    }
    const { state: _, ...none } = node() as { state?: string };
    await fails(ann.append(none as never), "invalid");
    await fails(ann.append({ ...none, ends: undefined } as never), "invalid");
    const { id } = await put(ann, node());
    await fails(ann.edit({ kind: "node", id, ends: undefined }), "invalid");
  });

  holds("a settle says one thing of where it leaves the record", async (fixture) => {
    const record = await leased(fixture);
    const answers = await fixture.work.settle([
      under(record),
      { ...under(record), ends: "stopped", state: "running" },
      { ...under(record), ends: undefined },
      { ...under(record), state: undefined },
      { ...under(record), ends: "stopped", queue: " " },
      { ...under(record), ends: "stopped" },
    ] as never);
    const refused = Array.from({ length: 5 }, () => "invalid");
    assert.deepEqual(answers.map(codeOf), [...refused, "settled"]);
  });

  holds("a page has at least one row, and a reason an end", async ({ ann }) => {
    await fails(ann.list({ limit: 0 }), "invalid");
    await fails(ann.changes({ limit: -1 }), "invalid");
    const { id } = await put(ann, node());
    await fails(ann.cancel({ id, reason: "x".repeat(limits.noteCharsMax + 1) }), "too_large");
  });

  holds("half of a surrogate pair is no name, and NUL stands in none", async ({ ann }) => {
    await fails(ann.append(node({ lane: "a\0b" })), "invalid");
    await fails(ann.append(node({ note: "a\0b" })), "invalid");
    await fails(ann.append(node({ lane: "a\ud800" })), "invalid");
    await fails(ann.append(node({ key: { name: "\udc00" } })), "invalid");
  });

  holds(
    "names with quotes, wildcards and letters of any script are only names",
    async ({ ann }) => {
      const name = `'"; drop table record; -- %_\\ 한국어 👩‍👩‍👧‍👦 __proto__`;
      const { id } = await put(ann, node({ lane: name, key: { name }, holds: [name], note: name }));
      assert.partialDeepStrictEqual(await read(ann, id), { lane: name, key: name });
      await fails(ann.append(node({ holds: [name] })), "held", { name, holder: id });
      assert.equal((await ann.append(node({ key: { name } }))).id, id);
    },
  );
}

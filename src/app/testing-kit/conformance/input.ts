import assert from "node:assert/strict";
import { type NodeKind, nodeKind } from "../../../features/nodes/index.ts";
import { limits } from "../../../kernel/check-field.ts";
import type { Body } from "../../../kernel/shape.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import {
  codeOf,
  fails,
  leased,
  node,
  put,
  read,
  leaseOf,
  writesNothing,
  type Test,
} from "./fixture.ts";

/** A draft with a body that the kind's type does not allow: callers send any JSON. */
function nodeWithBody(body: unknown): DraftOf<NodeKind> {
  return { ...node(), body: body as Body<NodeKind> };
}

const roundTrips: Readonly<Record<string, unknown>> = {
  "a __proto__ property": JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'),
  "text of any script and NUL": { text: "👩‍👩‍👧‍👦 e\u0301 한국어 \u0000 \u2028" },
  "a lone surrogate": { text: "a\ud800b", "\udc00": 1 },
  "extreme numbers": [Number.MAX_SAFE_INTEGER, 5e-324, 1e308, -1.5],
  "empty values": [null, "", [], {}, false, 0],
};

export function inputCases(test: Test): void {
  for (const [what, body] of Object.entries(roundTrips)) {
    test(`a body with ${what} reads back as written`, async ({ ann }) => {
      const { id } = await put(ann, nodeWithBody(body));
      const record = await read(ann, id);
      assert.deepEqual(record.body, body);
      assert.equal(JSON.stringify(record.body), JSON.stringify(body));
    });
  }

  test("values outside JSON read back as JSON.stringify writes them", async ({ ann }) => {
    const { body } = await put(
      ann,
      nodeWithBody({ none: undefined, not: NaN, list: [undefined], minus: -0 }),
    );
    assert.deepEqual(body, { not: null, list: [null], minus: 0 });
  });

  test("a body that JSON cannot express is invalid", async (fixture) => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await writesNothing(fixture, async () => {
      for (const body of [1n, circle, () => 1, Symbol("s")]) {
        await fails(fixture.ann.append(nodeWithBody(body)), "invalid");
      }
    });
  });

  test("a body over the size limit is too_large, and one at the limit is not", async (fixture) => {
    const max = limits.bodyBytesMax;
    await put(fixture.ann, nodeWithBody("é".repeat((max - 2) / 2)));
    await writesNothing(fixture, () =>
      fails(fixture.ann.append(nodeWithBody(`${"é".repeat((max - 2) / 2)}x`)), "too_large", {
        what: "body",
        max,
      }),
    );
  });

  test("a queue must be named after its kind", async ({ ann }) => {
    await fails(ann.append(node({ queue: "chore" })), "invalid");
    await fails(ann.append(node({ queue: "nodes" })), "invalid");
    const { id } = await put(ann, node({ queue: "node@here" }));
    await fails(ann.edit({ kind: "node", id, queue: "chore@here" }), "invalid");
  });

  test("empty, padded and overlong names are refused", async ({ ann }) => {
    for (const name of ["", " ", " a", "a\n"]) {
      await fails(ann.append(node({ key: { name } })), "invalid");
      await fails(ann.append(node({ lane: name })), "invalid");
      await fails(ann.append(node({ holds: [name] })), "invalid");
    }
    const long = "x".repeat(limits.nameCharsMax);
    await put(ann, node({ lane: long, key: { name: long }, holds: [long] }));
    await fails(ann.append(node({ lane: `${long}x` })), "too_large");
  });

  test("an owner or a principal without a name is invalid", ({ ledger }) => {
    assert.throws(() => ledger.of("", "x"), { code: "invalid" });
    assert.throws(() => ledger.of("x", " "), { code: "invalid" });
    return Promise.resolve();
  });

  test("a time must be whole milliseconds since 1970", async ({ ann }) => {
    for (const wakeAt of [NaN, Infinity, -1, 1.5]) {
      await fails(ann.append(node({ wakeAt })), "invalid");
    }
  });

  test("a hold needs a name, and the number of a record's holds is limited", async ({ ann }) => {
    await fails(ann.append(node({ holds: [{ oneOf: [] }] })), "invalid");
    const many = Array.from({ length: limits.holdsMax + 1 }, (_, index) => `h${index}`);
    await fails(ann.append(node({ holds: many })), "too_large");
    await put(ann, node({ holds: many.slice(1) }));
  });

  test("the number of a unit's consequences is limited", async (fixture) => {
    const wake = Array.from({ length: limits.consequencesMax + 1 }, () => ({ id: "x" }));
    await writesNothing(fixture, () => fails(fixture.ann.append(node(), { wake }), "too_large"));
  });

  test("a consequence is validated like any other draft", async (fixture) => {
    await writesNothing(fixture, () =>
      fails(fixture.ann.append(node(), { append: [node({ queue: "chore" })] }), "invalid"),
    );
  });

  test("an invalid unit is refused without affecting other units", async (fixture) => {
    const [bad, good] = [await leased(fixture), await leased(fixture)];
    const large = { reason: "x".repeat(limits.bodyBytesMax) };
    const units = [
      { ...leaseOf(bad), ends: "stopped", outcome: large },
      { ...leaseOf(good), ends: "stopped" },
    ] as const;
    const answers = await fixture.work.settle(units);
    assert.deepEqual(answers.map(codeOf), ["too_large", "settled"]);
    const { id, fence } = leaseOf(bad);
    const kept = await fixture.work.keep([
      { id, fence, leaseMs: 0 },
      { id, fence, leaseMs: 1000, note: "x".repeat(limits.noteCharsMax + 1) },
      { id, fence, leaseMs: 1000 },
    ]);
    assert.deepEqual(kept.map(codeOf), ["invalid", "too_large", "kept"]);
  });

  test("claim needs a holder, a lease, a limit and a queue of its kind", async ({ work }) => {
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

  test("invalid offsets, times and filters are refused", async (fixture) => {
    const { id, fence } = leaseOf(await leased(fixture));
    const { work, ann } = fixture;
    const write = { id, fence, stream: "out", offset: 0, bytes: new Uint8Array(1) };
    await fails(work.write({ ...write, offset: -1 }), "invalid");
    await fails(work.write({ ...write, stream: "" }), "invalid");
    await fails(ann.read({ id, stream: "out", offset: -1, limit: 1 }), "invalid");
    await fails(work.move({ queue: "node", lane: "a", to: NaN, limit: 1 }), "invalid");
    await fails(work.prune({ endedBefore: -1, limit: 1 }), "invalid");
    await fails(work.prune({ endedBefore: 1, limit: 1, endedFrom: -1 }), "invalid");
    await fails(work.prune({ endedBefore: 1, limit: 1, of: [{ kind: "x" }] }), "invalid");
    const nodeWithBody = [{ kind: "node", has: "a'b" }] as const;
    await fails(work.prune({ endedBefore: 1, limit: 1, of: nodeWithBody }), "invalid");
  });

  test("append requires a known kind, a live state and valid fields", async ({ ann }) => {
    const nodeWithBody = (fields: object): Promise<unknown> => ann.append({ ...node(), ...fields });
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
      await fails(nodeWithBody(wrong), "invalid");
    }
    const { state: _, ...none } = node() as { state?: string };
    await fails(ann.append(none as never), "invalid");
    await fails(ann.append({ ...none, ends: undefined } as never), "invalid");
    const { id } = await put(ann, node());
    await fails(ann.edit({ kind: "node", id, ends: undefined }), "invalid");
  });

  test("settle requires exactly one of ends, state and unstarted", async (fixture) => {
    const record = await leased(fixture);
    const answers = await fixture.work.settle([
      leaseOf(record),
      { ...leaseOf(record), ends: "stopped", state: "running" },
      { ...leaseOf(record), ends: undefined },
      { ...leaseOf(record), state: undefined },
      { ...leaseOf(record), ends: "stopped", queue: " " },
      { ...leaseOf(record), ends: "stopped" },
    ] as never);
    const refused = Array.from({ length: 5 }, () => "invalid");
    assert.deepEqual(answers.map(codeOf), [...refused, "settled"]);
  });

  test("a page limit below 1 and an overlong reason are refused", async ({ ann }) => {
    await fails(ann.list({ limit: 0 }), "invalid");
    await fails(ann.changes({ limit: -1 }), "invalid");
    const { id } = await put(ann, node());
    await fails(ann.cancel({ id, reason: "x".repeat(limits.noteCharsMax + 1) }), "too_large");
  });

  test("names and notes with NUL or a lone surrogate are invalid", async ({ ann }) => {
    await fails(ann.append(node({ lane: "a\0b" })), "invalid");
    await fails(ann.append(node({ note: "a\0b" })), "invalid");
    await fails(ann.append(node({ lane: "a\ud800" })), "invalid");
    await fails(ann.append(node({ key: { name: "\udc00" } })), "invalid");
  });

  test("names can have quotes, wildcards and letters of any script", async ({ ann }) => {
    const name = `'"; drop table record; -- %_\\ 한국어 👩‍👩‍👧‍👦 __proto__`;
    const { id } = await put(ann, node({ lane: name, key: { name }, holds: [name], note: name }));
    assert.partialDeepStrictEqual(await read(ann, id), { lane: name, key: name });
    await fails(ann.append(node({ holds: [name] })), "held", { name, holder: id });
    assert.equal((await ann.append(node({ key: { name } }))).id, id);
  });
}

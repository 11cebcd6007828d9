import assert from "node:assert/strict";
import {
  codeOf,
  due,
  fails,
  leased,
  node,
  put,
  read,
  leaseOf,
  changeNames,
  type Test,
} from "./fixture.ts";

/** The properties that every write can leave out. */
const absent = {
  priority: undefined,
  queue: undefined,
  lane: undefined,
  outcome: undefined,
  holds: undefined,
  note: undefined,
};

export function optionalFieldCases(test: Test): void {
  test("append treats undefined as absent", async ({ ann }) => {
    const key = { name: "k", asked: undefined, until: undefined };
    const parts = { ...absent, id: undefined, parent: undefined };
    const first = await put(ann, { ...node(), ...parts, key, state: "running", wakeAt: undefined });
    const second = await put(ann, node());
    assert.deepEqual({ ...first, id: second.id, key: null }, second);
    assert.equal((await ann.append(node({ key: { name: "k" } }))).id, first.id);
  });

  test("edit treats undefined as unchanged", async ({ ann }) => {
    const { id } = await put(ann, due({ holds: ["a"], lane: "l", outcome: { reason: "r" } }));
    const before = await ann.edit({ kind: "node", id, priority: "high" });
    const edit = { kind: "node", id, ...absent, body: undefined, ifRevision: undefined } as const;
    const after = await ann.edit({ ...edit, state: undefined, wakeAt: undefined });
    assert.deepEqual(after, { ...before, revision: before.revision + 1 });
    await fails(ann.append(node({ holds: ["a"] })), "held", { name: "a", holder: id });
  });

  test("keep and settle treat undefined as unchanged", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture, { outcome: { reason: "r" } });
    const { id, fence } = leaseOf(record);
    await work.keep([{ id, fence, leaseMs: 1000, outcome: undefined, note: undefined }]);
    const times = { wakeAt: undefined, freshStart: undefined };
    const consequences = { append: undefined, edit: undefined, cancel: undefined, wake: undefined };
    const unit = {
      ...leaseOf(record),
      ...absent,
      ...times,
      consequences,
      state: "running",
    } as const;
    assert.deepEqual((await work.settle([unit])).map(codeOf), ["settled"]);
    const { outcome, wakeAt, attempt } = await read(ann, id);
    assert.deepEqual([outcome, wakeAt, attempt], [{ reason: "r" }, null, 1]);
    assert.deepEqual(await changeNames(ann, id), ["appended", "settled"]);
  });

  test("outcomes and consequences of a settle treat undefined as absent", async (fixture) => {
    const { ann, work } = fixture;
    const record = await leased(fixture);
    const [edited, cancelled] = [await put(ann, node()), await put(ann, node())];
    const unit = {
      ...leaseOf(record),
      ends: "stopped",
      outcome: { reason: "r", by: undefined },
      consequences: {
        append: [{ ...node(), ...absent, key: undefined, parent: undefined, id: undefined }],
        edit: [{ kind: "node", id: edited.id, ...absent, body: undefined, state: undefined }],
        cancel: [{ id: cancelled.id, reason: undefined }],
        wake: undefined,
      },
    } as const;
    assert.deepEqual((await work.settle([unit])).map(codeOf), ["settled"]);
    assert.deepEqual((await read(ann, record.id)).outcome, { reason: "r" });
    assert.deepEqual(await read(ann, edited.id), { ...edited, revision: 2 });
    assert.equal((await read(ann, cancelled.id)).state, "cancelled");
    const children = await ann.list({ parent: record.id, state: undefined, live: undefined });
    assert.equal(children.records.length, 1);
  });
}

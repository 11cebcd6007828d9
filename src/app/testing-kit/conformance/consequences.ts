import assert from "node:assert/strict";
import type { Consequences } from "../../../kernel/unit.ts";
import {
  bodyOf,
  claimAll,
  codeOf,
  due,
  fails,
  historyOf,
  leased,
  node,
  put,
  read,
  start,
  leaseOf,
  changeNames,
  writesNothing,
  type Test,
} from "./fixture.ts";

export function consequenceCases(test: Test): void {
  writes(test);
  owners(test);
}

function writes(test: Test): void {
  test("consequences of a book's write have its owner and principal", async ({ ann }) => {
    const parts = {
      append: [
        node({ id: "child" }),
        node({ id: "other", parent: "elsewhere" }),
        node({ id: "alone", parent: null }),
      ],
    };
    const { id } = await ann.append(node(), parts);
    assert.partialDeepStrictEqual(await read(ann, "child"), {
      owner: "ann",
      by: "ann@cli",
      parent: id,
    });
    assert.equal((await read(ann, "other")).parent, "elsewhere");
    assert.equal((await read(ann, "alone")).parent, null);
  });

  test("consequences of a settle have the record's owner and principal", async (fixture) => {
    const { ann, work, ledger } = fixture;
    const { id } = await put(ledger.of("ann", "ann@chat"), node());
    const record = await leased(fixture);
    const consequences: Consequences = {
      append: [node({ id: "child" })],
      edit: [{ kind: "node", id, body: bodyOf("edited") }],
      cancel: [{ id, reason: "over" }],
    };
    await work.settle([{ ...leaseOf(record), ends: "stopped", consequences }]);
    assert.partialDeepStrictEqual(await read(ann, "child"), {
      owner: "ann",
      by: "ann@cli",
      parent: record.id,
    });
    assert.equal((await historyOf(ann, "child"))[0]?.by, "ann@cli");
    const rows = (await historyOf(ann, id)).map(({ what, by, note }) => ({ what, by, note }));
    assert.deepEqual(rows.slice(1), [
      { what: "edited", by: "ann@cli", note: null },
      { what: "cancelled", by: "ann@cli", note: "over" },
    ]);
  });

  test("each consequence sees those before it: append, edit, cancel, wake", async (fixture) => {
    const { ann } = fixture;
    await ann.append(node({ id: "cause" }), {
      wake: [{ id: "b" }, { id: "a" }],
      cancel: [{ id: "a" }],
      edit: [{ kind: "node", id: "a", ifRevision: 1, body: bodyOf("edited") }],
      append: [node({ id: "a" }), node({ id: "b" })],
    });
    assert.deepEqual(await changeNames(ann, "a"), ["appended", "edited", "cancelled"]);
    assert.partialDeepStrictEqual(await read(ann, "a"), { revision: 3, wakeAt: null });
    assert.equal((await read(ann, "b")).wakeAt, start);
    const rows = (await ann.changes({})).changes.map(({ id, what }) => `${id} ${what}`);
    assert.deepEqual(rows, [
      "cause appended",
      "a appended",
      "b appended",
      "a edited",
      "a cancelled",
    ]);
  });

  test("an answer shows the record after the whole unit", async (fixture) => {
    const { ann, work } = fixture;
    const { record } = await ann.append(due({ id: "x" }), {
      edit: [{ kind: "node", id: "x", body: bodyOf("edited") }],
    });
    assert.deepEqual(record, await read(ann, "x"));
    assert.partialDeepStrictEqual(record, { revision: 2, body: { name: "edited" } });
    const [claimed] = await claimAll(work);
    assert.ok(claimed);
    const consequences: Consequences = { edit: [{ kind: "node", id: "x", note: "again" }] };
    const answers = await work.settle([{ ...leaseOf(claimed), state: "running", consequences }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 4 }]);
    const cancelled = await ann.edit({ kind: "node", id: "x" }, { cancel: [{ id: "x" }] });
    assert.partialDeepStrictEqual(cancelled, { state: "cancelled", revision: 6 });
  });

  test("a consequence that exists is neither an error nor written again", async (fixture) => {
    const { ann } = fixture;
    const { id } = await put(ann, node({ key: { name: "k" }, name: "first" }));
    await put(ann, node({ id: "mine" }));
    const again = node({ key: { name: "k" }, name: "first", wakeAt: start });
    await ann.append(node(), { append: [again, node({ id: "mine", name: "other" })] });
    assert.equal((await ann.list({})).records.length, 3);
    assert.deepEqual(await changeNames(ann, id), ["appended"]);
  });
}

function owners(test: Test): void {
  test("a consequence cannot reach another owner's record", async (fixture) => {
    const { ann, bob, work } = fixture;
    const { id } = await put(bob, due({ queue: "node@bob" }));
    const reaches: Consequences[] = [
      { edit: [{ kind: "node", id, body: bodyOf("mine now") }] },
      { cancel: [{ id }] },
      { wake: [{ id }] },
    ];
    const record = await leased(fixture);
    await writesNothing(fixture, async () => {
      for (const consequences of reaches) {
        await fails(ann.append(node(), consequences), "not_found", { id });
        const settled = await work.settle([{ ...leaseOf(record), ends: "stopped", consequences }]);
        assert.deepEqual(settled.map(codeOf), ["not_found"]);
      }
    });
  });
}

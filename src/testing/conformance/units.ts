import assert from "node:assert/strict";
import type { Consequences } from "../../kernel/unit.ts";
import {
  bodyOf,
  claimAll,
  codeOf,
  due,
  everything,
  fails,
  historyOf,
  leased,
  node,
  put,
  read,
  start,
  under,
  whats,
  writesNothing,
  type Fixture,
  type Holds,
} from "./fixture.ts";

/** Writes of every sort that succeed, and then one that cannot be. */
function almost({
  childId,
  otherId,
  last,
}: Record<string, string> & { last: string }): Consequences {
  const child = due({ holds: ["n"], key: { name: "k", until: start + 1000 }, queue: "node@new" });
  return {
    append: [childId === undefined ? child : { ...child, id: childId }],
    edit: [
      { kind: "node", id: otherId ?? "", body: bodyOf("edited"), holds: ["m"], wakeAt: start },
    ],
    cancel: [{ id: otherId ?? "" }],
    wake: [{ id: last }],
  };
}

async function family({ ann }: Fixture): Promise<{ otherId: string; childId: string }> {
  const { id: otherId } = await put(ann, node({ name: "other", holds: ["old"] }));
  await put(ann, due({ parent: otherId }));
  return { otherId, childId: "child" };
}

export function unitsHold(holds: Holds): void {
  writing(holds);
  rollingBack(holds);
  owners(holds);
}

function writing(holds: Holds): void {
  holds("consequences in a book are the owner's and the principal's", async ({ ann }) => {
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

  holds("consequences in work are of the record's owner and principal", async (fixture) => {
    const { ann, work, ledger } = fixture;
    const { id } = await put(ledger.of("ann", "ann@chat"), node());
    const record = await leased(fixture);
    const consequences: Consequences = {
      append: [node({ id: "child" })],
      edit: [{ kind: "node", id, body: bodyOf("edited") }],
      cancel: [{ id, reason: "over" }],
    };
    await work.settle([{ ...under(record), ends: "stopped", consequences }]);
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

  holds("each consequence sees those before it: append, edit, cancel, wake", async (fixture) => {
    const { ann } = fixture;
    await ann.append(node({ id: "cause" }), {
      wake: [{ id: "b" }, { id: "a" }],
      cancel: [{ id: "a" }],
      edit: [{ kind: "node", id: "a", ifRevision: 1, body: bodyOf("edited") }],
      append: [node({ id: "a" }), node({ id: "b" })],
    });
    assert.deepEqual(await whats(ann, "a"), ["appended", "edited", "cancelled"]);
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

  holds("an answer shows the record as the whole unit left it", async (fixture) => {
    const { ann, work } = fixture;
    const { record } = await ann.append(due({ id: "x" }), {
      edit: [{ kind: "node", id: "x", body: bodyOf("edited") }],
    });
    assert.deepEqual(record, await read(ann, "x"));
    assert.partialDeepStrictEqual(record, { revision: 2, body: { name: "edited" } });
    const [claimed] = await claimAll(work);
    assert.ok(claimed);
    const consequences: Consequences = { edit: [{ kind: "node", id: "x", note: "again" }] };
    const answers = await work.settle([{ ...under(claimed), state: "running", consequences }]);
    assert.deepEqual(answers, [{ result: "settled", revision: 4 }]);
    const cancelled = await ann.edit({ kind: "node", id: "x" }, { cancel: [{ id: "x" }] });
    assert.partialDeepStrictEqual(cancelled, { state: "cancelled", revision: 6 });
  });

  holds(
    "a consequence that was written before is no error and is not written again",
    async (fixture) => {
      const { ann } = fixture;
      const { id } = await put(ann, node({ key: { name: "k" }, name: "first" }));
      await put(ann, node({ id: "mine" }));
      const again = node({ key: { name: "k" }, name: "first", wakeAt: start });
      await ann.append(node(), { append: [again, node({ id: "mine", name: "other" })] });
      assert.equal((await ann.list({})).records.length, 3);
      assert.deepEqual(await whats(ann, id), ["appended"]);
    },
  );
}

function rollingBack(holds: Holds): void {
  holds("an append is taken back whole when its last consequence cannot be", async (fixture) => {
    const parts = await family(fixture);
    await writesNothing(fixture, () =>
      fails(
        fixture.ann.append(due({ holds: ["own"] }), almost({ ...parts, last: "nobody" })),
        "not_found",
        { id: "nobody" },
      ),
    );
    for (const name of ["own", "n", "m"]) await put(fixture.ann, node({ holds: [name] }));
    await put(fixture.ann, node({ name: "another", key: { name: "k" } }));
    await fails(fixture.ann.append(node({ holds: ["old"] })), "held");
  });

  holds("the same unit is written whole when it can be", async (fixture) => {
    const parts = await family(fixture);
    const before = await everything(fixture);
    await fixture.ann.append(due({ holds: ["own"] }), almost({ ...parts, last: "child" }));
    assert.notDeepEqual(await everything(fixture), before);
    assert.equal((await read(fixture.ann, parts.otherId)).state, "cancelled");
  });

  holds("an edit and a cancel are taken back whole", async (fixture) => {
    const { ann } = fixture;
    const parts = await family(fixture);
    const { id } = await put(ann, due({ holds: ["own"] }));
    const consequences = almost({ ...parts, last: "nobody" });
    await writesNothing(fixture, async () => {
      await fails(
        ann.edit({ kind: "node", id, holds: [], ends: "lost" }, consequences),
        "not_found",
      );
      await fails(ann.cancel({ id }, consequences), "not_found");
    });
    await fails(ann.append(node({ holds: ["own"] })), "held");
  });

  holds("a settle is taken back whole, and its lease stays good", async (fixture) => {
    const { work } = fixture;
    const parts = await family(fixture);
    const record = await leased(fixture, { holds: ["own"], queue: "node" });
    const consequences = almost({ ...parts, last: "nobody" });
    await writesNothing(fixture, async () => {
      const [answer] = await work.settle([{ ...under(record), ends: "stopped", consequences }]);
      assert.equal(codeOf(answer), "not_found");
    });
    const [answer] = await work.settle([{ ...under(record), ends: "stopped" }]);
    assert.equal(codeOf(answer), "settled");
  });

  const refusals: { sentence: string; code: string; consequences: (id: string) => Consequences }[] =
    [
      {
        sentence: "a consequence whose key stands for something else refuses the unit",
        code: "conflict",
        consequences: () => ({ append: [node({ name: "new", key: { name: "taken" } })] }),
      },
      {
        sentence: "a consequence that asks for a held name refuses the unit",
        code: "held",
        consequences: () => ({ append: [node(), node({ holds: ["taken"] })] }),
      },
      {
        sentence: "a consequence that edits another revision refuses the unit",
        code: "stale",
        consequences: (id) => ({ append: [node()], edit: [{ kind: "node", id, ifRevision: 9 }] }),
      },
      {
        sentence: "a consequence that edits an ended record refuses the unit",
        code: "ended",
        consequences: (id) => ({
          edit: [
            { kind: "node", id, ends: "lost" },
            { kind: "node", id },
          ],
        }),
      },
    ];
  for (const { sentence, code, consequences } of refusals) {
    holds(sentence, async (fixture) => {
      const { ann, work } = fixture;
      const { id } = await put(ann, node({ key: { name: "taken" }, holds: ["taken"] }));
      const record = await leased(fixture);
      await writesNothing(fixture, async () => {
        const unit = { ...under(record), ends: "stopped" as const, consequences: consequences(id) };
        assert.equal(codeOf((await work.settle([unit]))[0]), code);
      });
    });
  }

  holds("A10-15: a refused unit leaves its neighbours in the call written", async (fixture) => {
    const { ann, work } = fixture;
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    const [a, b, c] = await claimAll(work);
    assert.ok(a && b && c);
    const unit = (append: string): Consequences => ({
      append: [node({ id: append, holds: ["one"] })],
    });
    const answers = await work.settle([
      { ...under(a), ends: "stopped", consequences: unit("of a") },
      { ...under(b), ends: "stopped", consequences: unit("of b") },
      { ...under(c), ends: "stopped", consequences: { append: [node({ id: "of c" })] } },
    ]);
    assert.deepEqual(answers.map(codeOf), ["settled", "held", "settled"]);
    assert.equal(await ann.get("of b"), undefined);
    await Promise.all([read(ann, "of a"), read(ann, "of c")]);
    assert.deepEqual(await read(ann, b.id), b);
  });
}

function owners(holds: Holds): void {
  holds("a consequence cannot reach another owner's record", async (fixture) => {
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
        const settled = await work.settle([{ ...under(record), ends: "stopped", consequences }]);
        assert.deepEqual(settled.map(codeOf), ["not_found"]);
      }
    });
  });
}

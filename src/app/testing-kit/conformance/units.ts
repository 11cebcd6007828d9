import assert from "node:assert/strict";
import type { Consequences } from "../../../kernel/unit.ts";
import {
  bodyOf,
  claimAll,
  codeOf,
  due,
  visibleState,
  fails,
  leased,
  node,
  put,
  read,
  start,
  leaseOf,
  writesNothing,
  type Fixture,
  type Test,
} from "./fixture.ts";

/** Consequences of every kind that succeed, and then a wake of the record `last`. */
function consequencesWith({
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

export function unitCases(test: Test): void {
  rollback(test);
}

function rollback(test: Test): void {
  test("an append with a failing consequence writes nothing", async (fixture) => {
    const parts = await family(fixture);
    await writesNothing(fixture, () =>
      fails(
        fixture.ann.append(
          due({ holds: ["own"] }),
          consequencesWith({ ...parts, last: "missing" }),
        ),
        "not_found",
        { id: "missing" },
      ),
    );
    for (const name of ["own", "n", "m"]) await put(fixture.ann, node({ holds: [name] }));
    await put(fixture.ann, node({ name: "another", key: { name: "k" } }));
    await fails(fixture.ann.append(node({ holds: ["old"] })), "held");
  });

  test("the same unit writes everything when no consequence fails", async (fixture) => {
    const parts = await family(fixture);
    const before = await visibleState(fixture);
    await fixture.ann.append(
      due({ holds: ["own"] }),
      consequencesWith({ ...parts, last: "child" }),
    );
    assert.notDeepEqual(await visibleState(fixture), before);
    assert.equal((await read(fixture.ann, parts.otherId)).state, "cancelled");
  });

  test("an edit or a cancel with a failing consequence writes nothing", async (fixture) => {
    const { ann } = fixture;
    const parts = await family(fixture);
    const { id } = await put(ann, due({ holds: ["own"] }));
    const consequences = consequencesWith({ ...parts, last: "missing" });
    await writesNothing(fixture, async () => {
      await fails(
        ann.edit({ kind: "node", id, holds: [], ends: "lost" }, consequences),
        "not_found",
      );
      await fails(ann.cancel({ id }, consequences), "not_found");
    });
    await fails(ann.append(node({ holds: ["own"] })), "held");
  });

  test("a settle with a failing consequence writes nothing and keeps the lease", async (fixture) => {
    const { work } = fixture;
    const parts = await family(fixture);
    const record = await leased(fixture, { holds: ["own"], queue: "node" });
    const consequences = consequencesWith({ ...parts, last: "missing" });
    await writesNothing(fixture, async () => {
      const [answer] = await work.settle([{ ...leaseOf(record), ends: "stopped", consequences }]);
      assert.equal(codeOf(answer), "not_found");
    });
    const [answer] = await work.settle([{ ...leaseOf(record), ends: "stopped" }]);
    assert.equal(codeOf(answer), "settled");
  });

  const refusals: { sentence: string; code: string; consequences: (id: string) => Consequences }[] =
    [
      {
        sentence: "a consequence with a conflicting key refuses the unit",
        code: "conflict",
        consequences: () => ({ append: [node({ name: "new", key: { name: "taken" } })] }),
      },
      {
        sentence: "a consequence that wants a held name refuses the unit",
        code: "held",
        consequences: () => ({ append: [node(), node({ holds: ["taken"] })] }),
      },
      {
        sentence: "a consequence that edits a stale revision refuses the unit",
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
    test(sentence, async (fixture) => {
      const { ann, work } = fixture;
      const { id } = await put(ann, node({ key: { name: "taken" }, holds: ["taken"] }));
      const record = await leased(fixture);
      await writesNothing(fixture, async () => {
        const unit = {
          ...leaseOf(record),
          ends: "stopped" as const,
          consequences: consequences(id),
        };
        assert.equal(codeOf((await work.settle([unit]))[0]), code);
      });
    });
  }

  test("a refused unit does not undo other units of the same call", async (fixture) => {
    const { ann, work } = fixture;
    for (const name of ["a", "b", "c"]) await put(ann, due({ name }));
    const [a, b, c] = await claimAll(work);
    assert.ok(a && b && c);
    const unit = (append: string): Consequences => ({
      append: [node({ id: append, holds: ["one"] })],
    });
    const answers = await work.settle([
      { ...leaseOf(a), ends: "stopped", consequences: unit("of a") },
      { ...leaseOf(b), ends: "stopped", consequences: unit("of b") },
      { ...leaseOf(c), ends: "stopped", consequences: { append: [node({ id: "of c" })] } },
    ]);
    assert.deepEqual(answers.map(codeOf), ["settled", "held", "settled"]);
    assert.equal(await ann.get("of b"), undefined);
    await Promise.all([read(ann, "of a"), read(ann, "of c")]);
    assert.deepEqual(await read(ann, b.id), b);
  });
}

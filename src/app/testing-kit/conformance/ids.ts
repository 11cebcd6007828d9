import assert from "node:assert/strict";
import { makeNotification } from "../../../features/notifications/index.ts";
import type { Draft } from "../../../kernel/unit.ts";
import {
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
  type Test,
} from "./fixture.ts";

export function idCases(test: Test): void {
  test("reusing a pruned record's id does not restore its key", async (fixture) => {
    const { ann, work, setNow } = fixture;
    await put(ann, node({ id: "x", ends: "stopped", key: { name: "k" } }));
    setNow(start + 1);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    await put(ann, node({ id: "x" }));
    await put(ann, node({ name: "other", key: { name: "k" } }));
  });

  test("a repeated id answers the existing record", async (fixture) => {
    const { ann } = fixture;
    const first = await put(ann, node({ id: "mine" }));
    assert.equal(first.id, "mine");
    await writesNothing(fixture, async () => {
      const again = await ann.append(node({ id: "mine", name: "other" }), { append: [node()] });
      assert.deepEqual(again, { fresh: false, id: "mine", record: first });
    });
  });

  test("an id of another kind or key is a conflict and refuses its unit", async (fixture) => {
    const { ann } = fixture;
    const first = await put(ann, node({ id: "mine", key: { name: "k" } }));
    const claimed = await leased(fixture);
    const words = {
      message: "x",
      at: 1,
      atText: "now",
      target: "inbox:ann",
      origin: null,
    } as const;
    const others: Draft[] = [
      node({ id: "mine" }),
      node({ id: "mine", key: { name: "other" } }),
      node({ id: "mine", key: { name: "other" }, holds: ["h"] }),
      { ...makeNotification(words), id: "mine" },
    ];
    for (const draft of others) {
      await writesNothing(fixture, async () => {
        await fails(ann.append(draft), "conflict", { id: "mine" });
        const unit = {
          ...leaseOf(claimed),
          ends: "stopped",
          consequences: { append: [node(), draft] },
        } as const;
        const [answer] = await fixture.work.settle([unit]);
        assert.equal(answer?.result === "refused" && answer.error.code, "conflict");
      });
    }
    assert.deepEqual(await read(ann, "mine"), first);
  });

  test("another owner's id is a conflict", async (fixture) => {
    await put(fixture.ann, node({ id: "mine" }));
    await writesNothing(fixture, () =>
      fails(fixture.bob.append(node({ id: "mine" })), "conflict", { id: "mine" }),
    );
  });

  test("append checks the key before the id", async ({ ann }) => {
    const { id } = await put(ann, node({ key: { name: "k" } }));
    await put(ann, node({ id: "mine" }));
    assert.equal((await ann.append(node({ id: "mine", key: { name: "k" } }))).id, id);
  });

  test("a reused id never shows its record to the earlier owner", async (fixture) => {
    const { ann, bob, work, setNow } = fixture;
    await put(ann, node({ id: "x", ends: "stopped", key: { name: "k", until: start + 100 } }));
    setNow(start + 1);
    await work.prune({ endedBefore: start + 1, limit: 10 });
    await put(bob, due({ id: "x", name: "secret" }));
    const again = await ann.append(node({ key: { name: "k", until: start + 100 } }));
    assert.deepEqual(again, { fresh: false, id: "x", record: null });
    assert.ok(!JSON.stringify(await visibleState({ ...fixture, bob: ann })).includes("secret"));
  });
}

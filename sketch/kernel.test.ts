import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { nag, type NagKind } from "./features/nags/index.ts";
import {
  makeNotification,
  notification,
  type NotificationKind,
} from "./features/notifications/index.ts";
import { task, type TaskKind } from "./features/tasks/index.ts";
import { opened, storeNames, world } from "./fixture.ts";
import type { Controller } from "./kernel/controller.ts";
import { defineKind, is, kindsOf } from "./kernel/kind.ts";
import type { Book, Work } from "./kernel/ledger.ts";
import type { Claimed, LedgerRecord } from "./kernel/record.ts";
import { draft, edit, type Consequences, type DraftOf } from "./kernel/unit.ts";
import { ledgerOver } from "./kernel/verbs.ts";
import type { Verdict } from "./kernel/verdict.ts";
import { moment, wireOf } from "./kernel/wire.ts";
import { memoryStore } from "./stores/memory.ts";

const body: NagKind["body"] = {
  text: "stretch",
  curve: "gentle",
  target: "inbox:me",
  at: 1,
  zone: undefined,
};
const made: DraftOf<NagKind> = draft(nag, { body, state: "active" });

/** Never called: what the compiler says about it is the test. */
export async function proofs(book: Book, work: Work, record: LedgerRecord): Promise<void> {
  const mixed: Consequences = {
    append: [
      made,
      { ...made, parent: null },
      makeNotification({ message: "x", target: "y", at: 0 }),
    ],
  };
  // @ts-expect-error: a draft is made by `draft`, which checks it against its kind
  const unchecked: Consequences = { append: [{ kind: "nag", body, state: "active" }] };
  // @ts-expect-error: a time is a number inside
  draft(nag, { body: { ...body, at: "2026-01-01T00:00:00Z" }, state: "active" });
  // @ts-expect-error: an end is not a live state
  draft(nag, { body, state: "done" });
  // @ts-expect-error: a live state is not an end
  edit(nag, { id: "x", ends: "paused" });
  // @ts-expect-error: unknown field
  draft(nag, { body: { ...body, zzz: 1 }, state: "active" });
  // @ts-expect-error: the body of another kind
  const other: DraftOf<NotificationKind> = made;
  // @ts-expect-error: only a level-triggered kind may be unchanged
  const verdict: Verdict<NagKind> = { unchanged: 1 };
  // @ts-expect-error: the body of a record of unknown kind is unknown
  void record.body.text;
  if (is(nag, record)) record.body.at.toFixed();
  // @ts-expect-error: it was narrowed to another kind
  if (is(notification, record)) void record.body.curve;
  const nags: readonly LedgerRecord<NagKind>[] = await book.list({ kind: nag, live: true });
  const found: LedgerRecord<TaskKind> | undefined = await book.get("x", task);
  const state: "active" | "paused" | "done" | "cancelled" = (await book.append(made)).record.state;
  const claimed: readonly Claimed<NagKind>[] = (
    await work.claim({ kind: nag, holder: "h", leaseMs: 1, limit: 1 })
  ).records;
  const controller: Controller<NagKind, number> = {
    name: "x",
    kind: nag,
    act: async () => 1,
    // @ts-expect-error: a nag cannot end delivered
    decide: () => ({ ends: "delivered" }),
  };
  const words: readonly string[] = ["a"];
  const list = defineKind({
    name: "list",
    body: z.strictObject({ words: z.array(z.string()) }),
    outcome: z.null(),
    states: { kept: [] },
  });
  draft(list, { body: { words }, state: "kept" });
  // @ts-expect-error: what is stored is never changed in place
  (await book.append(draft(list, { body: { words }, state: "kept" }))).record.body.words.push("b");
  void [mixed, unchecked, other, verdict, nags, found, state, claimed, controller];
}

test("a kind gives the wire its names and texts, and nothing inside a user's JSON is renamed", () => {
  const schema = z.strictObject({
    nextAt: moment.nullable(),
    userData: z.json(),
    parts: z.array(z.strictObject({ isDone: z.boolean() })),
  });
  const wire = wireOf(schema);
  const inside = { nextAt: 0, userData: { myKey: 1 }, parts: [{ isDone: true }] };
  const outside = {
    next_at: "1970-01-01T00:00:00.000Z",
    user_data: { myKey: 1 },
    parts: [{ is_done: true }],
  };
  assert.deepEqual(z.encode(wire, inside), outside);
  assert.deepEqual(z.decode(wire, outside), inside);
  assert.throws(() => z.decode(wire, { ...outside, extra: 1 } as never), /extra/);
  const json = z.toJSONSchema(wire, { io: "input" }) as { required: string[] };
  assert.deepEqual(json.required, ["next_at", "user_data", "parts"]);
});

test("a draft has what its kind says of the body, and nothing undefined", () => {
  const message = makeNotification({ message: "x", target: "slack:C1", at: 5 });
  assert.deepEqual(message, {
    kind: "notification",
    body: { message: "x", target: "slack:C1", at: 5 },
    state: "pending",
    wakeAt: 5,
    lane: "slack:C1",
  });
  assert.equal("zone" in made.body, false);
});

test("states and holds are checked by the kind without zod", async () => {
  const ledger = ledgerOver(
    memoryStore(() => 0),
    kindsOf([nag]),
  );
  const book = ledger.of("me", "me");
  const bad = { ...made, state: "sleeping" } as never;
  assert.throws(() => void book.append(bad), /no such state/);
  assert.throws(() => void book.append({ ...made, holds: ["run:7"] }), /cannot hold "run:7"/);
  assert.throws(
    () => void book.append(makeNotification({ message: "x", target: "y", at: 0 })),
    /Unknown kind/,
  );
  const clash = defineKind({ ...nag, name: "clash", states: { active: [] }, holds: ["minute:x:"] });
  assert.throws(() => kindsOf([nag, clash]), /must not overlap/);
});

test("a stored kind that nobody registered is read", async () => {
  const store = memoryStore(() => 0);
  await ledgerOver(store, kindsOf([nag]))
    .of("me", "me")
    .append({ ...made, id: "n1", wakeAt: 0 });
  const later = ledgerOver(store, kindsOf([notification]));
  assert.equal((await later.of("me", "me").get("n1"))?.kind, "nag");
  assert.equal((await later.of("me", "me").list({ kind: notification })).length, 0);
  assert.equal(
    (await later.work.claim({ kind: notification, holder: "h", leaseMs: 1, limit: 9 })).records
      .length,
    0,
  );
});

for (const store of storeNames) {
  test(`every write that ends a record wakes the parent it was made for: ${store}`, async () => {
    const ends = ["settle", "cancel", "edit", "claim", "append"] as const;
    for (const how of ends) {
      const w = world();
      const { ledger } = (await opened(w, { store })).book.node;
      const book = ledger.of("me", "me");
      await book.append(draft(nag, { id: "parent", body, state: "active" }));
      const child = {
        id: "child",
        parent: "parent",
        wakesParent: true,
        body: { message: "x", target: "y", at: 0 },
      };
      await book.append(
        draft(
          notification,
          how === "append"
            ? { ...child, ends: "failed" }
            : { ...child, state: "pending", wakeAt: 0 },
        ),
      );
      const claim = async (): Promise<readonly Claimed<NotificationKind>[]> =>
        (await ledger.work.claim({ kind: notification, holder: "h", leaseMs: 10, limit: 1 }))
          .records;
      if (how === "settle") {
        const [claimed] = await claim();
        assert.ok(claimed);
        await ledger.work.settle({
          id: "child",
          fence: claimed.lease.fence,
          revision: claimed.revision,
          ends: "delivered",
        });
      }
      if (how === "cancel") await book.cancel({ id: "child" });
      if (how === "edit") await book.edit(edit(notification, { id: "child", ends: "failed" }));
      if (how === "claim") {
        await claim();
        assert.equal((await book.cancel({ id: "child" })).result, "cancelling");
        assert.equal((await book.get("parent"))?.wakeAt, null);
        w.now += 10; // the lease lapses
        assert.equal((await claim()).length, 0);
      }
      assert.notEqual((await book.get("child"))?.endedAt, null, how);
      assert.equal((await book.get("parent"))?.wakeAt, w.now, how);
    }
  });
}

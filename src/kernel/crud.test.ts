import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { bookFixture } from "../../test/book-fixture.ts";
import { memory } from "../stores/memory/memory.ts";
import { callOperation } from "./call.ts";
import { crud } from "./crud.ts";
import { guardKinds } from "./kind-guard.ts";
import { defineKind } from "./kind.ts";

const jobKind = defineKind({
  name: "job",
  body: z.strictObject({ text: z.string() }),
  outcome: z.null(),
  states: { active: ["paused", "done"], paused: ["active", "done"] },
});

const operations = crud(jobKind, {
  plural: "jobs",
  view: z.object({ id: z.string(), state: z.string(), wakeAt: z.number().nullable() }),
  show: ({ id, state, wakeAt }) => ({ id, state, wakeAt }),
  line: ({ id, state }) => `${id} ${state}`,
});

test("a kind with the states active and paused gets all five operations", async () => {
  const { mina, clock } = bookFixture();
  const ledger = guardKinds(memory({ now: clock.wall, ids: () => "job-1" }), [jobKind]);
  const context = { ...mina, ledger };
  const book = ledger.of(mina.owner, mina.by);
  await book.append({
    kind: "job",
    body: { text: "x" },
    state: "active",
    wakeAt: clock.wall() + 9,
  });
  const call = async (name: keyof typeof operations, input: object): Promise<unknown> =>
    (await callOperation(context, operations[name], input, context)).output;

  const paused = { id: "job-1", state: "paused", wakeAt: null };
  assert.deepEqual(await call("pause", { id: "job-1" }), paused);
  assert.deepEqual(await call("list", {}), { jobs: [paused], next: null });
  const resumed = { id: "job-1", state: "active", wakeAt: clock.wall() };
  assert.deepEqual(await call("resume", { id: "job-1" }), resumed);
  assert.deepEqual(await call("show", { id: "job-1" }), resumed);
  const cancelled = { id: "job-1", state: "cancelled", wakeAt: null };
  assert.deepEqual(await call("cancel", { id: "job-1" }), cancelled);
  assert.deepEqual(await call("list", {}), { jobs: [], next: null }, "it has ended");
  assert.deepEqual(await call("list", { all: true }), { jobs: [cancelled], next: null });
  assert.deepEqual(await call("resume", { id: "job-1" }), cancelled, "an end stays an end");
  await assert.rejects(call("show", { id: "job-2" }), { code: "not_found" });
});

test("a kind without these states has neither pause nor resume", () => {
  const plain = crud(
    defineKind({
      name: "plain",
      body: z.strictObject({}),
      outcome: z.null(),
      states: { open: ["done"] },
    }),
    { plural: "plains", view: z.object({}), show: () => ({}), line: () => "" },
  );
  assert.deepEqual(Object.keys(plain), ["list", "show", "cancel"]);
});

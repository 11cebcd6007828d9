import assert from "node:assert/strict";
import { test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { runController } from "../../kernel/runtime.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { deliverer } from "../notifications/controller.ts";
import type { Sent } from "../notifications/receipt.ts";
import { editedSchedule, resumedSchedule } from "./change.ts";
import { scheduleRuns } from "./operations/runs.ts";
import { showSchedule } from "./operations/schedules.ts";
import { searchSchedules } from "./operations/search.ts";
import { scheduleDelivery } from "./undelivered.ts";

const gone = {
  result: "rejected",
  reason: "the topic is deleted: choose another target",
} as const satisfies Sent;
const yes: Sent = { result: "delivered", receipt: { n: 1 } };

/** A schedule whose runs complete, and a channel with these answers; each call of `run` is one run. */
async function stand(most: number, answers: Sent[]) {
  const at = runFixture();
  const { clock, ledger } = at;
  await at.node(fakeRunner(() => ({ result: "completed", said: "three are open" })));
  const send = async (): Promise<Sent> => answers.shift() ?? gone;
  const profile = () => Promise.resolve(plainProfile);
  const hooks = [scheduleDelivery(ledger, () => most)];
  const channels = [{ name: "fake", send }];
  const delivers = deliverer({ channels, clock, ledger, profile, hooks });
  await runController(delivers, at.ports, { ...at.options, holder: "n2" }).start();
  const { id } = await at.schedule();
  const run = async (): Promise<string> => {
    const slot = await at.slot(await at.scheduleOf(id), { at: at.kernel.now() });
    await at.pass(5_000);
    return slot;
  };
  const state = async () => {
    const { state: now, outcome } = await at.scheduleOf(id);
    return [now, outcome?.undelivered?.count];
  };
  const { mina, reader } = bookFixture();
  return { at, id, run, state, context: { ...mina, ledger }, reader: reader() };
}

async function inbox(at: RunFixture): Promise<readonly string[]> {
  return (await at.messages()).filter((text) => text.startsWith("⏸"));
}

test("after N undeliverable runs it is paused with a notice in the inbox, in the same unit", async () => {
  const { at, id, run, state } = await stand(3, []);
  await run();
  await run();
  assert.deepEqual(await state(), ["active", 2]);
  assert.deepEqual(await inbox(at), []);
  at.calls.length = 0;
  await run();
  assert.deepEqual(await state(), ["paused", 3]);
  const [notice, second] = await inbox(at);
  assert.match(notice ?? "", /'backup' was paused: the output of 3 runs .* to fake:a \(the topic/);
  assert.equal(second, undefined);
  const settles = at.calls
    .map(({ input }) => JSON.stringify(input))
    .filter((text) => text.includes("⏸"));
  assert.equal(settles.length, 1);
  assert.match(settles[0] ?? "", /"ends":"failed".*"state":"paused"/);

  const resumed = resumedSchedule(await at.scheduleOf(id), at.kernel.now());
  await at.ledger.of("mina", "mina").edit(resumed);
  assert.deepEqual(await state(), ["active", undefined]);
});

test("the run shows its delivery state beside its own, the schedule shows a warning", async () => {
  const { id, run, context, reader } = await stand(0, [yes]);
  await run();
  await run();
  const listed = await scheduleRuns.run({ id, limit: 5 }, context);
  assert.deepEqual(
    listed.runs.map(({ status, delivery }) => [status, delivery]),
    [
      ["completed", { status: "failed", reason: gone.reason }],
      ["completed", { status: "delivered", reason: null }],
    ],
  );
  assert.match(scheduleRuns.render(listed, reader), /three are open.*⚠ not delivered: the topic/);
  const shown = await showSchedule.run({ id }, context);
  assert.deepEqual([shown.undelivered_runs, shown.warning], [1, gone.reason]);
  assert.match(
    showSchedule.render(shown, reader),
    /warning +⚠ the output of 1 run was not delivered: the topic/,
  );
  const found = await searchSchedules.run({ all: false, limit: 5 }, context);
  assert.match(searchSchedules.render(found, reader), /⚠ the output of 1 run was not delivered/);
});

test("a delivered output and another target end the count; 0 never pauses", async () => {
  const { at, id, run, state } = await stand(0, [gone, gone, yes, gone]);
  await run();
  await run();
  assert.deepEqual(await state(), ["active", 2]);
  await run();
  assert.deepEqual(await state(), ["active", undefined]);
  await run();
  assert.deepEqual(await state(), ["active", 1]);
  const edit = editedSchedule(await at.scheduleOf(id), { target: "fake:b" }, at.kernel.now());
  await at.ledger.of("mina", "mina").edit(edit);
  assert.deepEqual(await state(), ["active", undefined]);
});

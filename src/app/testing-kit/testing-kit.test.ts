import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as realTime } from "node:timers/promises";
import * as z from "zod";
import { task, type TaskDefinition } from "../../features/tasks/function.ts";
import { hasCode } from "../../platform/errors.ts";
import type { TestOptions } from "./options.ts";
import { testDaybook } from "./testing-kit.ts";

const sendInvoice = task({
  name: "invoice.send",
  input: z.object({ order: z.string(), to: z.string() }),
  run({ order, to }, ctx) {
    ctx.notify({ target: `mail:${to}`, message: `Your invoice for ${order}` });
    return { order };
  },
});
const invoice = { order: "o1", to: "a@example.org" };
const shop: TestOptions = { tasks: [sendInvoice], channels: ["mail"] };

describe("a book under test", { timeout: 120_000 }, () => {
  test("does what is due when its time has come, and not before", async () => {
    const t = await testDaybook({ ...shop, now: "2026-11-15T09:00[Asia/Seoul]" });
    const handle = await t.run(sendInvoice, invoice, { at: "in 2 days", key: "o1" });
    await t.advance("47 hours");
    assert.deepEqual(t.outbox, []);
    await assert.rejects(handle.result(), /advance the time first/);
    await t.advance("1 hour");
    const [{ id, ...said } = { id: "" }] = t.outbox;
    const at = Date.parse("2026-11-17T09:00+09:00");
    const where = { owner: "me", target: "mail:a@example.org", type: "run", priority: "normal" };
    assert.deepEqual(said, { ...where, text: "Your invoice for o1", at, maybeRepeat: false });
    assert.equal(t.outbox.length, 1);
    assert.deepEqual(await handle.result(), { order: "o1" });
    assert.match(await t.explain(id), /cause .*"invoice\.send", completed/);
  });
  test("gives events to functions that subscribe, and tells how they ended", async () => {
    const review = task({
      name: "review",
      input: z.object({ payload: z.object({ n: z.number() }) }).loose(),
      subscribes: ["github.pr.review_requested"],
      run: ({ payload }) => ({ status: "success", summary: `reviewed ${payload.n}`, task_id: "x" }),
    });
    const t = await testDaybook({ tasks: [review] });
    const { id } = await t.emitEvent({ type: "github.pr.review_requested", payload: { n: 7 } });
    await t.advance("1 minute");
    const { state, tasks } = await t.showEvent({ id });
    assert.deepEqual([state, tasks.map(({ status }) => status)], ["completed", ["completed"]]);
    assert.equal(t.outbox.at(-1)?.text, "✅ review: reviewed 7");
    const nobody = await t.emitEvent({ type: "a.b" });
    await t.advance("1 minute");
    assert.match(await t.explain(nobody.id), /discarded: no handler subscribes to a\.b/);
  });
  test("applies its schedules, with the settings of owners", async () => {
    const run = { task: sendInvoice.name, input: invoice };
    const nightly = { when: "daily 3am", run, notify: "never" } as const;
    const t = await testDaybook({
      ...shop,
      now: "2026-11-15T09:00[Asia/Seoul]",
      schedules: { nightly, brief: { ...nightly, owner: "jun", when: "daily 9am" } },
      owners: { jun: { timezone: "UTC" } },
    });
    await t.crash(); // who begins after it makes the same of them
    await t.advance("1 day");
    const hours = t.outbox.map(({ owner, at }) => [
      owner,
      new Date(at).toISOString().slice(11, 13),
    ]);
    assert.deepEqual(hours, [
      ["jun", "09"],
      ["me", "18"],
    ]);
    const { steps } = await t.applySchedules({ dry_run: true });
    assert.deepEqual(
      steps.map(({ what, name }) => `${what} ${name}`),
      ["same nightly", "same brief"],
    );
    const wrong = testDaybook({ schedules: { a: { when: "soon", run: { task: "b" } } } });
    await assert.rejects(wrong, {
      message: /schedules\.a\.when is "soon": write a recurring time/,
    });
  });
  test("gives events to its handlers, and runs their own schedules", async () => {
    const input = z.object({ type: z.string() }).loose();
    const works = task({ name: "works", input, run: ({ type }) => type });
    const t = await testDaybook({
      tasks: [works],
      handlers: {
        fixture: {
          subscribes: ["shop.order"],
          run: { task: "works" },
          schedules: { sweep: { when: "every 1h", type: "sweep" } },
        },
      },
    });
    const { id } = await t.emitEvent({ type: "shop.order" });
    await t.advance("61 minutes");
    assert.equal((await t.showEvent({ id })).state, "completed");
    assert.deepEqual(
      t.outbox.map(({ text }) => text),
      [
        "📋 fixture: shop.order",
        "✅ fixture: shop.order",
        "📋 fixture: sweep",
        "✅ fixture: sweep",
      ],
    );
  });
  test("begins at the same moment each time, and ends at the one that was asked for", async () => {
    const [one, two] = [await testDaybook(), await testDaybook()];
    assert.equal(one.now(), two.now());
    await one.advance(1_234);
    assert.equal(one.now() - two.now(), 1_234);
    await assert.rejects(one.advance("a while"), (error) => hasCode(error, "invalid"));
  });
  test("hears the inbox of whoever asks", async () => {
    const t = await testDaybook();
    await t.remind({ message: "mine", at: "+1m" });
    await t.as({ owner: "mina", by: "mina" }).remind({ message: "hers", at: "+2m" });
    await t.advance("2 minutes");
    assert.deepEqual(
      t.outbox.map(({ target, text }) => `${target} ${text}`),
      ["inbox:me mine", "inbox:mina hers"],
    );
  });
  test("runs a schedule's slots one after the other", async () => {
    const t = await testDaybook({ ...shop, now: "2026-11-15T09:00[Asia/Seoul]" });
    const run = { task: "invoice.send", input: invoice };
    await t.createSchedule({ name: "daily", when: "every day 9am", run });
    await t.advance("3 days");
    const runs = await t.tasks("daily");
    const hours = runs.map(({ slot, status }) => `${slot} ${status}`);
    const days = ["16", "17", "18"];
    assert.deepEqual(
      hours,
      days.map((day) => `2026-11-${day}T00:00:00Z completed`),
    );
  });
  test("goes on after a crash with what the dead node was at", async () => {
    const started: number[] = [];
    const slow = task({
      name: "slow",
      run: (_, ctx) => {
        started.push(ctx.attempt);
        // The first attempt never ends: its process dies.
        return ctx.attempt === 1 ? new Promise<never>(() => undefined) : "done";
      },
    });
    const t = await testDaybook({ tasks: [slow], patienceMs: 10 });
    const handle = await t.run(slow);
    await t.advance("1 second");
    assert.deepEqual(started, [1]);
    await t.crash();
    await t.advance("1 minute");
    assert.deepEqual(started, [1, 2]);
    assert.equal(await handle.result(), "done");
    assert.match(await t.explain(handle.id), /attempts/);
  });
  test("hears nothing more of a node that died, whatever its functions still do", async () => {
    const gate = Promise.withResolvers<string>();
    const gated = task({ name: "gated", run: () => gate.promise });
    const t = await testDaybook({ tasks: [gated], patienceMs: 10 });
    const { id } = await t.run(gated);
    await t.advance(1);
    await t.crash();
    gate.resolve("from the grave");
    await realTime(0);
    assert.equal((await t.showRun({ id })).status, "pending");
  });
  test("waits for real work before its time goes on", async () => {
    const order: string[] = [];
    const real = task({
      name: "real",
      async run(_, ctx) {
        await realTime(30);
        order.push(`ran, ${ctx.attempt}`);
      },
    });
    const send = async (): Promise<{ result: "delivered"; receipt: string }> => {
      await realTime(10);
      order.push("said");
      return { result: "delivered", receipt: "1" };
    };
    const t = await testDaybook({ tasks: [real], channels: [{ name: "own", send }] });
    await t.run(real, undefined, { at: "+1m" });
    await t.remind({ message: "after", at: "+2m", target: "own:x" });
    await t.advance("1 hour");
    assert.deepEqual(order, ["ran, 1", "said"]);
    assert.deepEqual(
      t.outbox.map(({ target }) => target),
      ["own:x"],
    );
  });
  test("lets time end what waits for time", async () => {
    const hangs = task({
      name: "hangs",
      timeout: 60_000,
      retry: { attempts: 1 },
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("told to stop")));
        }),
    });
    const t = await testDaybook({ tasks: [hangs], patienceMs: 10 });
    const { id } = await t.run(hangs);
    await t.advance("10 minutes");
    assert.equal((await t.showRun({ id })).status, "failed");
  });
  test("refuses an input that a function does not take", async () => {
    const sweep = task({ name: "sweep", run: () => "swept" });
    const t = await testDaybook({ tasks: [sweep] });
    // @ts-expect-error it takes no input
    await assert.rejects(t.run(sweep, { n: 1 }), {
      code: "invalid",
      message: /^The input of sweep is wrong: it takes none\. Leave it out/,
    });
    const handle = await t.run(sweep);
    await t.advance(1);
    assert.equal(await handle.result(), "swept");
  });
  test("gives the only message, or lists what was sent", async () => {
    const t = await testDaybook({ channels: ["mail"] });
    const sent = async (message: string, target: string): Promise<void> => {
      await t.remind({ message, at: "+1s", target });
    };
    assert.throws(() => t.onlyMessage(), {
      code: "not_found",
      message: "No message was sent. Sent: nothing.",
    });
    await sent("milk", "mail:a");
    await sent("eggs", "mail:a");
    await sent("eggs", "mail:b");
    await t.advance("1 minute");
    assert.equal(t.onlyMessage({ target: "mail:b" }).text, "eggs");
    assert.equal(t.onlyMessage({ text: /^milk$/ }).target, "mail:a");
    assert.equal(t.onlyMessage({ target: "mail:a", text: "egg" }).text, "eggs");
    assert.throws(() => t.onlyMessage({ target: "mail:a" }), {
      message:
        '2 messages to mail:a were sent, not one. Sent: mail:a "milk"; mail:a "eggs"; mail:b "eggs".',
    });
    assert.throws(() => t.onlyMessage({ target: "mail:b", text: "milk" }), {
      message: /^No message to mail:b with "milk" was sent\. /,
    });
  });
  test("takes answers", async () => {
    const asks = task({
      name: "asks",
      run: (_, ctx) => `it is ${ctx.ask("Which colour?")}`,
    });
    const t = await testDaybook({ tasks: [asks] });
    const handle = await t.run(asks);
    await t.advance(1);
    const [run] = await t.tasks("asks");
    assert.equal(run?.question?.text, "Which colour?");
    await t.answer(handle.id, "blue");
    await t.advance(1);
    assert.equal(await handle.result(), "it is blue");
  });
  test("answers over HTTP too", async () => {
    const t = await testDaybook({ auth: () => ({ owner: "me", scopes: ["read"] }) });
    assert.equal((await t.fetch(new Request("http://a.example/v1/whoami"))).status, 200);
  });
  test("leaves no timer behind", async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const definitions: TaskDefinition[] = [sendInvoice];
    const t = await testDaybook({ tasks: definitions, channels: ["mail"] });
    await t.run(sendInvoice, invoice, { at: "+1m" });
    await t.advance("1 hour");
    await t.crash();
    const after = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    assert.equal(after, before);
  });
});

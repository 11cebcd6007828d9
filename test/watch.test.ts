import assert from "node:assert/strict";
import { test } from "node:test";
import { plainProfile } from "../src/features/accounts/profile.ts";
import { scheduler } from "../src/features/schedules/controller.ts";
import { pingByToken } from "../src/features/schedules/operations/ping.ts";
import { pingHash, pingToken } from "../src/features/schedules/ping-token.ts";
import { makeWatch } from "../src/features/schedules/watch.ts";
import { taskKind } from "../src/features/tasks/kind.ts";
import { runController } from "../src/kernel/runtime.ts";
import { runFixture, type RunFixture } from "../src/testing/run-fixture.ts";

const hourMs = 3_600_000;

interface Watched extends RunFixture {
  /** Runs between the claim and the decision of the watch. */
  meanwhile(): Promise<void>;
  ping(exit?: number): Promise<void>;
  /** Each run: the hour of its end, and its state. */
  lines(): Promise<readonly string[]>;
}

/** A running node with a watch that expects hourly pings, with half an hour of grace. */
async function watched(language: "en" | "ko" = "en"): Promise<Watched> {
  const at = runFixture();
  const now = at.kernel.now();
  const body = {
    name: "backup",
    cadence: { type: "interval", everyMs: hourMs, anchor: now },
    whenText: "1h",
    run: { ping: pingHash("secret"), graceMs: hourMs / 2 },
    notify: "never",
    target: "fake:a",
    origin: null,
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: 1,
    notifyAfterFailures: 1,
    disableAfterFailures: 0,
  } as const;
  const book = at.ledger.of("mina", "mina");
  const { id } = await book.append(makeWatch(body, { owner: "mina", now, limit: 5 }));
  const reader = { ...plainProfile, language };
  const profile = () => made.meanwhile().then(() => reader);
  const controller = scheduler({ ...at, profile });
  await runController(controller, at.ports, at.options).start();
  const token = pingToken("mina", id, "secret");
  const fixture = {
    ledger: at.ledger,
    readProfile: () => Promise.resolve(reader),
    now: at.kernel.now,
  };
  const made: Watched = Object.assign(at, {
    meanwhile: () => Promise.resolve(),
    async ping(exit = 0) {
      assert.ok(await pingByToken(fixture, token, { exit, text: "" }));
    },
    async lines() {
      const { records } = await book.list({ kind: taskKind, limit: 500 });
      return records.map(({ state, endedAt }) => `${((endedAt ?? 0) - now) / hourMs} ${state}`);
    },
  });
  return made;
}

test("a watch with pings in time sends nothing", async () => {
  const at = await watched();
  for (let hour = 1; hour <= 5; hour += 1) {
    await at.pass(hourMs);
    await at.ping();
  }
  assert.deepEqual(
    await at.lines(),
    [1, 2, 3, 4, 5].map((hour) => `${hour} completed`),
  );
  assert.deepEqual(await at.messages(), []);
});

test("a watch reports a missing ping once after its grace, and the recovery", async () => {
  const at = await watched();
  await at.pass(1.25 * hourMs);
  await at.ping();
  await at.pass(3.75 * hourMs);
  assert.deepEqual(await at.lines(), [
    "1.25 completed",
    "2.75 missed",
    "3.75 missed",
    "4.75 missed",
  ]);
  assert.equal((await at.messages()).length, 1);
  await at.ping();
  await at.pass(hourMs);
  await at.ping(3);
  await at.ping();
  const messages = await at.messages();
  assert.match(messages[0] ?? "", /^⏰ 'backup' has not reported/);
  assert.deepEqual(messages.slice(1), [
    "✅ 'backup' reports again.",
    "❌ Scheduled task 'backup' has failed 1 times in a row. Latest error: it ended with exit 3",
    "✅ Scheduled task 'backup' works again, after 1 failure.",
  ]);
});

test("a Korean owner is notified in Korean", async () => {
  const at = await watched("ko");
  await at.pass(2 * hourMs);
  assert.match((await at.messages())[0] ?? "", /보고가 오지 않았습니다/);
});

test("a ping that races with a recorded miss counts", async () => {
  const at = await watched();
  let pings = 0;
  at.meanwhile = async () => {
    if (pings === 0) await at.ping();
    pings += 1;
  };
  await at.pass(1.5 * hourMs);
  await at.pass(hourMs);
  assert.equal(pings, 1);
  assert.deepEqual(await at.lines(), ["1.5 completed"]);
  assert.deepEqual(await at.messages(), []);
});

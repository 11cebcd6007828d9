import assert from "node:assert/strict";
import { test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import { DaybookError } from "../../platform/errors.ts";
import { nodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { nagController } from "../nags/controller.ts";
import { builtInCurves } from "../nags/curve.ts";
import { makeNag } from "../nags/kind.ts";
import { passOver } from "../nags/pass.ts";
import { deliverer } from "../notifications/controller.ts";
import { makeNotification } from "../notifications/kind.ts";
import { heartbeat } from "./heartbeat.ts";
import { metrics } from "./metrics.ts";

test("metrics have sends, lateness and waiting records, and no owner's name", async () => {
  const at = nodeFixture();
  const { ledger, clock } = at;
  const read = metrics(at.ports.events, ledger.work);
  const profile = (): Promise<typeof plainProfile> => Promise.resolve(plainProfile);
  const ear = { name: "ear", send: async () => ({ result: "delivered", receipt: 1 }) as const };
  const delivery = deliverer({ channels: [ear], clock, ledger, profile });
  await runController(delivery, at.ports, at.options).start();
  for (const inMs of [0, 0, 60_000]) {
    const time = at.kernel.now() + inMs;
    const body = { message: "hi", at: time, atText: "then", target: "ear:1", origin: null };
    await ledger.of("mina", "mina").append(makeNotification(body));
  }
  await at.pass(1_000);
  const text = await read();
  assert.match(text, /^daybook_settled_total\{kind="notification",state="delivered"\} 2$/m);
  assert.match(text, /^daybook_lateness_ms_count\{kind="notification"\} 2$/m);
  assert.match(text, /^processing_time_ms_count\{kind="notification"\} 2$/m);
  assert.match(text, /^daybook_later\{queue="notification"\} 1$/m);
  assert.match(text, /^daybook_concurrency_limit\{queue="notification"\} 64$/m);
  assert.match(text, /^daybook_records 3$/m);
  assert.doesNotMatch(text, /mina|ear:1/);
});

test("faults are counted by event name", async () => {
  const at = nodeFixture();
  const { ledger, clock } = at;
  const read = metrics(at.ports.events, ledger.work);
  const profile = (): Promise<typeof plainProfile> => Promise.resolve(plainProfile);
  await runController(
    deliverer({ channels: [], clock, ledger, profile }),
    at.ports,
    at.options,
  ).start();
  const body = { message: "hi", at: 0, atText: "then", target: "ear:1", origin: null };
  const book = ledger.of("mina", "mina");
  await book.append(makeNotification(body));
  await book.append(makeNotification({ ...body, expiresAt: 1 }));
  let failures = 2;
  at.fault = (verb) => {
    if (verb === "settle" && failures-- > 0) throw new DaybookError("busy", "Locked. Try again.");
  };
  await at.pass(10_000);
  const text = await read();
  assert.match(text, /^daybook_faults_total\{what="send failed"\} 1$/m);
  assert.match(text, /^daybook_faults_total\{what="overdue skipped"\} 1$/m);
  assert.match(text, /^daybook_faults_total\{what="settle failed"\} 2$/m);
  assert.doesNotMatch(text, /what="(record settled|work claimed|lane parked)"/);
});

test("a heartbeat is sent while the store answers, and its failure is logged", async () => {
  const at = nodeFixture();
  let pings = 0;
  const ping = async (): Promise<void> => {
    pings += 1;
    if (pings === 2) throw new Error("gone");
  };
  const beating = heartbeat({ ...at.ports, beat: () => ({ everyMs: 60_000, ping }) });
  await beating.start();
  await at.pass(150_000);
  assert.equal(pings, 3);
  at.fault = () => {
    throw new Error("the store is away");
  };
  await at.pass(60_000);
  assert.equal(pings, 3);
  const told = at.heard.flatMap(({ name, facts }) =>
    name === "heartbeat failed" ? [facts.reason] : [],
  );
  assert.deepEqual(told, ["gone", "the store is away"]);
  await beating.stop();
});

test("성능 메트릭 of a pass from cron: 처리 시간 측정 (`processing_time_ms`), 배치 크기별 성능 추적, 동시성 레벨 모니터링", async () => {
  const { ledger, ports, options } = nodeFixture();
  const read = metrics(ports.events, ledger.work);
  const request = {
    about: { text: "rent" },
    curveName: "otu",
    curve: builtInCurves.otu,
    target: "inbox:mina",
    origin: null,
    at: 1_000,
    atText: "now",
  };
  for (let count = 0; count < 12; count += 1) {
    await ledger.of("mina", "mina").append(makeNag(request, { owner: "mina", quiet: null }));
  }
  const profile = (): Promise<typeof plainProfile> => Promise.resolve(plainProfile);
  await passOver(nagController({ ledger, profile }), ports, { holder: options.holder })(100);
  const text = await read();
  assert.match(text, /^processing_time_ms_count\{kind="nag"\} 12$/m);
  assert.match(text, /^daybook_batch_size_bucket\{queue="nag",le="2"\} 1$/m);
  assert.match(text, /^daybook_batch_size_sum\{queue="nag"\} 12$/m);
  assert.match(text, /^daybook_concurrency_limit\{queue="nag"\} 10$/m);
});

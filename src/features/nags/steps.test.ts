import assert from "node:assert/strict";
import { test } from "node:test";
import type { Events } from "../../kernel/events.ts";
import { nagFixture, type NagFixture } from "../../testing/nag-fixture.ts";

const [minuteMs, hourMs] = [60_000, 3_600_000];

function steps(at: NagFixture): Events["alarm"][] {
  const seen: Events["alarm"][] = [];
  at.ports.events.listen((name, facts) => {
    if (name === "alarm") seen.push(facts as Events["alarm"]);
  });
  return seen;
}

test("a nag that is sent is due, then sent, with the id that the push service answered", async () => {
  const at = nagFixture();
  const seen = steps(at);
  at.answer = () => ({ result: "delivered", receipt: { id: "push-7" } });
  const id = await at.addNag();
  await at.startNagger();
  await at.startDeliverer();
  await at.pass(minuteMs);
  const { outcome } = await at.nag(id);
  assert.ok(outcome?.nextAt);
  const nextAt = new Date(outcome.nextAt).toISOString().replace(".000", "");
  assert.deepEqual(seen, [
    { id, count: 1, nextAt: null, step: "due" },
    { id, count: 1, nextAt, step: "sent", notificationId: "push-7" },
  ]);
});

test("a nag that fails is retried, with the reason", async () => {
  const at = nagFixture();
  const seen = steps(at);
  at.answer = () => ({ result: "rejected", reason: "no such phone" });
  await at.addNag();
  await at.startNagger();
  await at.startDeliverer();
  await at.pass(minuteMs);
  assert.deepEqual(
    seen.map(({ step, error }) => [step, error]),
    [
      ["due", undefined],
      ["retried", "no such phone"],
    ],
  );
});

test("동일 사용자의 다른 알람과 시간이 겹치면: the conflict that was resolved is reported", async () => {
  const at = nagFixture();
  const seen = steps(at);
  for (const _ of [1, 2]) await at.addNag();
  await at.startNagger();
  await at.startDeliverer();
  await at.pass(hourMs);
  const resolved = seen.filter(({ step }) => step === "conflict resolved");
  assert.equal(resolved.length, 1);
  assert.ok((resolved[0]?.tries ?? 0) >= 1);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type NotificationKind, notificationKind } from "../features/notifications/kind.ts";
import { DaybookError } from "../platform/errors.ts";
import { nodeFixture, type NodeFixture } from "../testing/node-fixture.ts";
import type { Controller } from "./controller.ts";
import { is } from "./kind.ts";
import type { AnyRecord, Claimed } from "./record.ts";
import { runController, type RuntimeOptions } from "./runtime.ts";
import type { Facts, Verdict } from "./verdict.ts";

type Note = Claimed<NotificationKind>;
type TestController = Controller<NotificationKind, string>;

/** A controller that records its acts; by default each succeeds at once. */
function testController(parts: Partial<TestController> = {}): TestController & { acted: Note[] } {
  const acted: Note[] = [];
  return {
    name: "test",
    kind: notificationKind,
    act(record) {
      acted.push(record);
      return Promise.resolve("sent");
    },
    decide: () => delivered,
    ...parts,
    acted,
  };
}
const delivered: Verdict<NotificationKind> = {
  ends: "delivered",
  outcome: { receipt: 1, reason: null, maybeDelivered: false },
};

async function append(
  at: NodeFixture,
  inMs: number,
  parts: { lane?: string; priority?: "high" | "low" } = {},
): Promise<string> {
  const when = at.kernel.now() + inMs;
  const target = parts.lane ?? "stdout:x";
  const body = { message: "m", at: when, atText: "", target, origin: "stdout:x" };
  const made = await at.ledger
    .of("mina", "mina")
    .append({ kind: "notification", body, state: "pending", wakeAt: when, ...parts });
  return made.id;
}

async function read(at: NodeFixture, id: string): Promise<AnyRecord> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(record);
  return record;
}

async function start(
  at: NodeFixture,
  controller: TestController,
  options: Partial<RuntimeOptions> = {},
): Promise<{ stop(): Promise<void> }> {
  const running = runController(controller, at.ports, { ...at.options, ...options });
  await running.start();
  return running;
}

const count = (at: NodeFixture, verb: string): number =>
  at.calls.filter((call) => call.verb === verb).length;

test("the loop sleeps until a record is due, and acts on it then", async () => {
  const at = nodeFixture();
  const controller = testController();
  const id = await append(at, 10_000);
  await start(at, controller);
  await at.pass(9_999);
  assert.equal(controller.acted.length, 0);
  assert.equal(count(at, "claim"), 1);
  await at.pass(1);
  assert.equal(controller.acted.length, 1);
  assert.equal((await read(at, id)).state, "delivered");
});

test("a hint wakes the loop for an earlier record", async () => {
  const at = nodeFixture();
  const controller = testController();
  await start(at, controller);
  await at.pass(1_000);
  await append(at, 0);
  await at.pass(0);
  assert.equal(controller.acted.length, 1);
});

test("a record whose hint was lost is found by the next poll", async () => {
  const at = nodeFixture();
  const controller = testController();
  const withoutHints = { ...at.ports, work: { ...at.ports.work, onHint: () => () => undefined } };
  await runController(controller, withoutHints, at.options).start();
  await at.pass(1_000);
  await append(at, 0);
  await at.pass(28_000);
  assert.equal(controller.acted.length, 0);
  await at.pass(2_000);
  assert.equal(controller.acted.length, 1);
});

test("the end of an attempt causes a claim only while all slots were taken", async () => {
  const at = nodeFixture();
  const controller = testController();
  await start(at, controller, { concurrency: 2 });
  const claimsFor = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n += 1) await append(at, 1_000);
    await at.pass(500);
    at.calls.length = 0;
    await at.pass(5_000);
    return at.calls.filter(({ verb }) => verb === "claim").length;
  };
  assert.equal(await claimsFor(1), 1);
  assert.equal(controller.acted.length, 1);
  assert.equal(await claimsFor(5), 3);
  assert.equal(controller.acted.length, 6);
});

test("the runtime's poll interval overrides the controller's", async () => {
  const at = nodeFixture();
  const withoutHints = { ...at.ports, work: { ...at.ports.work, onHint: () => () => undefined } };
  const often = { ...testController(), pollMs: 5_000 };
  const seldom = { ...testController(), pollMs: 5_000 };
  await runController(often, withoutHints, { holder: "n1" }).start();
  const running = runController(seldom, withoutHints, { holder: "n2", pollMs: 60_000 });
  await running.start();
  await at.pass(1_000);
  at.calls.length = 0;
  await at.pass(60_000);
  const claims = (holder: string): number =>
    at.calls.filter(({ verb, input }) => verb === "claim" && holds(input, holder)).length;
  assert.deepEqual([claims("n1"), claims("n2")], [12, 1]);
});

function holds(input: unknown, holder: string): boolean {
  return (
    typeof input === "object" && input !== null && "holder" in input && input.holder === holder
  );
}

test("the lease of a long act is renewed, so that no other node claims its record", async () => {
  const at = nodeFixture();
  let finish: (result: string) => void = () => undefined;
  const controller = testController({ act: () => new Promise((resolve) => (finish = resolve)) });
  const other = testController();
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  await start(at, other, { holder: "n2" });
  await at.pass(60_000);
  assert.equal(other.acted.length, 0);
  finish("sent");
  await at.pass(0);
  const record = await read(at, id);
  assert.deepEqual([record.state, record.attempt, record.lapses], ["delivered", 1, 0]);
});

test("an act that can no longer trust its lease is aborted", async () => {
  const at = nodeFixture();
  let abortReason: unknown;
  const controller = testController({
    act: (_record, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          abortReason = signal.reason;
          resolve("aborted");
        });
      }),
  });
  await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  at.fault = (verb) => {
    if (verb === "keep") throw new DaybookError("busy", "locked");
  };
  await at.pass(8_000);
  assert.equal(abortReason, "lease lost");
});

test("an act whose save is answered after its lease is aborted", async () => {
  const at = nodeFixture();
  let abortReason: unknown;
  const controller = testController({
    async act(_record, { save, signal }) {
      await save({ receipt: null, reason: null, maybeDelivered: false });
      abortReason = signal.reason;
      return "sent";
    },
  });
  await append(at, 0);
  const { work } = at.ports;
  const late: typeof work = {
    ...work,
    async keep(units) {
      const answer = await work.keep(units);
      await new Promise<void>((resolve) => void at.clock.after(9_000, resolve));
      return answer;
    },
  };
  await runController(controller, { ...at.ports, work: late }, at.options).start();
  await at.pass(9_000);
  assert.equal(abortReason, "lease lost");
});

test("an act that throws is repeated later, and its history has the reason", async () => {
  const at = nodeFixture();
  let tries = 0;
  const controller = testController({
    act() {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error(`no ${tries}`)) : Promise.resolve("sent");
    },
  });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(60_000);
  const record = await read(at, id);
  assert.deepEqual([record.state, record.attempt], ["delivered", 3]);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.deepEqual(
    changes.map(({ what, state, note }) => [what, state, note]),
    [
      ["appended", "pending", null],
      ["settled", "pending", "no 1"],
      ["settled", "pending", "no 2"],
      ["settled", "delivered", null],
    ],
  );
});

test("an act that throws what nobody expected is reported with its stack, without its message", async () => {
  const at = nodeFixture();
  const errors = [new TypeError("x is undefined"), new DaybookError("invalid", "write it better")];
  const controller = testController({
    act: () => Promise.reject(errors.shift() ?? assert.fail()),
  });
  await append(at, 0);
  await start(at, controller);
  await at.pass(1_500);
  const failures = at.heard.flatMap(({ name, facts }) => (name === "act failed" ? [facts] : []));
  const [unexpected, expected] = failures as { reason: string; stack?: string }[];
  assert.equal(unexpected?.reason, "x is undefined");
  assert.match(unexpected?.stack ?? "", /^\s+at .*runtime\.test\.ts:\d+/);
  assert.doesNotMatch(unexpected?.stack ?? "", /undefined/);
  assert.deepEqual([expected?.reason, expected?.stack], ["write it better", undefined]);
});

test("a record that is edited during the act is decided again on its new body", async () => {
  const at = nodeFixture();
  let finish: (result: string) => void = () => undefined;
  const decided: string[] = [];
  const controller = testController({
    act: () => new Promise((resolve) => (finish = resolve)),
    decide(record) {
      decided.push(record.body.message);
      return delivered;
    },
  });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  const record = await read(at, id);
  assert.ok(is(notificationKind, record));
  await at.ledger
    .of("mina", "mina")
    .edit({ kind: "notification", id, body: { ...record.body, message: "new" } });
  finish("sent");
  await at.pass(0);
  assert.deepEqual(decided, ["m", "new"]);
  assert.equal((await read(at, id)).state, "delivered");
});

test("a cancel during the act aborts it, and the record ends cancelled", async () => {
  const at = nodeFixture();
  const controller = testController({
    act: (_record, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error(String(signal.reason))));
      }),
  });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  const answer = await at.ledger.of("mina", "mina").cancel({ id });
  assert.equal(answer.result, "cancelling");
  await at.pass(60_000);
  const record = await read(at, id);
  assert.deepEqual([record.state, record.attempt], ["cancelled", 1]);
});

test("a cancel that comes too late is noted in the history", async () => {
  const at = nodeFixture();
  let finish: (result: string) => void = () => undefined;
  const controller = testController({ act: () => new Promise((resolve) => (finish = resolve)) });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  await at.ledger.of("mina", "mina").cancel({ id });
  finish("sent");
  await at.pass(0);
  assert.equal((await read(at, id)).state, "delivered");
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.equal(changes.at(-1)?.note, "the cancel came late");
});

/** A consequence that cannot be written: another record holds its name. */
async function refusedConsequences(
  at: NodeFixture,
): Promise<NonNullable<Verdict<NotificationKind>["consequences"]>> {
  const body = { message: "held", at: 0, atText: "", target: "stdout:x", origin: "stdout:x" };
  const taken = { kind: "notification", body, state: "pending", holds: ["one"] } as const;
  await at.ledger.of("mina", "mina").append(taken);
  return { append: [taken] };
}

test("a record whose consequence is refused is retried, and its history has the reason", async () => {
  const at = nodeFixture();
  const consequences = await refusedConsequences(at);
  const waiting = { state: "pending", wakeAt: 2 ** 50, consequences } as const;
  const id = await append(at, 0);
  const controller = testController({ decide: () => waiting });
  await start(at, controller);
  await at.pass(0);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.equal(changes.at(-1)?.state, "pending");
  assert.match(changes.at(-1)?.note ?? "", /one/);
  await at.pass(2_000);
  assert.equal(controller.acted.length, 2);
});

test("an end is kept when its consequences are refused, and the refusal is an event", async () => {
  const at = nodeFixture();
  const consequences = await refusedConsequences(at);
  const controller = testController({ decide: () => ({ ...delivered, consequences }) });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(60_000);
  const { state, outcome } = await read(at, id);
  assert.deepEqual([state, outcome], ["delivered", delivered.outcome]);
  assert.equal(controller.acted.length, 1);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.match(changes.at(-1)?.note ?? "", /^what follows from it was refused: .*one/);
  const emitted = at.heard.flatMap(({ name, facts }) =>
    name === "consequence refused" ? [[facts.id, facts.attempt]] : [],
  );
  assert.deepEqual(emitted, [[id, 1]]);
});

test("a settle without an answer is sent again, and the act is not repeated", async () => {
  for (const code of ["busy", "unknown", "unavailable"] as const) {
    const at = nodeFixture();
    const controller = testController();
    const id = await append(at, 0);
    let failures = 3;
    at.fault = (verb) => {
      if (verb === "settle" && failures-- > 0) throw new DaybookError(code, "no answer");
    };
    await start(at, controller);
    await at.pass(2_000);
    assert.equal(controller.acted.length, 1);
    assert.equal((await read(at, id)).state, "delivered");
  }
});

test("attempts that end together are settled together", async () => {
  const at = nodeFixture();
  for (let n = 0; n < 50; n += 1) await append(at, 0);
  await start(at, testController());
  await at.pass(0);
  assert.equal(count(at, "settle"), 1);
});

test("no more attempts run at once than the concurrency allows", async () => {
  const at = nodeFixture();
  let now = 0;
  let most = 0;
  const controller = testController({
    act: async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((resolve) => void at.clock.after(10, resolve));
      now -= 1;
      return "sent";
    },
  });
  for (let n = 0; n < 100; n += 1) await append(at, 0);
  await start(at, controller, { concurrency: 7 });
  await at.pass(1_000);
  assert.equal(most, 7);
  assert.equal(
    (await at.ledger.of("mina", "mina").list({ live: true, limit: 500 })).records.length,
    0,
  );
});

test("one claim in eight starts at low priority", async () => {
  const at = nodeFixture();
  const order: string[] = [];
  const controller = testController({
    act(record) {
      order.push(record.priority);
      return Promise.resolve("sent");
    },
  });
  for (let n = 0; n < 30; n += 1) await append(at, 0, { priority: "high" });
  await append(at, 0, { priority: "low" });
  await start(at, controller, { concurrency: 1 });
  await at.pass(0);
  assert.equal(order.indexOf("low"), 7);
});

test("stop aborts the acts, waits for them and claims nothing; a second stop is harmless", async () => {
  const at = nodeFixture();
  const controller = testController({
    act: (_record, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve(String(signal.reason))),
      ),
  });
  const id = await append(at, 0);
  const running = await start(at, controller);
  await at.pass(0);
  await running.stop();
  await running.stop();
  assert.equal((await read(at, id)).state, "delivered");
  const claims = count(at, "claim");
  await append(at, 0);
  await at.pass(60_000);
  assert.equal(count(at, "claim"), claims);
});

test("stop gives up on a store that does not answer", async () => {
  const at = nodeFixture();
  await append(at, 0);
  at.fault = (verb) => {
    if (verb === "settle") throw new DaybookError("unavailable", "gone");
  };
  const running = await start(at, testController());
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(10_000);
  assert.ok(stopped);
});

test("rules get the time of the store, not of the node", async () => {
  const at = nodeFixture();
  at.clock.step(-3_600_000);
  const seen: Facts[] = [];
  const controller = testController({
    before(_record, facts) {
      seen.push(facts);
      return undefined;
    },
  });
  await append(at, 500);
  await start(at, controller);
  await at.pass(500);
  assert.equal(seen[0]?.now, at.kernel.now());
});

test("a record that can be decided without acting is not acted on", async () => {
  const at = nodeFixture();
  const controller = testController({
    before: (record) => ({ state: "pending", wakeAt: record.body.at + 5_000, freshStart: true }),
  });
  const id = await append(at, 0);
  await start(at, controller);
  await at.pass(0);
  assert.equal(controller.acted.length, 0);
  assert.equal((await read(at, id)).attempt, 0);
});

test("a claim whose answer comes after its lease starts no attempt", async () => {
  const at = nodeFixture();
  const controller = testController();
  await append(at, 0);
  const { work } = at.ports;
  let slow = true;
  const late: typeof work = {
    ...work,
    async claim(request) {
      const answer = await work.claim(request);
      if (slow) await new Promise<void>((resolve) => void at.clock.after(7_000, resolve));
      slow = false;
      return answer;
    },
  };
  await runController(controller, { ...at.ports, work: late }, at.options).start();
  await at.pass(7_000);
  const [record] = controller.acted;
  assert.equal(record?.attempt, 1);
  assert.equal(controller.acted.length, 1);
  assert.ok((record?.lease.claimedAt ?? 0) >= at.kernel.now(), "the first claim was not acted on");
});

test("stop gives up on a store that fails while records are given back", async () => {
  const at = nodeFixture();
  for (let n = 0; n < 40; n += 1) await append(at, 0, { lane: "stdout:one" });
  at.fault = (verb) => {
    if (verb === "settle") throw new DaybookError("unavailable", "gone");
  };
  const running = await start(at, testController());
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(60_000);
  assert.ok(stopped);
});

test("stop waits for an act that ignores its signal", async () => {
  const at = nodeFixture();
  let finish: (result: string) => void = () => undefined;
  await append(at, 0);
  const running = await start(
    at,
    testController({ act: () => new Promise((resolve) => (finish = resolve)) }),
  );
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(60_000);
  assert.equal(stopped, false);
  finish("sent");
  await at.pass(0);
  assert.ok(stopped);
});

test("a record whose settles are all refused is left to its lease", async () => {
  const at = nodeFixture();
  await append(at, 0);
  let settles = 0;
  const error = { code: "held", message: "held", details: {} } as const;
  const work: typeof at.ports.work = {
    ...at.ports.work,
    settle(units) {
      settles += units.length;
      return Promise.resolve(units.map(() => ({ result: "refused", error })));
    },
  };
  await runController(testController(), { ...at.ports, work }, at.options).start();
  await at.pass(0);
  assert.equal(settles, 2);
  assert.deepEqual(
    at.heard.map(({ name }) => name).filter((name) => name !== "work claimed"),
    ["consequence refused", "act failed"],
  );
});

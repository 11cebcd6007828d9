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
type Sayer = Controller<NotificationKind, string>;

/** A controller whose act answers when the test says so, or at once. */
function sayer(parts: Partial<Sayer> = {}): Sayer & { acted: Note[] } {
  const acted: Note[] = [];
  return {
    name: "sayer",
    kind: notificationKind,
    act(record) {
      acted.push(record);
      return Promise.resolve("said");
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

async function ask(
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

async function look(at: NodeFixture, id: string): Promise<AnyRecord> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(record);
  return record;
}

async function on(
  at: NodeFixture,
  controller: Sayer,
  options: Partial<RuntimeOptions> = {},
): Promise<{ stop(): Promise<void> }> {
  const running = runController(controller, at.ports, { ...at.options, ...options });
  await running.start();
  return running;
}

const count = (at: NodeFixture, verb: string): number =>
  at.calls.filter((call) => call.verb === verb).length;

test("a record is acted on when it is due, never before, and the loop sleeps until then", async () => {
  const at = nodeFixture();
  const says = sayer();
  const id = await ask(at, 10_000);
  await on(at, says);
  await at.pass(9_999);
  assert.equal(says.acted.length, 0);
  assert.equal(count(at, "claim"), 1);
  await at.pass(1);
  assert.equal(says.acted.length, 1);
  assert.equal((await look(at, id)).state, "delivered");
});

test("a hint wakes the loop for something sooner", async () => {
  const at = nodeFixture();
  const says = sayer();
  await on(at, says);
  await at.pass(1_000);
  await ask(at, 0);
  await at.pass(0);
  assert.equal(says.acted.length, 1);
});

test("a lost hint costs a poll, not the work", async () => {
  const at = nodeFixture();
  const says = sayer();
  const deaf = { ...at.ports, work: { ...at.ports.work, onHint: () => () => undefined } };
  await runController(says, deaf, at.options).start();
  await at.pass(1_000);
  await ask(at, 0);
  await at.pass(28_000);
  assert.equal(says.acted.length, 0);
  await at.pass(2_000);
  assert.equal(says.acted.length, 1);
});

test("what ends makes no look of its own, unless others wait for its room", async () => {
  const at = nodeFixture();
  const says = sayer();
  await on(at, says, { concurrency: 2 });
  const looksFor = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n += 1) await ask(at, 1_000);
    await at.pass(500);
    at.calls.length = 0;
    await at.pass(5_000);
    return at.calls.filter(({ verb }) => verb === "claim").length;
  };
  assert.equal(await looksFor(1), 1);
  assert.equal(says.acted.length, 1);
  assert.equal(await looksFor(5), 3);
  assert.equal(says.acted.length, 6);
});

test("a controller looks as often as it says, unless it is run otherwise", async () => {
  const at = nodeFixture();
  const deaf = { ...at.ports, work: { ...at.ports.work, onHint: () => () => undefined } };
  const often = { ...sayer(), pollMs: 5_000 };
  const seldom = { ...sayer(), pollMs: 5_000 };
  await runController(often, deaf, { holder: "n1" }).start();
  const running = runController(seldom, deaf, { holder: "n2", pollMs: 60_000 });
  await running.start();
  await at.pass(1_000);
  at.calls.length = 0;
  await at.pass(60_000);
  const looks = (holder: string): number =>
    at.calls.filter(({ verb, input }) => verb === "claim" && holds(input, holder)).length;
  assert.deepEqual([looks("n1"), looks("n2")], [12, 1]);
});

function holds(input: unknown, holder: string): boolean {
  return (
    typeof input === "object" && input !== null && "holder" in input && input.holder === holder
  );
}

test("the lease of a long act is kept, so that nobody takes it over", async () => {
  const at = nodeFixture();
  let finish: (said: string) => void = () => undefined;
  const says = sayer({ act: () => new Promise((resolve) => (finish = resolve)) });
  const other = sayer();
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  await on(at, other, { holder: "n2" });
  await at.pass(60_000);
  assert.equal(other.acted.length, 0);
  finish("said");
  await at.pass(0);
  const record = await look(at, id);
  assert.deepEqual([record.state, record.attempt, record.lapses], ["delivered", 1, 0]);
});

test("an act that cannot trust its lease any more is told to stop", async () => {
  const at = nodeFixture();
  let told: unknown;
  const says = sayer({
    act: (_record, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          told = signal.reason;
          resolve("cut off");
        });
      }),
  });
  await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  at.fault = (verb) => {
    if (verb === "keep") throw new DaybookError("busy", "locked");
  };
  await at.pass(8_000);
  assert.equal(told, "lease lost");
});

test("an act whose save is answered after its lease is told to stop", async () => {
  const at = nodeFixture();
  let told: unknown;
  const says = sayer({
    async act(_record, { save, signal }) {
      await save({ receipt: null, reason: null, maybeDelivered: false });
      told = signal.reason;
      return "said";
    },
  });
  await ask(at, 0);
  const { work } = at.ports;
  const late: typeof work = {
    ...work,
    async keep(units) {
      const answer = await work.keep(units);
      await new Promise<void>((resolve) => void at.clock.after(9_000, resolve));
      return answer;
    },
  };
  await runController(says, { ...at.ports, work: late }, at.options).start();
  await at.pass(9_000);
  assert.equal(told, "lease lost");
});

test("an act that throws is tried again later, and says why", async () => {
  const at = nodeFixture();
  let tries = 0;
  const says = sayer({
    act() {
      tries += 1;
      return tries < 3 ? Promise.reject(new Error(`no ${tries}`)) : Promise.resolve("said");
    },
  });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(60_000);
  const record = await look(at, id);
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

test("a record that was edited during the act is decided again, on what it is now", async () => {
  const at = nodeFixture();
  let finish: (said: string) => void = () => undefined;
  const decided: string[] = [];
  const says = sayer({
    act: () => new Promise((resolve) => (finish = resolve)),
    decide(record) {
      decided.push(record.body.message);
      return delivered;
    },
  });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  const record = await look(at, id);
  assert.ok(is(notificationKind, record));
  await at.ledger
    .of("mina", "mina")
    .edit({ kind: "notification", id, body: { ...record.body, message: "new" } });
  finish("said");
  await at.pass(0);
  assert.deepEqual(decided, ["m", "new"]);
  assert.equal((await look(at, id)).state, "delivered");
});

test("a cancel during the act stops it, and the record ends cancelled without another attempt", async () => {
  const at = nodeFixture();
  const says = sayer({
    act: (_record, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error(String(signal.reason))));
      }),
  });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  const answer = await at.ledger.of("mina", "mina").cancel({ id });
  assert.equal(answer.result, "cancelling");
  await at.pass(60_000);
  const record = await look(at, id);
  assert.deepEqual([record.state, record.attempt], ["cancelled", 1]);
});

test("a cancel that comes late says so", async () => {
  const at = nodeFixture();
  let finish: (said: string) => void = () => undefined;
  const says = sayer({ act: () => new Promise((resolve) => (finish = resolve)) });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  await at.ledger.of("mina", "mina").cancel({ id });
  finish("said");
  await at.pass(0);
  assert.equal((await look(at, id)).state, "delivered");
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.equal(changes.at(-1)?.note, "the cancel came late");
});

/** A consequence that cannot be written: another has its name. */
async function impossible(
  at: NodeFixture,
): Promise<NonNullable<Verdict<NotificationKind>["consequences"]>> {
  const body = { message: "held", at: 0, atText: "", target: "stdout:x", origin: "stdout:x" };
  const taken = { kind: "notification", body, state: "pending", holds: ["one"] } as const;
  await at.ledger.of("mina", "mina").append(taken);
  return { append: [taken] };
}

test("a consequence that is refused is not lost: the record is tried again and says why", async () => {
  const at = nodeFixture();
  const consequences = await impossible(at);
  const waits = { state: "pending", wakeAt: 2 ** 50, consequences } as const;
  const id = await ask(at, 0);
  const says = sayer({ decide: () => waits });
  await on(at, says);
  await at.pass(0);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.equal(changes.at(-1)?.state, "pending");
  assert.match(changes.at(-1)?.note ?? "", /one/);
  await at.pass(2_000);
  assert.equal(says.acted.length, 2);
});

test("an end stays an end when what follows from it is refused, and that is told", async () => {
  const at = nodeFixture();
  const consequences = await impossible(at);
  const says = sayer({ decide: () => ({ ...delivered, consequences: consequences }) });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(60_000);
  const { state, outcome } = await look(at, id);
  assert.deepEqual([state, outcome], ["delivered", delivered.outcome]);
  assert.equal(says.acted.length, 1);
  const { changes } = await at.ledger.of("mina", "mina").changes({ id });
  assert.match(changes.at(-1)?.note ?? "", /^what follows from it was refused: .*one/);
  const told = at.heard.flatMap(({ name, facts }) =>
    name === "consequence refused" ? [[facts.id, facts.attempt]] : [],
  );
  assert.deepEqual(told, [[id, 1]]);
});

test("a settle that the store does not answer is sent again; the act is not repeated", async () => {
  for (const code of ["busy", "unknown", "unavailable"] as const) {
    const at = nodeFixture();
    const says = sayer();
    const id = await ask(at, 0);
    let failures = 3;
    at.fault = (verb) => {
      if (verb === "settle" && failures-- > 0) throw new DaybookError(code, "no answer");
    };
    await on(at, says);
    await at.pass(2_000);
    assert.equal(says.acted.length, 1);
    assert.equal((await look(at, id)).state, "delivered");
  }
});

test("what ends together is settled together", async () => {
  const at = nodeFixture();
  for (let n = 0; n < 50; n += 1) await ask(at, 0);
  await on(at, sayer());
  await at.pass(0);
  assert.equal(count(at, "settle"), 1);
});

test("no more than the allowed number is at work", async () => {
  const at = nodeFixture();
  let now = 0;
  let most = 0;
  const says = sayer({
    act: async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise<void>((resolve) => void at.clock.after(10, resolve));
      now -= 1;
      return "said";
    },
  });
  for (let n = 0; n < 100; n += 1) await ask(at, 0);
  await on(at, says, { concurrency: 7 });
  await at.pass(1_000);
  assert.equal(most, 7);
  assert.equal(
    (await at.ledger.of("mina", "mina").list({ live: true, limit: 500 })).records.length,
    0,
  );
});

test("urgent work never starves the rest: one claim in eight starts at low priority", async () => {
  const at = nodeFixture();
  const order: string[] = [];
  const says = sayer({
    act(record) {
      order.push(record.priority);
      return Promise.resolve("said");
    },
  });
  for (let n = 0; n < 30; n += 1) await ask(at, 0, { priority: "high" });
  await ask(at, 0, { priority: "low" });
  await on(at, says, { concurrency: 1 });
  await at.pass(0);
  assert.equal(order.indexOf("low"), 7);
});

test("stop claims nothing more, tells the acts, waits for them, and twice is harmless", async () => {
  const at = nodeFixture();
  const says = sayer({
    act: (_record, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve(String(signal.reason))),
      ),
  });
  const id = await ask(at, 0);
  const running = await on(at, says);
  await at.pass(0);
  await running.stop();
  await running.stop();
  assert.equal((await look(at, id)).state, "delivered");
  const claims = count(at, "claim");
  await ask(at, 0);
  await at.pass(60_000);
  assert.equal(count(at, "claim"), claims);
});

test("stop does not wait for ever for a store that does not answer", async () => {
  const at = nodeFixture();
  await ask(at, 0);
  at.fault = (verb) => {
    if (verb === "settle") throw new DaybookError("unavailable", "gone");
  };
  const running = await on(at, sayer());
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(10_000);
  assert.ok(stopped);
});

test("rules are asked with the store's clock, whatever the node's own says", async () => {
  const at = nodeFixture();
  at.clock.step(-3_600_000);
  const seen: Facts[] = [];
  const says = sayer({
    before(_record, facts) {
      seen.push(facts);
      return undefined;
    },
  });
  await ask(at, 500);
  await on(at, says);
  await at.pass(500);
  assert.equal(seen[0]?.now, at.kernel.now());
});

test("what can be decided without acting is not acted on", async () => {
  const at = nodeFixture();
  const says = sayer({
    before: (record) => ({ state: "pending", wakeAt: record.body.at + 5_000, freshStart: true }),
  });
  const id = await ask(at, 0);
  await on(at, says);
  await at.pass(0);
  assert.equal(says.acted.length, 0);
  assert.equal((await look(at, id)).attempt, 0);
});

test("a claim whose answer comes after its lease starts nothing", async () => {
  const at = nodeFixture();
  const says = sayer();
  await ask(at, 0);
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
  await runController(says, { ...at.ports, work: late }, at.options).start();
  await at.pass(7_000);
  const [record] = says.acted;
  assert.equal(record?.attempt, 1);
  assert.equal(says.acted.length, 1);
  assert.ok((record?.lease.claimedAt ?? 0) >= at.kernel.now(), "the first claim was not acted on");
});

test("stop does not wait for ever for a store that fails while records are given back", async () => {
  const at = nodeFixture();
  for (let n = 0; n < 40; n += 1) await ask(at, 0, { lane: "stdout:one" });
  at.fault = (verb) => {
    if (verb === "settle") throw new DaybookError("unavailable", "gone");
  };
  const running = await on(at, sayer());
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(60_000);
  assert.ok(stopped);
});

test("an act that ignores its signal is waited for: nothing of it runs after the stop", async () => {
  const at = nodeFixture();
  let finish: (said: string) => void = () => undefined;
  await ask(at, 0);
  const running = await on(at, sayer({ act: () => new Promise((resolve) => (finish = resolve)) }));
  await at.pass(0);
  let stopped = false;
  void running.stop().then(() => (stopped = true));
  await at.pass(60_000);
  assert.equal(stopped, false);
  finish("said");
  await at.pass(0);
  assert.ok(stopped);
});

test("a record whose every settle is refused is left to its lease, not asked for again and again", async () => {
  const at = nodeFixture();
  await ask(at, 0);
  let asked = 0;
  const error = { code: "held", message: "held", details: {} } as const;
  const work: typeof at.ports.work = {
    ...at.ports.work,
    settle(units) {
      asked += units.length;
      return Promise.resolve(units.map(() => ({ result: "refused", error })));
    },
  };
  await runController(sayer(), { ...at.ports, work }, at.options).start();
  await at.pass(0);
  assert.equal(asked, 2);
  assert.deepEqual(
    at.heard.map(({ name }) => name).filter((name) => name !== "work claimed"),
    ["consequence refused", "act failed"],
  );
});

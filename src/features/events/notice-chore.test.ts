import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runController } from "../../kernel/runtime.ts";
import {
  owner,
  plainHandler,
  eventFixture,
  type EventFixture,
} from "../../testing/event-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import { chores, planChores, type Chore } from "../nodes/chore.ts";
import { notificationKind } from "../notifications/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { healthy, type Condition } from "./health.ts";
import { noticesChore } from "./notice-chore.ts";

const minuteMs = 60_000;
const failed: Ran = { result: "failed", reason: "no such branch", retry: false };
const success: Ran = { result: "completed", returned: { status: "success", summary: "done" } };
const red: Condition = { health: "red", reason: "cpu 93 % > 80 %", overloads: [] };

interface Set {
  condition: Condition;
  defaultTarget: string | null;
}

function choreOn(at: EventFixture, set: Set, owners: readonly string[] = []): Chore {
  return noticesChore({
    ledger: at.ledger,
    profile: () => Promise.resolve(plainProfile),
    owners: () => owners,
    home: owner,
    defaultTarget: () => set.defaultTarget,
    host: "mac",
    health: () => set.condition,
  });
}

async function start(at: EventFixture, chore: Chore, ...holders: readonly string[]): Promise<void> {
  await planChores(at.ledger, [chore]);
  for (const holder of holders) {
    await runController(chores([chore]), at.ports, { ...at.options, holder }).start();
  }
}

async function notices(at: EventFixture): Promise<readonly string[]> {
  const all = await at.all(notificationKind);
  return all
    .filter(({ body }) => body.type === "notice")
    .map(({ body }) => `${body.target} ${body.message}`);
}

describe("notices of trouble with events", () => {
  test("report a failing handler once on two nodes, and again after it recovered", async () => {
    let ran: Ran = failed;
    const at = eventFixture(() => ran);
    await at.start();
    await start(at, choreOn(at, { condition: healthy, defaultTarget: "slack:C9" }), "n1", "n2");
    const emit = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 1) {
        await at.emit({ name: `evt-${at.kernel.now()}-${left}` });
        await at.pass(minuteMs);
      }
    };
    await emit(2);
    assert.deepEqual(await notices(at), []);
    await emit(1);
    await at.pass(10 * minuteMs);
    const notice = `slack:C9 ⚠️ "gen-pr" failed 3 times in a row: no such branch`;
    assert.deepEqual(await notices(at), [notice]);
    await emit(3);
    ran = success;
    await emit(1);
    ran = failed;
    await emit(3);
    await at.pass(2 * minuteMs);
    assert.deepEqual(await notices(at), [notice, notice]);
    assert.ok(at.chat.sent.some(({ to }) => to === "C9"));
  });

  test("report every attempt that times out", async () => {
    const at = eventFixture(() => new Promise(() => undefined));
    const handler = { ...plainHandler, timeoutMs: minuteMs, retries: 4 };
    at.settings = { ...at.settings, handlers: [handler] };
    await at.start();
    await start(at, choreOn(at, { condition: healthy, defaultTarget: null }), "n1");
    await at.emit();
    await at.pass(30 * minuteMs);
    assert.deepEqual(await notices(at), [
      `inbox:${owner} ⚠️ 5 runs timed out within the last hour.`,
    ]);
  });

  test("report waiting events, an overloaded machine and its recovery", async () => {
    const at = eventFixture(() => success);
    const set: Set = { condition: red, defaultTarget: null };
    at.settings = { ...at.settings, health: "red", healthReason: red.reason };
    await at.start();
    await start(at, choreOn(at, set), "n1");
    await at.emit();
    await at.pass(29 * minuteMs);
    const busy = `inbox:${owner} ⛔ mac is overloaded, so no handlers start: cpu 93 % > 80 %`;
    assert.deepEqual(await notices(at), [busy]);
    await at.pass(10 * minuteMs);
    const [, stuck = ""] = await notices(at);
    assert.match(
      stuck,
      /^inbox:mina ⚠️ Events that wait for a handler: 1\. The oldest, github\.pr\./,
    );
    assert.match(stuck, /waits: the machine is overloaded \(cpu 93 % > 80 %\)$/);
    set.condition = healthy;
    at.settings = { ...at.settings, health: "green" };
    await at.pass(10 * minuteMs);
    assert.deepEqual((await notices(at)).slice(2), [
      `inbox:${owner} ✅ mac is healthy again: all handlers start.`,
    ]);
  });

  test("are not repeated after a crash between them", async () => {
    const at = eventFixture(() => success);
    await start(at, choreOn(at, { condition: red, defaultTarget: null }), "n1");
    let isDown = true;
    at.fault = (verb) => {
      if (verb === "settle" && isDown) throw new Error("gone");
    };
    await at.pass(minuteMs);
    assert.equal((await notices(at)).length, 1);
    isDown = false;
    await start(at, choreOn(at, { condition: red, defaultTarget: null }), "n2");
    await at.pass(5 * minuteMs);
    assert.equal((await notices(at)).length, 1);
  });

  test("of another owner go to that owner's inbox, without the machine", async () => {
    const at = eventFixture(() => success);
    at.settings = { ...at.settings, health: "red" };
    await at.start();
    const set: Set = { condition: red, defaultTarget: "slack:C9" };
    await start(at, choreOn(at, set, ["jun", owner]), "n1");
    const book = at.ledger.of("jun", "jun");
    const body = { name: "evt-1", type: "github.pr.review_requested", source: "github" };
    const rest = { repo: null, payload: {}, at: 0, origin: null, hops: 0 };
    await book.append({
      kind: "event",
      body: { ...body, ...rest },
      state: "pending",
      wakeAt: at.kernel.now(),
    });
    await at.pass(31 * minuteMs);
    const { records } = await book.list({ kind: notificationKind });
    assert.deepEqual(
      records.map(({ body: said }) => [said.target, said.message.slice(0, 9)]),
      [["inbox:jun", "⚠️ Events"]],
    );
    assert.match((await notices(at)).join(), /^slack:C9 ⛔ mac is overloaded[^⚠]*$/u);
  });
});

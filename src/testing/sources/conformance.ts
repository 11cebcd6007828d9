import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import fc from "fast-check";
import type { SourceKind } from "../../features/events/source.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import { busyMs, type HandClock, type MakeSourceRig, type SourceRig } from "./rig.ts";
import { handClock, sourceDriver, type SourceDriver } from "./source-driver.ts";

interface Scenario {
  rig: SourceRig;
  clock: HandClock;
  driver: SourceDriver;
}

type Play = (t: TestContext) => Promise<Scenario>;

/** The contract of every source. */
export function sourceSuite(name: string, make: MakeSourceRig): void {
  const play: Play = async (t) => {
    const clock = handClock();
    const rig = await make(t, clock);
    const driver = await sourceDriver(rig.make().name, clock);
    await driver.pollAll(rig.make());
    clock.now += 1_000;
    return { rig, clock, driver };
  };
  void describe(`${name} as a source`, () => {
    receivedCases(play);
    lossCases(play);
    faults(play);
    orderCases(play);
  });
}

/** Creates events a second apart. */
async function createEvent({ rig, clock }: Scenario, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let done = 0; done < count; done += 1) {
    clock.now += 1_000;
    names.push(await rig.createEvent());
  }
  return names;
}

function outcomeOf(
  record: LedgerRecord<SourceKind>,
): NonNullable<LedgerRecord<SourceKind>["outcome"]> {
  assert.ok(record.outcome, "the source was polled");
  return record.outcome;
}

async function assertReceived({ driver }: Scenario, names: readonly string[]): Promise<void> {
  const received = await driver.names();
  assert.deepEqual(received.toSorted(), names.toSorted());
}

function receivedCases(play: Play): void {
  void test("events are received once, in order, with their times", async (t) => {
    const scenario = await play(t);
    const names = await createEvent(scenario, 3);
    await scenario.driver.pollAll(scenario.rig.make());
    assert.deepEqual(await scenario.driver.names(), names);
    for (const { body, state } of await scenario.driver.events()) {
      assert.equal(state, "pending");
      assert.ok(body.at > 0 && body.at <= scenario.clock.now);
    }
  });
  void test("repeated polls return no event twice", async (t) => {
    const scenario = await play(t);
    const names = await createEvent(scenario, 2);
    for (let round = 0; round < 4; round += 1) await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
    assert.equal(outcomeOf(await scenario.driver.record()).reason, null);
  });
  void test("a second change of the same item is another event (ff87b57)", async (t) => {
    const scenario = await play(t);
    const [first = ""] = await createEvent(scenario, 1);
    await scenario.driver.pollAll(scenario.rig.make());
    scenario.clock.now += 1_000;
    const second = await scenario.rig.changeAgain();
    await scenario.driver.pollAll(scenario.rig.make());
    assert.notEqual(first, second);
    await assertReceived(scenario, [first, second]);
  });
  void test("more events than a page holds are all received", async (t) => {
    const scenario = await play(t);
    const names = await createEvent(scenario, 620);
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
  });
  void test("B7 11: a cursor never goes back, with repeated or late events", async (t) => {
    const scenario = await play(t);
    const { positionOf } = scenario.rig;
    if (positionOf === undefined) return t.skip("this source's cursors have no order");
    let farthest = positionOf(outcomeOf(await scenario.driver.record()).cursor);
    for (let round = 0; round < 5; round += 1) {
      if (round !== 3) await createEvent(scenario, 1);
      await scenario.driver.pollAll(scenario.rig.make());
      const at: number = positionOf(outcomeOf(await scenario.driver.record()).cursor);
      assert.ok(at >= farthest, `${at} is before ${farthest}`);
      farthest = at;
    }
  });
}

function lossCases(play: Play): void {
  void test("B7 13: a crash between a poll and its commit loses nothing", async (t) => {
    const scenario = await play(t);
    const names = await createEvent(scenario, 3);
    const before = outcomeOf(await scenario.driver.record()).cursor;
    scenario.clock.now += 60_000;
    assert.equal(await scenario.driver.poll(scenario.rig.make(), "dies"), true);
    assert.deepEqual(outcomeOf(await scenario.driver.record()).cursor, before);
    assert.deepEqual(await scenario.driver.names(), []);
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
  });
  void test("a lost answer is received by the next poll", async (t) => {
    const scenario = await play(t);
    if (scenario.rig.loseAnswer === undefined) return t.skip("this source loses no answers");
    const names = await createEvent(scenario, 2);
    scenario.rig.loseAnswer();
    await scenario.driver.pollAll(scenario.rig.make());
    assert.equal(outcomeOf(await scenario.driver.record()).failures, 1);
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
  });
  void test("an aborted poll loses nothing", async (t) => {
    const scenario = await play(t);
    const names = await createEvent(scenario, 1);
    const { cursor: before } = outcomeOf(await scenario.driver.record());
    await scenario.rig
      .make()
      .poll(before, { signal: AbortSignal.abort() })
      .catch(() => undefined);
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
  });
  void test("an unreadable cursor is an error, not a first poll", async (t) => {
    const { rig } = await play(t);
    const { signal } = new AbortController();
    await assert.rejects(rig.make().poll({ nonsense: 1 }, { signal }), DaybookError);
  });
}

function faults(play: Play): void {
  void test("each failure is recorded with a reason, and loses nothing", async (t) => {
    const { rig } = await play(t);
    for (const what of Object.keys(rig.faults)) {
      const scenario = await play(t);
      const names = await createEvent(scenario, 1);
      const { cursor: before } = outcomeOf(await scenario.driver.record());
      await scenario.rig.faults[what]?.();
      await scenario.driver.pollAll(scenario.rig.make());
      const { failures, reason, cursor: after } = outcomeOf(await scenario.driver.record());
      assert.equal(failures, 1, what);
      assert.match(reason ?? "", /[a-z].*\.$/, what);
      assert.deepEqual(after, before, what);
      await scenario.rig.recover();
      await scenario.driver.pollAll(scenario.rig.make());
      await assertReceived(scenario, names);
      const recovered = outcomeOf(await scenario.driver.record());
      assert.deepEqual([recovered.failures, recovered.reason], [0, null], what);
    }
    assert.ok(Object.keys(rig.faults).length > 0, "the rig has at least one failure");
  });
  void test("a failing source is polled less and less often", async (t) => {
    const scenario = await play(t);
    await Object.values(scenario.rig.faults)[0]?.();
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await scenario.driver.pollAll(scenario.rig.make());
      waits.push(((await scenario.driver.record()).wakeAt ?? 0) - scenario.clock.now);
    }
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    );
    assert.ok((waits[3] ?? 0) > 2 * (waits[0] ?? 0), waits.join(", "));
  });
  void test("a source is not polled during its Retry-After", async (t) => {
    const scenario = await play(t);
    if (scenario.rig.rateLimit === undefined) return t.skip("this source sends no Retry-After");
    const names = await createEvent(scenario, 1);
    scenario.rig.rateLimit();
    await scenario.driver.pollAll(scenario.rig.make());
    const { wakeAt } = await scenario.driver.record();
    assert.ok(
      (wakeAt ?? 0) - scenario.clock.now >= busyMs,
      `${(wakeAt ?? 0) - scenario.clock.now} ms`,
    );
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
  });
  void test("an unreadable item is reported, and the others are received", async (t) => {
    const scenario = await play(t);
    await scenario.rig.unreadable();
    const names = await createEvent(scenario, 1);
    await scenario.driver.pollAll(scenario.rig.make());
    await assertReceived(scenario, names);
    const { outcome } = await scenario.driver.record();
    assert.equal(outcome?.failures, 0);
  });
}

const steps = ["happen", "again", "turn", "dies", "lose", "trouble", "calm", "wait"] as const;

function orderCases(play: Play): void {
  void test("events in any order are each received once", async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 25 }), async (taken) => {
        const scenario = await play(t);
        const { rig, driver } = scenario;
        const names = await createEvent(scenario, 1);
        await driver.pollAll(rig.make());
        for (const step of taken) await take(scenario, step, names);
        await rig.recover();
        for (let round = 0; round < 40; round += 1) {
          await driver.pollAll(rig.make());
          if (outcomeOf(await driver.record()).failures === 0) break;
        }
        assert.equal(outcomeOf(await driver.record()).reason, null);
        await assertReceived(scenario, names);
      }),
      { numRuns: 25 },
    );
  });
}

async function take(
  scenario: Scenario,
  step: (typeof steps)[number],
  names: string[],
): Promise<void> {
  const { rig, driver, clock } = scenario;
  clock.now += 1_000;
  switch (step) {
    case "happen":
      names.push(await rig.createEvent());
      return;
    case "again":
      // An item can change again only after it was received: some services show only its newest change.
      if ((await driver.names()).includes(names.at(-1) ?? "")) names.push(await rig.changeAgain());
      return;
    case "turn":
    case "dies":
      await driver.poll(rig.make(), step === "dies" ? "dies" : "lives");
      return;
    case "lose":
      return void (await rig.loseAnswer?.());
    case "trouble":
      return void (await Object.values(rig.faults)[0]?.());
    case "calm":
      return void (await rig.recover());
    case "wait":
      clock.now += 90_000;
  }
}

import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import fc from "fast-check";
import type { SourceKind } from "../../features/events/source.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { DaybookError } from "../../platform/errors.ts";
import { handClock, listener, type Listener } from "./listener.ts";
import { busyMs, type HandClock, type MakeSourceRig, type SourceRig } from "./rig.ts";

interface Scenario {
  rig: SourceRig;
  clock: HandClock;
  ear: Listener;
}

type Play = (t: TestContext) => Promise<Scenario>;

/** The contract of every source. */
export function sourceSuite(name: string, make: MakeSourceRig): void {
  const play: Play = async (t) => {
    const clock = handClock();
    const rig = await make(t, clock);
    const ear = await listener(rig.make().name, clock);
    await ear.hear(rig.make());
    clock.now += 1_000;
    return { rig, clock, ear };
  };
  void describe(`${name} as a source`, () => {
    hearing(play);
    losses(play);
    troubles(play);
    chaos(play);
  });
}

/** Creates events a second apart. */
async function happen({ rig, clock }: Scenario, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let done = 0; done < count; done += 1) {
    clock.now += 1_000;
    names.push(await rig.happen());
  }
  return names;
}

function outcomeOf(
  record: LedgerRecord<SourceKind>,
): NonNullable<LedgerRecord<SourceKind>["outcome"]> {
  assert.ok(record.outcome, "the source was polled");
  return record.outcome;
}

async function assertHeard({ ear }: Scenario, names: readonly string[]): Promise<void> {
  const heard = await ear.names();
  assert.deepEqual(heard.toSorted(), names.toSorted());
}

function hearing(play: Play): void {
  void test("events are received once, in order, with their times", async (t) => {
    const scenario = await play(t);
    const names = await happen(scenario, 3);
    await scenario.ear.hear(scenario.rig.make());
    assert.deepEqual(await scenario.ear.names(), names);
    for (const { body, state } of await scenario.ear.events()) {
      assert.equal(state, "pending");
      assert.ok(body.at > 0 && body.at <= scenario.clock.now);
    }
  });
  void test("repeated polls return no event twice", async (t) => {
    const scenario = await play(t);
    const names = await happen(scenario, 2);
    for (let round = 0; round < 4; round += 1) await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
    assert.equal(outcomeOf(await scenario.ear.record()).reason, null);
  });
  void test("a second change of the same item is another event (ff87b57)", async (t) => {
    const scenario = await play(t);
    const [first = ""] = await happen(scenario, 1);
    await scenario.ear.hear(scenario.rig.make());
    scenario.clock.now += 1_000;
    const second = await scenario.rig.again();
    await scenario.ear.hear(scenario.rig.make());
    assert.notEqual(first, second);
    await assertHeard(scenario, [first, second]);
  });
  void test("more events than a page holds are all received", async (t) => {
    const scenario = await play(t);
    const names = await happen(scenario, 620);
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
  });
  void test("B7 11: a cursor never goes back, with repeated or late events", async (t) => {
    const scenario = await play(t);
    const { reach } = scenario.rig;
    if (reach === undefined) return t.skip("this source's cursors have no order");
    let farthest = reach(outcomeOf(await scenario.ear.record()).cursor);
    for (let round = 0; round < 5; round += 1) {
      if (round !== 3) await happen(scenario, 1);
      await scenario.ear.hear(scenario.rig.make());
      const at: number = reach(outcomeOf(await scenario.ear.record()).cursor);
      assert.ok(at >= farthest, `${at} is before ${farthest}`);
      farthest = at;
    }
  });
}

function losses(play: Play): void {
  void test("B7 13: a crash between a poll and its commit loses nothing", async (t) => {
    const scenario = await play(t);
    const names = await happen(scenario, 3);
    const before = outcomeOf(await scenario.ear.record()).cursor;
    scenario.clock.now += 60_000;
    assert.equal(await scenario.ear.turn(scenario.rig.make(), "dies"), true);
    assert.deepEqual(outcomeOf(await scenario.ear.record()).cursor, before);
    assert.deepEqual(await scenario.ear.names(), []);
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
  });
  void test("a lost answer is received by the next poll", async (t) => {
    const scenario = await play(t);
    if (scenario.rig.lose === undefined) return t.skip("this source loses no answers");
    const names = await happen(scenario, 2);
    scenario.rig.lose();
    await scenario.ear.hear(scenario.rig.make());
    assert.equal(outcomeOf(await scenario.ear.record()).failures, 1);
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
  });
  void test("an aborted poll loses nothing", async (t) => {
    const scenario = await play(t);
    const names = await happen(scenario, 1);
    const { cursor: heardTo } = outcomeOf(await scenario.ear.record());
    await scenario.rig
      .make()
      .poll(heardTo, { signal: AbortSignal.abort() })
      .catch(() => undefined);
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
  });
  void test("an unreadable cursor is an error, not a first poll", async (t) => {
    const { rig } = await play(t);
    const { signal } = new AbortController();
    await assert.rejects(rig.make().poll({ nonsense: 1 }, { signal }), DaybookError);
  });
}

function troubles(play: Play): void {
  void test("each failure is recorded with a reason, and loses nothing", async (t) => {
    const { rig } = await play(t);
    for (const what of Object.keys(rig.troubles)) {
      const scenario = await play(t);
      const names = await happen(scenario, 1);
      const { cursor: heardTo } = outcomeOf(await scenario.ear.record());
      await scenario.rig.troubles[what]?.();
      await scenario.ear.hear(scenario.rig.make());
      const { failures, reason, cursor: after } = outcomeOf(await scenario.ear.record());
      assert.equal(failures, 1, what);
      assert.match(reason ?? "", /[a-z].*\.$/, what);
      assert.deepEqual(after, heardTo, what);
      await scenario.rig.calm();
      await scenario.ear.hear(scenario.rig.make());
      await assertHeard(scenario, names);
      const calm = outcomeOf(await scenario.ear.record());
      assert.deepEqual([calm.failures, calm.reason], [0, null], what);
    }
    assert.ok(Object.keys(rig.troubles).length > 0, "the rig has at least one failure");
  });
  void test("a failing source is polled less and less often", async (t) => {
    const scenario = await play(t);
    await Object.values(scenario.rig.troubles)[0]?.();
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      await scenario.ear.hear(scenario.rig.make());
      waits.push(((await scenario.ear.record()).wakeAt ?? 0) - scenario.clock.now);
    }
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    );
    assert.ok((waits[3] ?? 0) > 2 * (waits[0] ?? 0), waits.join(", "));
  });
  void test("a source is not polled during its Retry-After", async (t) => {
    const scenario = await play(t);
    if (scenario.rig.busy === undefined) return t.skip("this source sends no Retry-After");
    const names = await happen(scenario, 1);
    scenario.rig.busy();
    await scenario.ear.hear(scenario.rig.make());
    const { wakeAt } = await scenario.ear.record();
    assert.ok(
      (wakeAt ?? 0) - scenario.clock.now >= busyMs,
      `${(wakeAt ?? 0) - scenario.clock.now} ms`,
    );
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
  });
  void test("an unreadable item is reported, and the others are received", async (t) => {
    const scenario = await play(t);
    await scenario.rig.junk();
    const names = await happen(scenario, 1);
    await scenario.ear.hear(scenario.rig.make());
    await assertHeard(scenario, names);
    const { outcome } = await scenario.ear.record();
    assert.equal(outcome?.failures, 0);
  });
}

const steps = ["happen", "again", "turn", "dies", "lose", "trouble", "calm", "wait"] as const;

function chaos(play: Play): void {
  void test("events in any order are each received once", async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 25 }), async (taken) => {
        const scenario = await play(t);
        const { rig, ear } = scenario;
        const names = await happen(scenario, 1);
        await ear.hear(rig.make());
        for (const step of taken) await take(scenario, step, names);
        await rig.calm();
        for (let round = 0; round < 40; round += 1) {
          await ear.hear(rig.make());
          if (outcomeOf(await ear.record()).failures === 0) break;
        }
        assert.equal(outcomeOf(await ear.record()).reason, null);
        await assertHeard(scenario, names);
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
  const { rig, ear, clock } = scenario;
  clock.now += 1_000;
  switch (step) {
    case "happen":
      names.push(await rig.happen());
      return;
    case "again":
      // An item can change again only after it was received: some services show only its newest change.
      if ((await ear.names()).includes(names.at(-1) ?? "")) names.push(await rig.again());
      return;
    case "turn":
    case "dies":
      await ear.turn(rig.make(), step === "dies" ? "dies" : "lives");
      return;
    case "lose":
      return void (await rig.lose?.());
    case "trouble":
      return void (await Object.values(rig.troubles)[0]?.());
    case "calm":
      return void (await rig.calm());
    case "wait":
      clock.now += 90_000;
  }
}

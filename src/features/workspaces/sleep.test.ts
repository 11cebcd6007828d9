import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { levels, type Level, type WorkspaceKind, type WorkspaceOutcome, stateOf } from "./kind.ts";
import { desiredOf } from "./plan.ts";
import { nextObservationAt, chosenLevel, type Use } from "./sleep.ts";

type Workspace = LedgerRecord<WorkspaceKind>;
type Own = WorkspaceOutcome["own"];

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

function at(level: Level, body: Partial<WorkspaceKind["body"]> = {}, own: Own = null): Workspace {
  const record = { state: stateOf(level) };
  return claimedWorkspace({ record, body: { desired: level, ...body }, outcome: { own } });
}

const idleTo = (desired: Level, asks = 1): Own => ({ desired, asks, because: "idle" });
const forSlot: Own = { desired: "RUNNING", asks: 1, because: "slot" };
const noSlot = (now: number): Use => ({ now, slotAt: null });

describe("an idle workspace", () => {
  const cases: readonly [Level, number, Own | undefined][] = [
    ["RUNNING", 300 * secondMs - 1, undefined],
    ["RUNNING", 300 * secondMs, idleTo("STANDBY")],
    ["RUNNING", 30 * dayMs, idleTo("STANDBY")],
    ["STANDBY", dayMs - 1, undefined],
    ["STANDBY", dayMs, idleTo("PENDING")],
    ["PENDING", 30 * dayMs, undefined],
  ];
  for (const [level, unusedMs, expected] of cases) {
    test(`at ${level} for ${unusedMs} ms becomes ${expected?.desired ?? "nothing else"}`, () => {
      assert.deepEqual(chosenLevel(at(level), level, noSlot(unusedMs)), expected);
    });
  }

  test("follows its own times", () => {
    const own = { standbyTtlSeconds: 10, archiveTtlSeconds: 20 };
    assert.equal(chosenLevel(at("RUNNING", own), "RUNNING", noSlot(9_999)), undefined);
    assert.deepEqual(chosenLevel(at("RUNNING", own), "RUNNING", noSlot(10_000)), idleTo("STANDBY"));
    assert.equal(chosenLevel(at("STANDBY", own), "STANDBY", noSlot(19_999)), undefined);
    assert.deepEqual(chosenLevel(at("STANDBY", own), "STANDBY", noSlot(20_000)), idleTo("PENDING"));
  });

  test("that fell asleep by itself is archived by itself", () => {
    const record = at("STANDBY", { desired: "RUNNING" }, idleTo("STANDBY"));
    assert.deepEqual(chosenLevel(record, "STANDBY", noSlot(dayMs)), idleTo("PENDING"));
  });

  test("stays up after a use", () => {
    const used = at("RUNNING", { lastAccessAt: hourMs });
    assert.equal(chosenLevel(used, "RUNNING", noSlot(hourMs + 299_999)), undefined);
    assert.deepEqual(chosenLevel(used, "RUNNING", noSlot(hourMs + 300_000)), idleTo("STANDBY"));
  });

  test("keeps its level on the way to another one", () => {
    for (const level of levels)
      for (const desired of levels) {
        if (level === desired) continue;
        assert.equal(chosenLevel(at(level, { desired }), level, noSlot(30 * dayMs)), undefined);
      }
  });

  test("A10-11: loses its choice with the next request", () => {
    const record = at("RUNNING", { asks: 7 });
    const own = chosenLevel(record, "RUNNING", noSlot(dayMs));
    assert.deepEqual(own, idleTo("STANDBY", 7));
    const chosen = { own: own ?? null };
    assert.equal(desiredOf(record.body, chosen), "STANDBY");
    assert.equal(desiredOf({ ...record.body, asks: 8 }, chosen), "RUNNING");
  });
});

describe("a slot of a schedule", () => {
  const asleep = at("PENDING", { desired: "RUNNING" }, idleTo("PENDING"));
  const slotAt = 10 * dayMs;

  test("wakes a workspace that fell asleep by itself, in time", () => {
    const aheadAt = slotAt - 120 * secondMs;
    assert.equal(chosenLevel(asleep, "PENDING", { now: aheadAt - 1, slotAt }), undefined);
    assert.deepEqual(chosenLevel(asleep, "PENDING", { now: aheadAt, slotAt }), forSlot);
    const earlier = at("STANDBY", { desired: "RUNNING", wakeAheadSeconds: 600 }, idleTo("STANDBY"));
    assert.deepEqual(chosenLevel(earlier, "STANDBY", { now: slotAt - 600_000, slotAt }), forSlot);
  });

  test("wakes it also while it is falling asleep", () => {
    const goingDown = at("STANDBY", { desired: "RUNNING" }, idleTo("PENDING"));
    assert.deepEqual(chosenLevel(goingDown, "STANDBY", { now: slotAt, slotAt }), forSlot);
  });

  test("does not wake a workspace that a person put to sleep", () => {
    for (const desired of ["PENDING", "STANDBY"] as const)
      assert.equal(chosenLevel(at(desired), desired, { now: slotAt, slotAt }), undefined);
  });

  test("that has passed lets it sleep again", () => {
    const up = at("RUNNING", {}, forSlot);
    const use = { now: slotAt + 1, slotAt: slotAt + dayMs };
    assert.deepEqual(chosenLevel(up, "RUNNING", use), idleTo("STANDBY"));
  });

  const archiving: readonly [string, number, number, boolean][] = [
    ["days away is archived after an hour", hourMs, 48 * hourMs + 1, true],
    ["days away is not archived within the hour", hourMs - 1, 48 * hourMs + 1, false],
    ["two days away waits for its time", dayMs - 1, 48 * hourMs, false],
    ["two days away is archived at its time", dayMs, 48 * hourMs, true],
    ["an hour away is archived at its time", dayMs, hourMs, true],
    ["nearer than an hour is not worth an archive", 30 * dayMs, hourMs - 1, false],
  ];
  for (const [sentence, unusedMs, aheadMs, isArchived] of archiving) {
    test(sentence, () => {
      const use = { now: unusedMs, slotAt: unusedMs + aheadMs };
      const expected = isArchived ? idleTo("PENDING") : undefined;
      assert.deepEqual(chosenLevel(at("STANDBY"), "STANDBY", use), expected);
    });
  }

  test("days away archives it after its sleep time, and no later than its archive time", () => {
    const use = (now: number): Use => ({ now, slotAt: now + 9 * dayMs });
    const slow = at("STANDBY", { standbyTtlSeconds: 7_200 });
    assert.equal(chosenLevel(slow, "STANDBY", use(2 * hourMs - 1)), undefined);
    assert.deepEqual(chosenLevel(slow, "STANDBY", use(2 * hourMs)), idleTo("PENDING"));
    const fast = at("STANDBY", { archiveTtlSeconds: 60 });
    assert.deepEqual(chosenLevel(fast, "STANDBY", use(minuteMs)), idleTo("PENDING"));
  });
});

const seconds = fc.integer({ min: 1, max: 3 * 86_400 });
const someUse = fc.record({
  level: fc.constantFrom(...levels),
  desired: fc.constantFrom(...levels),
  own: fc.option(fc.constantFrom(...levels)),
  isVoid: fc.boolean(),
  because: fc.constantFrom("idle", "slot"),
  lastAccessAt: fc.nat({ max: 10 * dayMs }),
  now: fc.nat({ max: 20 * dayMs }),
  slotInMs: fc.option(
    fc.oneof(
      fc.integer({ min: -hourMs, max: 2 * hourMs }),
      fc.integer({ min: -dayMs, max: 9 * dayMs }),
    ),
  ),
  standbyTtlSeconds: seconds,
  archiveTtlSeconds: seconds,
  wakeAheadSeconds: fc.nat({ max: 86_400 }),
});
type SomeUse = typeof someUse extends fc.Arbitrary<infer T> ? T : never;

/** The same at another time. */
function placed(given: SomeUse, shiftMs = 0): { record: Workspace; use: Use } {
  const { level, desired, own, isVoid, because, slotInMs, ...body } = given;
  const lastAccessAt = given.lastAccessAt + shiftMs;
  const { standbyTtlSeconds, archiveTtlSeconds, wakeAheadSeconds } = body;
  const times = { lastAccessAt, standbyTtlSeconds, archiveTtlSeconds, wakeAheadSeconds };
  const chosen = own === null ? null : { desired: own, asks: isVoid ? 1 : 2, because };
  const now = given.now + shiftMs;
  return {
    record: at(level, { desired, asks: 2, ...times }, chosen),
    use: { now, slotAt: slotInMs === null ? null : now + slotInMs },
  };
}

const order = { PENDING: 0, STANDBY: 10, RUNNING: 20 } as const;

describe("in any history of uses", () => {
  test("no level is lowered in the wake-ahead time of a slot", () => {
    fc.assert(
      fc.property(someUse, (given) => {
        const { record, use } = placed(given);
        const choice = chosenLevel(record, given.level, use);
        if (choice === undefined || use.slotAt === null) return;
        const isNear = use.now >= use.slotAt - given.wakeAheadSeconds * 1_000;
        assert.equal(choice.desired === "RUNNING", isNear);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a choice is one level down, or up for a slot, and of the newest request", () => {
    fc.assert(
      fc.property(someUse, (given) => {
        const { record, use } = placed(given);
        const choice = chosenLevel(record, given.level, use);
        if (choice === undefined) return;
        assert.equal(choice.asks, 2);
        const desired = desiredOf(record.body, record.outcome);
        if (choice.because === "slot") assert.ok(order[choice.desired] > order[desired]);
        else assert.equal(order[choice.desired], order[given.level] - 10);
      }),
      { numRuns: 5_000 },
    );
  });

  test("no choice is repeated or reverted without time or a request in between", () => {
    fc.assert(
      fc.property(someUse, (given) => {
        const { record, use } = placed(given);
        const made: Own[] = [];
        let { level } = given;
        let outcome = record.outcome;
        for (let round = 0; round < 5; round += 1) {
          const choice = chosenLevel({ ...record, outcome }, level, use);
          if (choice === undefined) break;
          made.push(choice);
          assert.ok(outcome);
          outcome = { ...outcome, own: choice };
          const again = chosenLevel({ ...record, outcome }, level, use);
          assert.equal(again, undefined, "it was chosen before it was reached");
          level = choice.desired;
        }
        const names = made.map((each) => `${each?.because} ${each?.desired}`);
        assert.equal(new Set(names).size, names.length, names.join(", "));
        assert.ok(new Set(made.map((each) => each?.because)).size <= 1, names.join(", "));
        assert.ok(made.length <= 2);
      }),
      { numRuns: 5_000 },
    );
  });

  test("only distances in time count, not the time of the clock", () => {
    fc.assert(
      fc.property(someUse, fc.nat({ max: 1e12 }), (given, shiftMs) => {
        const here = placed(given);
        const there = placed(given, shiftMs);
        assert.deepEqual(
          chosenLevel(here.record, given.level, here.use),
          chosenLevel(there.record, given.level, there.use),
        );
        const pollMs = minuteMs;
        assert.equal(
          nextObservationAt(here.record, given.level, { use: here.use, pollMs }) + shiftMs,
          nextObservationAt(there.record, given.level, { use: there.use, pollMs }),
        );
      }),
    );
  });

  test("the next observation is soon, and not after the next choice", () => {
    fc.assert(
      fc.property(someUse, fc.integer({ min: 1, max: 10 * dayMs }), (given, pollMs) => {
        const { record, use } = placed(given);
        if (chosenLevel(record, given.level, use) !== undefined) return;
        const next = nextObservationAt(record, given.level, { use, pollMs });
        assert.ok(next > use.now && next <= use.now + pollMs);
        const before = { ...use, now: next - 1 };
        // A slot that comes nearer only ever puts a sleep off: no choice is due before the next look.
        assert.equal(chosenLevel(record, given.level, before), undefined);
      }),
      { numRuns: 5_000 },
    );
  });
});

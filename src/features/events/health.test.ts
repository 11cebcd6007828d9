import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { route } from "./handler.ts";
import {
  healthDefault,
  healthOf,
  sampleMsMax,
  type Load,
  type Sample,
  type Health,
} from "./health.ts";

const now = 1_000_000;
const sampleOf = (load: Partial<Load>): Sample => ({
  cpu: 10,
  memory: 10,
  disk: 10,
  at: now,
  ...load,
});
const percents = fc.double({ min: 0, max: 100, noNaN: true });
const loads = fc.record({ cpu: percents, memory: percents, disk: percents });
const order: readonly Health[] = ["green", "yellow", "red"];

describe("the health of a machine", () => {
  const cases: readonly [Partial<Load>, Health, string | null][] = [
    [{}, "green", null],
    [{ cpu: 60, memory: 60, disk: 85 }, "green", null],
    [{ cpu: 60.6 }, "yellow", "cpu 61 % > 60 %"],
    [{ memory: 80 }, "yellow", "memory 80 % > 60 %"],
    [{ disk: 86, cpu: 70 }, "yellow", "cpu 70 % > 60 %, disk 86 % > 85 %"],
    [{ cpu: 93, memory: 70 }, "red", "cpu 93 % > 80 %"],
    [{ disk: 96 }, "red", "disk 96 % > 95 %"],
  ];
  for (const [load, health, reason] of cases) {
    test(`${JSON.stringify(load)} is ${health}: ${reason ?? "healthy"}`, () => {
      const seen = healthOf(sampleOf(load), healthDefault, now);
      assert.deepEqual([seen.health, seen.reason], [health, reason]);
    });
  }

  test("a missing or old sample is red", () => {
    assert.equal(healthOf(undefined, healthDefault, now).health, "red");
    assert.equal(healthOf(sampleOf({}), healthDefault, now + sampleMsMax).health, "green");
    assert.equal(healthOf(sampleOf({}), healthDefault, now + sampleMsMax + 1).health, "red");
    assert.equal(healthOf(sampleOf({}), healthDefault, now - sampleMsMax - 1).health, "red");
  });

  test("a measure that is not a number is red (B7.15)", () => {
    for (const cpu of [NaN, Infinity, -1]) {
      const { health, reason } = healthOf(sampleOf({ cpu }), healthDefault, now);
      assert.deepEqual([health, reason], ["red", "the load of the machine is not known"]);
    }
  });

  test("a load that swings around a limit does not flap", () => {
    let health: Health = "green";
    const seen = [79, 81, 79, 81, 76, 74, 76, 81, 74, 59, 61, 56, 54, 59].map((cpu) => {
      ({ health } = healthOf(sampleOf({ cpu }), healthDefault, now, health));
      return health;
    });
    const reds = ["red", "red", "red", "red"];
    const expected = ["yellow", ...reds, "yellow", "yellow", "red", "yellow", "yellow"];
    assert.deepEqual(seen, [...expected, "yellow", "yellow", "green", "green"]);
  });

  test("a limit of 100 is never reached, from any health", () => {
    const never = { cpu: 100, memory: 100, disk: 100 };
    fc.assert(
      fc.property(loads, fc.constantFrom(...order), (load, before) => {
        const limits = { yellow: never, red: never };
        assert.equal(healthOf(sampleOf(load), limits, now, before).health, "green");
      }),
    );
  });

  test("more load or worse health before never improves the health", () => {
    fc.assert(
      fc.property(loads, loads, fc.constantFrom(...order), (one, other, before) => {
        const more = {
          cpu: Math.max(one.cpu, other.cpu),
          memory: Math.max(one.memory, other.memory),
          disk: Math.max(one.disk, other.disk),
        };
        const rank = (load: Load, was: Health): number =>
          order.indexOf(healthOf(sampleOf(load), healthDefault, now, was).health);
        assert.ok(rank(more, before) >= rank(one, before));
        assert.ok(rank(one, before) >= rank(one, "green"));
      }),
    );
  });

  test("an event that waits shows the reason", () => {
    const body = { type: "a.b", hops: 0 } as never;
    const handlers = [{ name: "gen-a", subscribes: ["a.b"] } as never];
    const { health, reason } = healthOf(sampleOf({ cpu: 93 }), healthDefault, now);
    assert.deepEqual(route({ body, priority: "high" }, handlers, health, reason), {
      wait: "waits: the machine is overloaded (cpu 93 % > 80 %)",
    });
  });
});

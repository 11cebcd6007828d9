import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Service } from "../../platform/service.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { healthWatch, type HealthWatch } from "./health-watch.ts";
import { healthDefault, type HealthLimits, type Load } from "./health.ts";

interface Watched {
  readonly at: NodeFixture;
  readonly watch: HealthWatch & Service;
  /** What is measured; an error: it cannot be. */
  load: Load | Error;
  limits: HealthLimits;
  measured: number;
}

async function watched(load: Load | Error): Promise<Watched> {
  const at = nodeFixture();
  const made: Watched = {
    at,
    load,
    limits: healthDefault,
    measured: 0,
    watch: healthWatch({
      clock: at.clock,
      events: at.ports.events,
      limits: () => made.limits,
      async measure() {
        made.measured += 1;
        if (made.load instanceof Error) throw made.load;
        return made.load;
      },
    }),
  };
  await made.watch.start();
  return made;
}

const calm: Load = { cpu: 5, memory: 20, disk: 30 };

function turns({ at }: Watched): readonly string[] {
  return at.heard.flatMap(({ name, facts }) =>
    name === "health turned" ? [`${facts.from} → ${facts.to}`] : [],
  );
}

describe("the health watch", () => {
  test("has a sample when it has started, and measures every 30 s", async () => {
    const made = await watched(calm);
    assert.equal(made.watch.now().health, "green");
    assert.equal(made.measured, 1);
    await made.at.pass(90_000);
    assert.equal(made.measured, 4);
    await made.watch.stop();
    await made.at.pass(90_000);
    assert.equal(made.measured, 4);
  });

  test("reports a change once, and keeps its reason while the numbers change", async () => {
    const made = await watched(calm);
    made.load = { ...calm, cpu: 91 };
    await made.at.pass(30_000);
    made.load = { ...calm, cpu: 95 };
    await made.at.pass(60_000);
    assert.deepEqual(turns(made), ["green → red"]);
    assert.equal(made.watch.now().reason, "cpu 91 % > 80 %");
    made.load = { ...calm, cpu: 95, disk: 99 };
    await made.at.pass(30_000);
    assert.equal(made.watch.now().reason, "cpu 95 % > 80 %, disk 99 % > 95 %");
    made.load = calm;
    await made.at.pass(30_000);
    assert.deepEqual(turns(made), ["green → red", "red → green"]);
  });

  test("is red without a recent sample, and reports the failure once", async () => {
    const made = await watched(calm);
    made.load = new Error("no such disk");
    await made.at.pass(60_000);
    assert.equal(made.watch.now().health, "green");
    await made.at.pass(60_000);
    assert.equal(made.watch.now().health, "red");
    const unknown = made.at.heard.filter(({ name }) => name === "health unknown");
    assert.deepEqual(
      unknown.map(({ facts }) => facts),
      [{ reason: "no such disk" }],
    );
    made.load = calm;
    await made.at.pass(30_000);
    assert.equal(made.watch.now().health, "green");
  });

  test("is red from the start if it never could measure", async () => {
    const made = await watched(new Error("no such disk"));
    assert.equal(made.watch.now().health, "red");
    assert.deepEqual(turns(made), ["green → red"]);
  });

  test("follows the limits in the current settings", async () => {
    const made = await watched({ ...calm, cpu: 50 });
    made.limits = { ...healthDefault, red: { ...healthDefault.red, cpu: 40 } };
    assert.equal(made.watch.now().health, "red");
  });
});

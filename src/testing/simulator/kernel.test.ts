import assert from "node:assert/strict";
import { test } from "node:test";
import { sleep } from "../../platform/clock.ts";
import { currentProcess, kernel, type Kernel } from "./kernel.ts";
import { virtualClock } from "./virtual-clock.ts";

/** Two lives that count together in small steps. */
async function play(virtual: Kernel, steps: string[]): Promise<void> {
  for (const name of ["a", "b"]) {
    virtual.spawn(name, () => {
      const clock = virtualClock(virtual);
      void (async () => {
        for (let step = 0; step < 5; step += 1) {
          await sleep(clock, 10);
          steps.push(`${currentProcess()?.name}${step}`);
        }
      })();
    });
  }
  await virtual.runUntil(virtual.now() + 1_000);
}

test("the same seed gives the same order and the same hash, another seed another", async () => {
  const runs: { steps: string; digest: string }[] = [];
  for (const seed of [1, 1, 2, 3, 4]) {
    const virtual = kernel(seed, false);
    const steps: string[] = [];
    await play(virtual, steps);
    assert.equal(steps.length, 10);
    runs.push({ steps: steps.join(" "), digest: virtual.trace.digest() });
  }
  assert.deepEqual(runs[0], runs[1]);
  assert.ok(new Set(runs.map(({ steps }) => steps)).size > 2);
});

test("a crash ends a life at its next await, and nothing of it runs again", async () => {
  const virtual = kernel(7, false);
  const steps: string[] = [];
  const process = virtual.spawn("a", () => {
    void (async () => {
      await sleep(virtualClock(virtual), 10);
      steps.push("first");
      try {
        await sleep(virtualClock(virtual), 10);
        steps.push("second");
      } finally {
        steps.push("finally");
      }
    })();
  });
  virtual.after(15, "crash", () => virtual.crash(process), null);
  await virtual.runUntil(virtual.now() + 1_000);
  assert.deepEqual(steps, ["first"]);
});

test("a paused life goes on where it was, later", async () => {
  const virtual = kernel(7, false);
  const start = virtual.now();
  const at: number[] = [];
  const process = virtual.spawn("a", () => {
    void sleep(virtualClock(virtual), 10).then(() => at.push(virtual.now() - start));
  });
  virtual.pause(process, 500);
  await virtual.runUntil(start + 1_000);
  assert.deepEqual(at, [500]);
});

test("a cancelled timer never runs, and a clock that is stepped keeps its mono", async () => {
  const virtual = kernel(7, false);
  const clock = virtualClock(virtual);
  let runs = 0;
  const cancel = clock.after(10, () => (runs += 1));
  cancel();
  clock.after(40, () => clock.step(-3_600_000));
  await virtual.runUntil(virtual.now() + 100);
  assert.equal(runs, 0);
  assert.equal(clock.wall(), virtual.now() - 3_600_000);
  assert.ok(clock.mono() >= 40);
});

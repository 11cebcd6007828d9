import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settled } from "../../test/hand-clock.ts";
import { group, service, type Service } from "./service.ts";

interface Told {
  log: string[];
  part: Service;
}

/** A part that writes down what is asked of it. */
function told(name = "part", log: string[] = []): Told {
  const say = async (word: string): Promise<void> => {
    log.push(`${name} ${word}`);
    await settled();
    log.push(`${name} ${word} done`);
  };
  return { log, part: { start: () => say("start"), stop: () => say("stop") } };
}

const startAndStop = ["part start", "part start done", "part stop", "part stop done"];

describe("service", () => {
  test("two starts at once are one start, and so are two stops", async () => {
    const { log, part } = told();
    const one = service(part);
    await Promise.all([one.start(), one.start()]);
    await one.start();
    await Promise.all([one.stop(), one.stop()]);
    await one.stop();
    assert.deepEqual(log, startAndStop);
  });
  test("a second start returns only when the first is ready", async () => {
    const ready = Promise.withResolvers<void>();
    const one = service({ start: () => ready.promise, stop: () => Promise.resolve() });
    let isBack = false;
    void one.start();
    const second = one.start().then(() => (isBack = true));
    await settled();
    assert.equal(isBack, false);
    ready.resolve();
    await second;
  });
  test("a stop before any start does nothing", async () => {
    const { log, part } = told();
    await service(part).stop();
    assert.deepEqual(log, []);
  });
  test("a stop during a start waits for it, then stops", async () => {
    const { log, part } = told();
    const one = service(part);
    await Promise.all([one.start(), one.stop()]);
    assert.deepEqual(log, startAndStop);
  });
  test("a service starts again after it stopped", async () => {
    const { log, part } = told();
    const one = service(part);
    await Promise.all([one.start(), one.stop(), one.start(), one.stop()]);
    assert.deepEqual(log, [...startAndStop, ...startAndStop]);
  });
  test("a failed start rejects, is not stopped, and may be repeated", async () => {
    const log: string[] = [];
    const one = service({
      start() {
        log.push("start");
        // Thrown before any promise exists: it must reach the caller all the same.
        if (log.length === 1) throw new Error("port in use");
        return Promise.resolve();
      },
      stop: () => Promise.resolve(void log.push("stop")),
    });
    await assert.rejects(one.start(), /port in use/);
    await one.stop();
    await one.start();
    await one.stop();
    assert.deepEqual(log, ["start", "start", "stop"]);
  });
  test("a failed stop rejects, and may be repeated", async () => {
    let tries = 0;
    const one = service({
      start: () => Promise.resolve(),
      stop: () => ((tries += 1) === 1 ? Promise.reject(new Error("stuck")) : Promise.resolve()),
    });
    await one.start();
    await assert.rejects(one.stop(), /stuck/);
    await one.stop();
    await one.stop();
    assert.equal(tries, 2);
  });
});

describe("group", () => {
  test("starts in order, one after another, and stops in reverse", async () => {
    const log: string[] = [];
    const all = group([told("a", log).part, told("b", log).part]);
    await all.start();
    await all.stop();
    assert.deepEqual(log.slice(0, 4), ["a start", "a start done", "b start", "b start done"]);
    assert.deepEqual(log.slice(4), ["b stop", "b stop done", "a stop", "a stop done"]);
  });
  test("a failed start stops what had started, in reverse, and nothing else", async () => {
    const log: string[] = [];
    const bad = { ...told("bad", log).part, start: () => Promise.reject(new Error("no disk")) };
    const all = group([told("a", log).part, told("b", log).part, bad, told("c", log).part]);
    await assert.rejects(all.start(), /no disk/);
    assert.deepEqual(log.slice(4), ["b stop", "b stop done", "a stop", "a stop done"]);
  });
  test("the first failure is reported when the rollback fails too", async () => {
    const stuck = {
      start: () => Promise.resolve(),
      stop: () => Promise.reject(new Error("stuck")),
    };
    const bad = { ...stuck, start: () => Promise.reject(new Error("no disk")) };
    await assert.rejects(group([stuck, bad]).start(), /no disk/);
  });
  test("a failed stop rejects, and the others are stopped all the same", async () => {
    const log: string[] = [];
    const stuck: Service = {
      start: () => Promise.resolve(),
      stop() {
        throw new Error("stuck");
      },
    };
    const all = group([told("a", log).part, stuck, told("b", log).part]);
    await all.start();
    await assert.rejects(all.stop(), /stuck/);
    assert.deepEqual(log.slice(4), ["b stop", "b stop done", "a stop", "a stop done"]);
  });
  test("a stop during a start leaves nothing running", async () => {
    const log: string[] = [];
    const all = group([told("a", log).part, told("b", log).part]);
    await Promise.all([all.start(), all.stop()]);
    assert.equal(log.filter((line) => line.endsWith("stop done")).length, 2);
  });
});

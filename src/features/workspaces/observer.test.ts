import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import type { Machines } from "./machines.ts";
import { type Observation, nothingExists } from "./observation.ts";
import { batchedObserver } from "./observer.ts";

const asleep: Observation = { machine: null, volume: { marker: null } };
const { signal } = new AbortController();

/** A place with so many workspaces, which tells how it was asked. */
function placeOf(count: number): {
  machines: Pick<Machines, "name" | "list" | "inspect">;
  asked: string[];
} {
  const asked: string[] = [];
  const ids = Array.from({ length: count }, (_, index) => `ws-${index}`);
  return {
    asked,
    machines: {
      name: "test",
      list() {
        asked.push("list");
        return Promise.resolve(new Map(ids.map((id) => [id, asleep])));
      },
      inspect(id) {
        asked.push(id);
        return Promise.resolve(ids.includes(id) ? asleep : nothingExists);
      },
    },
  };
}

test("concurrent requests are answered by one list", async () => {
  const { machines, asked } = placeOf(2);
  const see = batchedObserver(machines, systemClock());
  const seen = await Promise.all(["ws-0", "ws-1", "gone"].map((id) => see(id, signal)));
  assert.deepEqual(seen, [
    { observation: asleep, isList: true },
    { observation: asleep, isList: true },
    { observation: nothingExists, isList: true },
  ]);
  assert.deepEqual(asked, ["list"]);
});

test("a request during a list waits for the next list", async () => {
  const { machines, asked } = placeOf(1);
  const made = Promise.withResolvers<void>();
  const list: Machines["list"] = async (...notices) => {
    const all = machines.list(...notices);
    await made.promise;
    return all;
  };
  const see = batchedObserver({ ...machines, list }, systemClock());
  const first = see("ws-0", signal);
  while (asked.length === 0) await Promise.resolve();
  const second = see("ws-0", signal);
  made.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(asked, ["list", "list"]);
});

test("a few among many are observed one by one, many by a list again", async () => {
  const { machines, asked } = placeOf(100);
  const see = batchedObserver(machines, systemClock());
  await see("ws-0", signal); // how many there are is known from now on
  const few = await Promise.all(["ws-1", "gone"].map((id) => see(id, signal)));
  assert.deepEqual(few, [
    { observation: asleep, isList: false },
    { observation: nothingExists, isList: false },
  ]);
  await Promise.all(Array.from({ length: 50 }, (_, index) => see(`ws-${index}`, signal)));
  assert.deepEqual(asked, ["list", "ws-1", "gone", "list"]);
});

test("a failed list fails its own requests, and no later ones", async () => {
  const { machines } = placeOf(1);
  let fails = true;
  const list: Machines["list"] = (...notices) =>
    fails ? Promise.reject(new Error("away")) : machines.list(...notices);
  const see = batchedObserver({ ...machines, list }, systemClock());
  await assert.rejects(see("ws-0", signal), /away/u);
  fails = false;
  assert.deepEqual(await see("ws-0", signal), { observation: asleep, isList: true });
});

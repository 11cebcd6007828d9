import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sleep } from "../../platform/clock.ts";
import { owner, plainEvent, eventFixture, type EventFixture } from "../../testing/event-fixture.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Ran } from "../tasks/runner.ts";
import { makeEvent } from "./kind.ts";

const done: Ran = { result: "completed", returned: { status: "success", summary: "done" } };

interface Scenario {
  readonly at: EventFixture;
  /** What began, in this order, and when. */
  readonly began: { readonly name: string; readonly at: number }[];
  emit(name: string, priority: "high" | "normal" | "low"): Promise<void>;
}

/** Three places, and runs that end then. */
async function busy(
  tookMs: (name: string, now: number) => number,
  fails: readonly string[] = [],
): Promise<Scenario> {
  const began: Scenario["began"][number][] = [];
  const ends = new Map<number, Promise<unknown>>(); // those of one moment really end together
  const at = eventFixture(async ({ event, attempt }) => {
    const { payload } = event as { payload: { name: string } };
    const now = at.kernel.now();
    began.push({ name: payload.name, at: now });
    const ms = tookMs(payload.name, now);
    const end = ends.get(now + ms) ?? sleep(at.clock, ms);
    ends.set(now + ms, end);
    await end;
    const isFailing = fails.includes(payload.name) && attempt === 1;
    return isFailing ? { result: "failed", reason: "no network" } : done;
  });
  await at.start();
  return {
    at,
    began,
    async emit(name, priority) {
      await at.emit({ name: `evt-${name}`, payload: { name } }, { priority });
      await at.pass(50);
    },
  };
}

const names = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word}${index + 1}`);

describe("tasks of handlers that wait for capacity", () => {
  for (const [how, tookMs] of [
    ["at once", (_: string, now: number) => 5_000 - (now % 5_000)],
    ["one by one", (name: string) => 5_000 + 700 * Number(name.slice(-1))],
  ] as const) {
    test(`start by priority, then by age, when the tasks before them end ${how}`, async () => {
      const { at, began, emit } = await busy(tookMs);
      for (const name of names("low", 9)) await emit(name, "low");
      for (const name of names("high", 3)) await emit(name, "high");
      await at.pass(60_000);
      assert.deepEqual(
        began.map(({ name }) => name),
        [...names("low", 3), ...names("high", 3), ...names("low", 9).slice(3)],
      );
      assert.equal((await at.all(taskKind)).filter(({ endedAt }) => endedAt === null).length, 0);
    });
  }

  test("start as soon as capacity is free", async () => {
    const { at, began, emit } = await busy(() => 5_003);
    for (const name of names("low", 9)) await emit(name, "low");
    await at.pass(60_000);
    const waits = began.slice(3).map((each, index) => each.at - (began[index]?.at ?? 0) - 5_003);
    assert.ok(
      waits.every((ms) => ms < 200),
      `they waited ${waits.join(", ")} ms`,
    );
  });

  test("start first when they are urgent, behind any number of others", async () => {
    const { at, began, emit } = await busy(() => 5_000);
    for (const name of names("low", 120)) await emit(name, "low");
    const { length } = began;
    await emit("high1", "high");
    await at.pass(6_000);
    const place = began.findIndex(({ name }) => name === "high1");
    assert.ok(place >= length && place <= length + 3, `it was number ${place} after ${length}`);
  });

  test("start when another fails, while that one waits for its retry", async () => {
    const { at, began, emit } = await busy(() => 5_000, ["low1"]);
    for (const name of names("low", 7)) await emit(name, "low");
    await at.pass(5_000);
    assert.equal(began.length, 6);
    await at.pass(120_000);
    const again = began.filter(({ name }) => name === "low1").map(({ at: when }) => when);
    assert.equal(again.length, 2);
    const waited = (again[1] ?? 0) - (again[0] ?? 0);
    assert.ok(waited >= 65_000, `it was tried again after ${waited} ms`);
  });

  test("start in order without a wake when another owner's task ends", async () => {
    const { at, began, emit } = await busy(() => 5_000);
    const others = at.ledger.of("jun", "jun");
    const now = at.kernel.now();
    for (const name of names("other", 3)) {
      const body = { ...plainEvent, name: `evt-${name}`, payload: { name }, at: now };
      await others.append(makeEvent(body, { owner: "jun", home: owner, now }));
      await at.pass(50);
    }
    for (const name of names("low", 9)) await emit(name, "low");
    await at.pass(60_000);
    assert.deepEqual(
      began.map(({ name }) => name),
      [...names("other", 3), ...names("low", 9)],
    );
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Floors, floors } from "./floors.ts";

const now = 1_000_000;

function at(monoMs: { now: number }): Floors {
  return floors(() => monoMs.now);
}

function found(priority: number, dueAt: number): { priority: number; dueAt: number } {
  return { priority, dueAt };
}

test("the first claim scans from the start, the next from the floor, with a margin", () => {
  const known = at({ now: 0 });
  assert.deepEqual(known.of("q", now), [0, 0, 0]);
  known.raise("q", [found(0, now - 9_000), found(2, now - 8_000)], {
    now,
    limit: 5,
    lowFirst: false,
  });
  assert.deepEqual(known.of("q", now), [now - 14_000, now - 5_000, now - 13_000]);
  assert.deepEqual(known.of("other", now), [0, 0, 0]);
});

test("a priority that a full batch did not reach keeps its floor", () => {
  const known = at({ now: 0 });
  known.of("q", now);
  known.raise("q", [found(0, now)], { now, limit: 1, lowFirst: false });
  assert.deepEqual(known.of("q", now), [now - 5_000, 0, 0]);
  known.raise("q", [found(2, now)], { now, limit: 1, lowFirst: true });
  assert.deepEqual(known.of("q", now), [now - 5_000, 0, now - 5_000]);
});

test("a claim scans from the start after ten seconds, a clock step back or a freed lane", () => {
  const mono = { now: 0 };
  const known = at(mono);
  const scan = { now, limit: 5, lowFirst: false };
  known.of("q", now);
  known.raise("q", [], scan);
  assert.deepEqual(known.of("q", now - 6_000), [0, 0, 0]);
  known.raise("q", [], scan);
  known.reset("q");
  assert.deepEqual(known.of("q", now), [0, 0, 0]);
  known.raise("q", [], scan);
  mono.now = 10_001;
  assert.deepEqual(known.of("q", now), [0, 0, 0]);
});

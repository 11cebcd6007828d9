import assert from "node:assert/strict";
import { test } from "node:test";
import { bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import { laneMover, type LaneMover } from "./lane-scheduler.ts";
import type { Work } from "./ledger.ts";
import type { Move } from "./work-unit.ts";

interface Yard {
  readonly mover: LaneMover;
  readonly moves: Move[];
  /** The store answers the oldest move that waits. */
  answer(moved: number | Error): Promise<void>;
}

function yard(): Yard {
  const moves: Move[] = [];
  const waiting: PromiseWithResolvers<number>[] = [];
  const work = {
    move(move: Move) {
      moves.push(move);
      const asked = Promise.withResolvers<number>();
      waiting.push(asked);
      return asked.promise;
    },
  } as unknown as Work; // of all verbs it uses this one
  const mover = laneMover({ work, events: bus<Events>(), queue: "q", now: () => 7 });
  return {
    mover,
    moves,
    async answer(moved) {
      const asked = waiting.shift();
      if (moved instanceof Error) asked?.reject(moved);
      else asked?.resolve(moved);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const to = (moves: readonly Move[]): readonly string[] =>
  moves.map(({ lane, to: at, limit }) => `${lane} ${at} ${limit}`);

test("a lane is parked slice by slice, and is not to be claimed meanwhile", async () => {
  const { mover, moves, answer } = yard();
  mover.park("a", 100);
  assert.deepEqual(mover.parking(), ["a"]);
  await turn();
  await answer(5_000);
  assert.deepEqual(mover.parking(), ["a"]);
  await answer(12);
  assert.deepEqual(mover.parking(), []);
  assert.deepEqual(to(moves), ["a 100 5000", "a 100 5000"]);
});

test("two orders for one lane never move it at once: the newest counts", async () => {
  const { mover, moves, answer } = yard();
  mover.park("a", 100);
  await turn();
  mover.park("a", 200);
  mover.park("b", 300);
  await turn();
  assert.deepEqual(to(moves), ["a 100 5000", "b 300 5000"]);
  await answer(12); // what the first order moved is moved again, by the second
  await answer(0);
  assert.deepEqual(to(moves).slice(2), ["a 200 5000"]);
  await answer(12);
  await mover.done();
  assert.deepEqual(mover.parking(), []);
});

test("what is freed comes after the park before it, and says when there was less", async () => {
  const { mover, moves, answer } = yard();
  let fewer = 0;
  mover.park("a", 100);
  await turn();
  mover.free("a", 3, () => (fewer += 1));
  await answer(12);
  assert.deepEqual(to(moves), ["a 100 5000", "a 7 3"]);
  await answer(3);
  assert.equal(fewer, 0);
  mover.free("a", 2, () => (fewer += 1));
  await turn();
  await answer(1);
  assert.equal(fewer, 1);
});

test("a store that fails, and a stop, end a move; the next order is carried out", async () => {
  const { mover, moves, answer } = yard();
  mover.park("a", 100);
  await turn();
  await answer(new Error("away"));
  assert.deepEqual(mover.parking(), []);
  mover.park("a", 200);
  await turn();
  const stopped = mover.stop();
  await answer(5_000);
  await stopped;
  mover.park("a", 300);
  await turn();
  await answer(0);
  assert.deepEqual(to(moves), ["a 100 5000", "a 200 5000", "a 300 5000"]);
});

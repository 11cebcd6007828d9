import assert from "node:assert/strict";
import { test } from "node:test";
import { bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import { laneMover, type LaneMover } from "./lane-scheduler.ts";
import type { Work } from "./ledger.ts";
import type { Move } from "./work-unit.ts";

interface MoverFixture {
  readonly mover: LaneMover;
  readonly moves: Move[];
  /** Answers the oldest pending move. */
  answer(moved: number | Error): Promise<void>;
}

function moverFixture(): MoverFixture {
  const moves: Move[] = [];
  const waiting: PromiseWithResolvers<number>[] = [];
  const work = {
    move(move: Move) {
      moves.push(move);
      const answered = Promise.withResolvers<number>();
      waiting.push(answered);
      return answered.promise;
    },
  } as unknown as Work; // the mover uses this verb only
  const mover = laneMover({ work, events: bus<Events>(), queue: "q", now: () => 7 });
  return {
    mover,
    moves,
    async answer(moved) {
      const answered = waiting.shift();
      if (moved instanceof Error) answered?.reject(moved);
      else answered?.resolve(moved);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const textOf = (moves: readonly Move[]): readonly string[] =>
  moves.map(({ lane, to: at, limit }) => `${lane} ${at} ${limit}`);

test("a lane is parked slice by slice, and must not be claimed meanwhile", async () => {
  const { mover, moves, answer } = moverFixture();
  mover.park("a", 100);
  assert.deepEqual(mover.parking(), ["a"]);
  await turn();
  await answer(5_000);
  assert.deepEqual(mover.parking(), ["a"]);
  await answer(12);
  assert.deepEqual(mover.parking(), []);
  assert.deepEqual(textOf(moves), ["a 100 5000", "a 100 5000"]);
});

test("of two orders for one lane, the newest counts", async () => {
  const { mover, moves, answer } = moverFixture();
  mover.park("a", 100);
  await turn();
  mover.park("a", 200);
  mover.park("b", 300);
  await turn();
  assert.deepEqual(textOf(moves), ["a 100 5000", "b 300 5000"]);
  await answer(12); // the second order moves the same records again
  await answer(0);
  assert.deepEqual(textOf(moves).slice(2), ["a 200 5000"]);
  await answer(12);
  await mover.done();
  assert.deepEqual(mover.parking(), []);
});

test("a free follows the park before it, and reports when fewer records moved", async () => {
  const { mover, moves, answer } = moverFixture();
  let fewer = 0;
  mover.park("a", 100);
  await turn();
  mover.free("a", 3, () => (fewer += 1));
  await answer(12);
  assert.deepEqual(textOf(moves), ["a 100 5000", "a 7 3"]);
  await answer(3);
  assert.equal(fewer, 0);
  mover.free("a", 2, () => (fewer += 1));
  await turn();
  await answer(1);
  assert.equal(fewer, 1);
});

test("a failed store and a stop end a move, and the next order is executed", async () => {
  const { mover, moves, answer } = moverFixture();
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
  assert.deepEqual(textOf(moves), ["a 100 5000", "a 200 5000", "a 300 5000"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { answerBytesMax, fits, shortened, sizeOf } from "./answer-size.ts";

const itself = (output: unknown): unknown => output;

test("an answer fits if it leaves room for the protocol", () => {
  assert.ok(fits("x".repeat(15_000)));
  assert.ok(!fits("x".repeat(answerBytesMax - 2)));
  assert.equal(sizeOf("가"), 5);
});

test("a text is cut only as much as needed", () => {
  const kept = shortened(["x".repeat(20_000), "y".repeat(3_000)], itself) as string[];
  assert.deepEqual(
    kept.map(({ length }) => length),
    [8_000, 3_000],
  );
});

test("a cursor and a short text are never cut", () => {
  const next = "c".repeat(3_000);
  const entries = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(400, "x"));
  const result = shortened({ id: "short", entries, next }, itself);
  assert.deepEqual(
    Object.entries(result ?? {}).filter(([name]) => name !== "entries"),
    [
      ["id", "short"],
      ["next", next],
    ],
  );
});

test("a shortened output fits and keeps its shape", () => {
  const text = fc.string({ maxLength: 30_000, unit: "grapheme", size: "max" });
  const value = fc.record({ text, list: fc.array(fc.record({ text }), { maxLength: 8 }) });
  fc.assert(
    fc.property(value, (output) => {
      const result = shortened(output, itself) as typeof output;
      assert.ok(fits(result));
      assert.ok(output.text.toWellFormed().startsWith(result.text.replace(/…$/, "")));
      assert.ok(result.list.length <= output.list.length);
    }),
    { numRuns: 20 },
  );
});

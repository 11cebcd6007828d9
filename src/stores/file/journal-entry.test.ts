import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Lines, lineOf, readLines } from "./journal-entry.ts";

const contents = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 });

function linesOf(values: readonly unknown[], before = 0): Buffer {
  return Buffer.concat(values.map((value, index) => lineOf(before + index + 1, value)));
}

function read(file: Buffer, before = 0): Lines & { contents: unknown[] } {
  const contents: unknown[] = [];
  return { ...readLines(file, before, (content) => contents.push(content)), contents };
}

test("written lines are read back", () => {
  fc.assert(
    fc.property(contents, fc.nat(), (values, before) => {
      const file = linesOf(values, before);
      const found = read(file, before);
      assert.deepEqual(found.contents, JSON.parse(JSON.stringify(values)));
      assert.deepEqual([found.end, found.size], ["whole", file.length]);
      assert.equal(found.number, before + values.length);
      assert.deepEqual(read(Buffer.concat([file, Buffer.alloc(600)]), before), found);
    }),
  );
});

test("a last line that was cut anywhere is torn, and the lines before it are read", () => {
  fc.assert(
    fc.property(contents, (values) => {
      const file = linesOf(values);
      const whole = linesOf(values.slice(0, -1));
      for (let size = whole.length + 1; size < file.length; size += 1) {
        const found = read(file.subarray(0, size));
        assert.deepEqual([found.end, found.size], ["torn", whole.length], `cut at ${size}`);
        const roomy = Buffer.concat([file.subarray(0, size), Buffer.alloc(600)]);
        assert.deepEqual(read(roomy), found, `cut at ${size}, with room`);
      }
    }),
  );
});

test("unwritten sectors are torn in the last line, and damage in any other", () => {
  const values = ["a".repeat(600), "b".repeat(600), "c".repeat(2000)];
  const file = linesOf(values);
  const last = linesOf(values.slice(0, -1)).length;
  const holed = (from: number): Lines["end"] =>
    read(Buffer.from(file).fill(0, from, Math.min(from + 512, file.length))).end;
  assert.equal(holed(512), "damaged");
  assert.deepEqual([last, 1536, 2048, 2560, 3072].map(holed), Array(5).fill("torn"));
  assert.equal(holed(1537), "damaged");
});

test("a flipped bit anywhere is damage, also in the last line", () => {
  const file = linesOf([{ a: 1 }, { b: "two" }, { c: [3] }]);
  for (let bit = 0; bit < file.length * 8; bit += 1) {
    const flipped = Buffer.from(file);
    flipped.writeUInt8(file.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    assert.equal(read(flipped).end, "damaged", `bit ${bit}`);
  }
});

test("a missing, repeated or misplaced line is damage", () => {
  const [a, b, c] = [lineOf(1, "a"), lineOf(2, "b"), lineOf(3, "c")];
  for (const file of [
    [a, c],
    [a, a, b],
    [b, a],
    [a, b, b],
  ]) {
    assert.equal(read(Buffer.concat(file)).end, "damaged");
  }
});

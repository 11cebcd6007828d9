import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { firstLine, capture, demultiplexer } from "./docker-output.ts";

function frame(stream: 1 | 2, bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head[0] = stream;
  head.writeUInt32BE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** The same bytes, split into chunks of these sizes. */
function* cut(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 40 });
const stream = fc.constantFrom<1 | 2>(1, 2);

test("both streams keep their bytes, wherever the connection splits them", () => {
  const frames = fc.array(fc.tuple(stream, fc.string({ unit: "grapheme", maxLength: 30 })));
  fc.assert(
    fc.property(frames, sizes, (all, cuts) => {
      const texts = { 1: capture(100_000), 2: capture(100_000) };
      const hear = demultiplexer((number, bytes) => texts[number].take(bytes));
      const wire = Buffer.concat(all.map(([number, text]) => frame(number, Buffer.from(text))));
      for (const piece of cut(wire, cuts)) hear(piece);
      for (const number of [1, 2] as const) {
        texts[number].end();
        const printed = all.filter(([each]) => each === number).map(([, text]) => text);
        assert.equal(texts[number].all(), Buffer.from(printed.join("")).toString("utf8"));
      }
    }),
  );
});

test("the first line is removed, wherever the stream is split", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), sizes, (rest, cuts) => {
      const lines: string[] = [];
      const after: Buffer[] = [];
      const hear = firstLine(
        (line) => void lines.push(line),
        (bytes) => void after.push(bytes),
      );
      for (const piece of cut(Buffer.from(`1234\n${rest}`), cuts)) hear(piece);
      assert.deepEqual(lines, ["1234"]);
      assert.equal(Buffer.concat(after).toString("utf8"), Buffer.from(rest).toString("utf8"));
    }),
  );
});

test("output over the limit is dropped and reported; a half character is kept", () => {
  let over = 0;
  const found: string[] = [];
  const stream = capture(
    4,
    (text) => void found.push(text),
    () => (over += 1),
  );
  stream.take(Buffer.from("나다"));
  stream.end();
  assert.deepEqual(found, ["나", "\uFFFD"]);
  assert.equal(over, 1);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasCode } from "./errors.ts";
import { linesIn } from "./lines.ts";

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function read(bytes: Uint8Array, size: number, charsMax = 1_000): Promise<string[]> {
  return Array.fromAsync(linesIn(cut(bytes, size), charsMax));
}

test("lines are the same however the bytes arrive", async () => {
  const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, "줄"));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("\n", "\r\n"),
      async (lines, size, end) => {
        const text = lines.map((each) => `${each}${end}`).join("");
        assert.deepEqual(await read(Buffer.from(text), size), lines);
      },
    ),
  );
});

test("the last line may lack its end, and an empty input has no line", async () => {
  assert.deepEqual(await read(Buffer.from("a\n\nb"), 2), ["a", "", "b"]);
  assert.deepEqual(await read(Buffer.from(""), 2), []);
});

test("bytes that are not UTF-8 and a line without end are refused", async () => {
  await assert.rejects(read(Uint8Array.of(97, 0xff), 1), (error) => hasCode(error, "invalid"));
  await assert.rejects(read(Uint8Array.of(97, 0xec, 0xa4), 1), (error) =>
    hasCode(error, "invalid"),
  );
  const long = Buffer.from("x".repeat(50));
  await assert.rejects(read(long, 7, 40), (error) => hasCode(error, "too_large"));
});

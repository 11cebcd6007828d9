import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { kernel } from "../../testing/simulator/kernel.ts";
import { virtualClock } from "../../testing/simulator/virtual-clock.ts";
import { notifyMarker, readMarker } from "./notify-marker.ts";
import type { RunOutput } from "./outcome.ts";
import { outputOf } from "./output.ts";

interface Written {
  output: RunOutput;
  bytes: Buffer;
}

async function write(
  pieces: readonly (string | readonly [stream: "output" | "errors", text: string])[],
  given: { bytesMax?: number; readsMarker?: boolean; heading?: string } = {},
): Promise<Written> {
  const sent: Uint8Array[] = [];
  const { bytesMax = 1_000_000, readsMarker = false, heading = "" } = given;
  const output = outputOf({
    clock: virtualClock(kernel(1, false)),
    bytesMax,
    heading,
    readsMarker,
    before: 0,
    send: (bytes) => Promise.resolve(void sent.push(bytes)),
  });
  for (const piece of pieces) {
    if (typeof piece === "string") output.write(piece);
    else output.write(piece[1], piece[0]);
  }
  const ended = await output.end();
  output.write("late");
  await output.end();
  return { output: ended, bytes: Buffer.concat(sent) };
}
const text = fc.string({ unit: "binary", maxLength: 60 });
/** The same text in pieces that end anywhere, also within a character. */
const pieces = fc.tuple(text, fc.array(fc.nat(120), { maxLength: 6 })).map(([whole, cuts]) => {
  const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b)];
  return at.map((from, index) => whole.slice(from, at[index + 1]));
});

test("any text in any pieces is written unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const { output, bytes } = await write(parts);
      assert.equal(bytes.toString(), parts.join("").toWellFormed());
      assert.deepEqual([output.bytes, output.isCut, output.isMarked], [bytes.length, false, false]);
    }),
  );
});

test("output over the limit is cut between two characters", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.integer({ min: 1, max: 80 }), async (parts, bytesMax) => {
      const whole = parts.join("").toWellFormed();
      const { output, bytes } = await write(parts, { bytesMax });
      assert.equal(output.isCut, Buffer.byteLength(whole) > bytesMax);
      if (!output.isCut) return;
      const mark = `\n--- output cut at ${bytesMax} bytes ---\n`;
      const said = bytes.toString();
      assert.ok(said.endsWith(mark));
      const kept = said.slice(0, -mark.length);
      assert.ok(whole.startsWith(kept));
      const left = bytesMax - Buffer.byteLength(kept);
      assert.ok(left >= 0 && left < 4);
    }),
  );
});

test("the marker is removed however the output is split", async () => {
  const space = fc.stringMatching(/^[ \n\t]{0,3}$/);
  const begun = fc.constantFrom(notifyMarker, "[NOTIFY", "[notify]", "", "[NOTIFY]]", "x[NOTIFY]");
  const marked = fc.tuple(space, begun, space, fc.string({ maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(marked, async (parts) => {
      const whole = parts.join("");
      const { output, bytes } = await write(whole.split(""), { readsMarker: true });
      const expected = readMarker(whole);
      assert.equal(bytes.toString(), expected.text);
      assert.equal(output.isMarked, expected.isMarked);
      assert.equal(output.text, expected.text);
    }),
    { numRuns: 300 },
  );
});

test("errors keep their position, and neither hide the marker nor count as one", async () => {
  const piece = fc.tuple(
    fc.constantFrom<"output" | "errors">("output", "errors"),
    fc.constantFrom("[NOTIFY]", "[NOT", "IFY]", " ", "\n", "a", "\uD83D", "\uDE42"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (parts) => {
      const of = (stream: string): string =>
        parts.map(([name, text]) => (name === stream ? text : "")).join("");
      const { output, bytes } = await write(parts, { readsMarker: true });
      const expected = readMarker(of("output"));
      assert.equal(output.isMarked, expected.isMarked);
      const whole = `${expected.text.toWellFormed()}${of("errors").toWellFormed()}`;
      assert.deepEqual(Array.from(bytes.toString()).toSorted(), Array.from(whole).toSorted());
    }),
  );
});

test("a decision is read from output without errors, if the policy reads markers", async () => {
  const text = JSON.stringify({ notify: true, message: "한🙂" });
  const parts = [...text.split(""), "\n"].flatMap((each) => [each, ["errors", "!"] as const]);
  const choice = { notify: true, message: "한🙂" };
  assert.deepEqual((await write(parts, { readsMarker: true })).output.choice, choice);
  assert.equal((await write(parts)).output.choice, undefined);
  const marked = await write([`[NOTIFY] ${text}`], { readsMarker: true });
  assert.deepEqual([marked.output.choice, marked.output.isMarked], [undefined, true]);
});

test("the heading precedes the first output, and is absent without output", async () => {
  const heading = "--- attempt 2 ---\n";
  assert.equal((await write(["a", "b"], { heading })).bytes.toString(), `${heading}ab`);
  assert.equal((await write([""], { heading })).bytes.length, 0);
});

test("a failed write leaves the output cut, and the run goes on", async () => {
  const output = outputOf({
    clock: virtualClock(kernel(1, false)),
    bytesMax: 1_000,
    heading: "",
    readsMarker: false,
    before: 5,
    send: () => Promise.reject(new Error("gone")),
  });
  output.write("hello");
  assert.deepEqual(await output.end(), { bytes: 5, isCut: true, isMarked: false, text: "hello" });
});

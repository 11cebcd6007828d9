import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lastLine, resultLine } from "./result.ts";

test("the last non-blank line does not depend on the chunks", () => {
  const text = fc.array(fc.constantFrom("a", "b c", "\n", " ", "\r\n"), { maxLength: 30 });
  fc.assert(
    fc.property(text, (pieces) => {
      const { add, line } = lastLine();
      for (const piece of pieces) add(piece);
      const lines = pieces
        .join("")
        .split("\n")
        .map((each) => each.trim());
      assert.equal(line(), lines.findLast((each) => each !== "") ?? "");
    }),
  );
});

test("a long line is cut, and blank lines after it are ignored", () => {
  const { add, line } = lastLine();
  add(`${"x\n".repeat(100_000)}the end`);
  for (let at = 0; at < 10_000; at += 1) add("\n");
  assert.equal(line(), "the end");
  add("y".repeat(100_000));
  assert.ok(line().length <= 4_096);
});

test("a result over several lines is read whole, after any other lines", () => {
  const result = { status: "failed", error: "no", proclamation: { channel: "C1", message: "x" } };
  const pretty = JSON.stringify(result, null, 2);
  for (const before of ["", "I looked.\n", '{"level":"info"}\n', `${pretty}\n`]) {
    const { add, block } = lastLine();
    add(`${before}${pretty}\n`);
    assert.deepEqual(JSON.parse(block()), result);
  }
  const { add, block, line } = lastLine();
  add("if (a) {\n  b\n}\n\nall is well\n");
  assert.equal(block(), line());
});

test("a result is the complete JSON, or the last line", () => {
  const skipped = '{"status":"skipped","reason":"a draft"}';
  const pretty = JSON.stringify(JSON.parse(skipped), null, 2);
  const texts = [skipped, `I looked.\n${skipped}\n`, `So:\n\`\`\`json\n${skipped}\n\`\`\``, pretty];
  for (const text of texts) {
    const { lastLine: line = "" } = resultLine({ event: {} }, text);
    assert.deepEqual(JSON.parse(line), JSON.parse(skipped));
  }
  assert.deepEqual(resultLine({ event: {} }, "all\nis well"), { lastLine: "is well" });
  assert.deepEqual(resultLine({}, skipped), {}, "only handlers' tasks have results");
});

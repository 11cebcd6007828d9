import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { progressLines } from "./progress-lines.ts";

function read(pieces: readonly string[]): { reports: readonly string[]; output: string } {
  const reports: string[] = [];
  let output = "";
  const lines = progressLines(
    (text) => reports.push(text),
    (text) => (output += text),
  );
  for (const piece of pieces) lines.add(piece);
  lines.end();
  return { reports, output };
}

const cases: [text: string, reports: string[], output: string][] = [
  ['a\n{"progress": 0.4}\nb\n', ["40 %"], "a\nb\n"],
  ['{"progress": 0.4, "note": "3 of 5 files"}\n', ["40 %: 3 of 5 files"], ""],
  ['{"progress":1}', ["100 %"], ""],
  ['{"progress": "half of it"}\n', ["half of it"], ""],
  ['{"progress": 7}\n{"progress": 0}\n', ["7", "0 %"], ""],
  ['{"progress": null}\n', [], '{"progress": null}\n'],
  ['{"progress": 0.4\n', [], '{"progress": 0.4\n'],
  ['so: {"progress": 0.4}\n', [], 'so: {"progress": 0.4}\n'],
  ['{"level": "info"}\n{\n}\n', [], '{"level": "info"}\n{\n}\n'],
];
for (const [text, reports, output] of cases) {
  test(`progress lines on the standard output of a command: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(read([text]), { reports, output });
    assert.deepEqual(read(Array.from(text)), { reports, output });
  });
}

test("what is read does not depend on the pieces", () => {
  const line = fc.constantFrom(...cases.map(([text]) => text), "plain", "\n", " ", "{", '{"p');
  fc.assert(
    fc.property(fc.array(line), fc.integer({ min: 1, max: 9 }), (lines, size) => {
      const text = lines.join("");
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      assert.deepEqual(read(pieces), read([text]));
    }),
  );
});

test("output that is no progress passes at once", () => {
  const passed: string[] = [];
  const { add } = progressLines(
    () => undefined,
    (text) => passed.push(text),
  );
  for (const piece of ["Name? ", '{"x', "y".repeat(3_000)]) add(piece);
  assert.deepEqual(passed, ["Name? ", '{"x', "y".repeat(3_000)]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { summaryOf } from "./notice.ts";
import { choiceIn, readMarker } from "./notify-marker.ts";

test("a summary has at most 500 complete characters, and is null for no output", () => {
  assert.equal(summaryOf("  \n "), null);
  assert.equal(summaryOf("a\r\nb\n"), "a\nb");
  assert.equal(summaryOf("\u001B[31mred"), "\uFFFD[31mred");
  assert.equal(summaryOf("한".repeat(500)), "한".repeat(500));
  assert.equal(summaryOf("👍".repeat(501)), `${"👍".repeat(499)}…`);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2_000 }), (text) => {
      const summary = summaryOf(text) ?? "";
      assert.ok(Array.from(summary).length <= 500 && summary.isWellFormed());
    }),
  );
});

test("the marker counts only at the start, and is removed with its white space", () => {
  const table: [string, string, boolean][] = [
    ["[NOTIFY] hi", "hi", true],
    ["\n\t [NOTIFY]\n\nhi ", "hi ", true],
    ["[NOTIFY]", "", true],
    ["[NOTIFY][NOTIFY] hi", "[NOTIFY] hi", true],
    ["hi [NOTIFY]", "hi [NOTIFY]", false],
    ["[notify] hi", "[notify] hi", false],
    [" hi", " hi", false],
    ["", "", false],
  ];
  for (const [given, text, isMarked] of table) {
    assert.deepEqual(readMarker(given), { text, isMarked });
  }
});

test("a decision is a complete text, plain or in a JSON block", () => {
  const choice = { notify: true, message: "hi" };
  const plain = JSON.stringify({ ...choice, more: 1 });
  const table: [string, typeof choice | undefined][] = [
    [plain, choice],
    [`\n ${JSON.stringify(choice, null, 2)}\n`, choice],
    [`\`\`\`json\n${plain}\n\`\`\`\n`, choice],
    [`\`\`\`\n${plain}\n\`\`\``, choice],
    [`{"notify":false,"message":""}`, { notify: false, message: "" }],
    [`here it is: ${plain}`, undefined],
    [`${plain}\n${plain}`, undefined],
    [`\`\`\`json\n${plain}`, undefined],
    [`{"notify":"yes","message":"x"}`, undefined],
    [`{"notify":true}`, undefined],
    [`[${plain}]`, undefined],
    ...["null", "7", "{", "", "```"].map((text): [string, undefined] => [text, undefined]),
  ];
  for (const [text, expected] of table) assert.deepEqual(choiceIn(text), expected, text);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { continued } from "./long-text.ts";

test("a message that begins the output of a run is continued by all of it", () => {
  const long = `${"a line\n".repeat(5)}the end`;
  const table: [head: string, output: string, whole: string | undefined][] = [
    ["a line\na line", `${long}\n\n`, long],
    ["a line", `a line of the first\n--- attempt 2 ---\n${long}`, long],
    ["a line", `a line of the log\n--- result ---\n${long}\n`, long],
    ["xxx", "x".repeat(50), "x".repeat(50)],
    ["said", "printed", undefined],
    ["a\uFFFDb", "a\0bc", "a\uFFFDbc"],
  ];
  for (const [head, output, whole] of table) assert.equal(continued(head, output), whole);
});

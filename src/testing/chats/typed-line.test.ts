import assert from "node:assert/strict";
import { test } from "node:test";
import { readLine, type Typed } from "./typed-line.ts";

const cases: [line: string, typed: Typed | undefined][] = [
  ["/list", { telegram: "first", text: "/list" }],
  ["remind me at 10: tea", { telegram: "first", text: "remind me at 10: tea" }],
  ["second: hello", { telegram: "second", text: "hello" }],
  ["group: /list", { telegram: "group", text: "/list" }],
  ["group 3: /remind +1m tea", { telegram: "group", topic: 3, text: "/remind +1m tea" }],
  ["slack: list", { slack: "direct", text: "list" }],
  ["channel: @daybook list", { slack: "channel", text: "@daybook list" }],
  ["thread: yes", { slack: "thread", text: "yes" }],
  ["discord: /remind in 1m tea", { discord: "remind", text: "in 1m tea" }],
  ["discord: list", { discord: "list", text: "" }],
  ["!2", { button: 2 }],
  ["  ", undefined],
];
for (const [line, typed] of cases) {
  test(`"${line}" is ${JSON.stringify(typed)}`, () => {
    assert.deepEqual(readLine(line), typed);
  });
}

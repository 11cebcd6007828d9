import assert from "node:assert/strict";
import { test } from "node:test";
import { readBareCommand, readCommand } from "./command-line.ts";

test("a command begins with a slash, and may name a bot", () => {
  assert.deepEqual(readCommand("/remind tomorrow  9am\nBob"), {
    name: "remind",
    bot: undefined,
    text: "tomorrow  9am\nBob",
  });
  assert.deepEqual(readCommand(" /LIST@DaybookBot"), {
    name: "list",
    bot: "DaybookBot",
    text: "",
  });
  for (const typed of ["remind x", "/", "//x", "/ list", "/list@", "/목록", "and/or", ""]) {
    assert.equal(readCommand(typed), undefined, typed);
  }
});

test("without a slash, only a command's name begins a command", () => {
  const names = (name: string): boolean => ["list", "완료"].includes(name);
  assert.deepEqual(readBareCommand("List all", names), { name: "list", text: "all" });
  assert.deepEqual(readBareCommand("완료", names), { name: "완료", text: "" });
  assert.equal(readBareCommand("listen", names), undefined);
  assert.equal(readBareCommand("", names), undefined);
});

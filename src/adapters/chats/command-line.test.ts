import assert from "node:assert/strict";
import { test } from "node:test";
import { readBareCommand, readCommand } from "./command-line.ts";

test("a command is what begins with a slash, whoever it is for", () => {
  assert.deepEqual(readCommand("/remind tomorrow  9am\nBob"), {
    name: "remind",
    words: "tomorrow  9am\nBob",
  });
  assert.deepEqual(readCommand(" /LIST@DaybookBot"), {
    name: "list",
    bot: "DaybookBot",
    words: "",
  });
  for (const said of ["remind x", "/", "//x", "/ list", "/list@", "/목록", "and/or", ""]) {
    assert.equal(readCommand(said), undefined, said);
  }
});

test("without a slash, only a word that is one begins a command", () => {
  const names = (name: string): boolean => ["list", "완료"].includes(name);
  assert.deepEqual(readBareCommand("List all", names), { name: "list", words: "all" });
  assert.deepEqual(readBareCommand("완료", names), { name: "완료", words: "" });
  assert.equal(readBareCommand("listen", names), undefined);
  assert.equal(readBareCommand("", names), undefined);
});

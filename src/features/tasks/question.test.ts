import assert from "node:assert/strict";
import { test } from "node:test";
import { questionPrompt } from "./question.ts";

test("a question says how it is answered where it is asked: no terminal command stands in a chat", () => {
  const prompt = (target: string, language: "en" | "ko" = "en") => {
    const asks = { question: "Merge?", choices: ["yes", "no"], id: "q-1", target } as const;
    return questionPrompt(language, { ...asks, command: "question answer" });
  };
  const table = [
    ["slack:C1:1.000001", "Reply here to answer."],
    ["telegram:7", "Reply here to answer."],
    ["discord:1", "To answer: /answer q-1 yes"],
    ["inbox:me", "To answer: daybook question answer q-1 yes"],
    ["email:jane@example.org", "To answer: daybook question answer q-1 yes"],
  ] as const;
  for (const [target, advice] of table) {
    assert.equal(prompt(target), `Merge?\n(yes / no)\n${advice}`);
  }
  assert.equal(prompt("telegram:7", "ko"), "Merge?\n(yes / no)\n여기에 답장하면 답이 전달됩니다.");
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faultReasons } from "../workspaces/fault.ts";
import { workspaceOperations } from "../workspaces/kind.ts";
import { workspaceNoticesIn } from "./workspace-notices.ts";

const about = {
  name: "dev",
  owner: "mina",
  operation: "STARTING",
  reason: "Timeout",
  message: "Look there.",
} as const;

const expected = {
  en: {
    failed:
      "⛔ The workspace 'dev' is in ERROR while STARTING (Timeout): Look there. When that is mended: daybook recover dev",
    failedOf: "⛔ The workspace 'dev' of mina is in ERROR while STARTING (Timeout): Look there.",
    idle: "⛔ The workspace 'dev' of mina is in ERROR (Timeout): Look there.",
  },
  ko: {
    failed:
      "⛔ 작업 공간 'dev'이(가) ERROR 상태입니다, STARTING 중 (Timeout): Look there. 해결한 뒤에는: daybook recover dev",
    failedOf:
      "⛔ mina의 작업 공간 'dev'이(가) ERROR 상태입니다, STARTING 중 (Timeout): Look there.",
    idle: "⛔ mina의 작업 공간 'dev'이(가) ERROR 상태입니다 (Timeout): Look there.",
  },
};

for (const language of ["en", "ko"] as const) {
  describe(`what is said of a workspace in ERROR (${language})`, () => {
    const texts = workspaceNoticesIn(language);

    test("tells its owner what happened and what to do, and who looks after the machines whose it is", () => {
      const { failed, failedOf, idle } = expected[language];
      assert.equal(texts.failed(about), failed);
      assert.equal(texts.failedOf(about), failedOf);
      assert.equal(texts.failedOf({ ...about, operation: null }), idle);
    });

    test("names every operation and every reason", () => {
      for (const operation of [null, ...workspaceOperations])
        for (const reason of faultReasons) {
          const given = { ...about, operation, reason };
          for (const text of [texts.failed(given), texts.failedOf(given)]) {
            assert.ok(text.includes(reason) && text.includes(operation ?? ""), text);
            assert.doesNotMatch(text, /null|undefined/);
          }
        }
    });
  });
}

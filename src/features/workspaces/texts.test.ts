import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { errorReasons } from "./error-info.ts";
import { workspaceOperations } from "./kind.ts";
import { ko } from "./ko.ts";
import { textsOf } from "./texts.ts";

const about = {
  name: "dev",
  owner: "mina",
  operation: "STARTING",
  reason: "Timeout",
  message: "Look there.",
} as const;

testTexts(
  { en, ko },
  {
    kept: [{ name: "N", image: "I", desired: "RUNNING" }],
    keptBefore: [{ name: "N", display: "STANDBY", operation: "WAKING" }],
    none: [],
    status: [{ display: "STANDBY", operation: "WAKING" }],
    workspaceIs: [{ name: "N", display: "STANDBY", operation: "WAKING", id: "ID" }],
    image: [{ image: "I", memoryMb: 512, cpus: 2 }],
    desired: [{ desired: "RUNNING", because: "idle" }],
    wanted: [{ desired: "RUNNING", because: "idle" }],
    unusedSince: ["W"],
    sleeps: [{ sleep: "S", archive: "A", wake: "W" }],
    archiveAt: ["K"],
    unreachable: ["R"],
    error: [{ reason: "R", message: "M", count: 2 }],
    recoverAdvice: ["N"],
    changed: ["N"],
    sameAsBefore: ["N"],
    touched: ["N"],
    goesTo: [{ name: "N", desired: "running" }],
    recovered: [{ name: "N", display: "STANDBY" }],
    deleted: ["N"],
    runsAgain: ["W"],
    plan: [{ do: "START", display: "STANDBY", desired: "RUNNING" }],
    planEnds: [],
    planError: [],
    seen: [{ machine: "M", volume: true }],
    asRecorded: [],
    nextObservation: ["W"],
    nextSlot: ["W"],
    collected: [{ count: 2, bytes: 10, isApplied: true }],
    orphan: [{ archive: "A", since: "S" }],
    unfinished: [{ part: "P", size: 3, at: "T", isOld: true }],
    braked: [{ count: 2, isForeign: false }],
    failed: [about],
    failedOf: [about],
  },
);

const expected = {
  en: {
    failed:
      "⛔ The workspace 'dev' is in ERROR while STARTING (Timeout): Look there. Once the cause is fixed: daybook workspace recover dev",
    failedOf: "⛔ The workspace 'dev' of mina is in ERROR while STARTING (Timeout): Look there.",
    idle: "⛔ The workspace 'dev' of mina is in ERROR (Timeout): Look there.",
  },
  ko: {
    failed:
      "⛔ 작업 공간 'dev'가 ERROR 상태입니다, STARTING 중 (Timeout): Look there. 원인을 해결한 뒤: daybook workspace recover dev",
    failedOf: "⛔ mina의 작업 공간 'dev'가 ERROR 상태입니다, STARTING 중 (Timeout): Look there.",
    idle: "⛔ mina의 작업 공간 'dev'가 ERROR 상태입니다 (Timeout): Look there.",
  },
};

for (const language of ["en", "ko"] as const) {
  describe(`the notice of an ERROR (${language})`, () => {
    const texts = textsOf(language);

    test("tells its owner what to do, and the administrator whose workspace it is", () => {
      const { failed, failedOf, idle } = expected[language];
      assert.equal(texts.failed(about), failed);
      assert.equal(texts.failedOf(about), failedOf);
      assert.equal(texts.failedOf({ ...about, operation: null }), idle);
    });

    test("names every operation and every reason", () => {
      for (const operation of [null, ...workspaceOperations])
        for (const reason of errorReasons) {
          const given = { ...about, operation, reason };
          for (const text of [texts.failed(given), texts.failedOf(given)]) {
            assert.ok(text.includes(reason) && text.includes(operation ?? ""), text);
            assert.doesNotMatch(text, /null|undefined/);
          }
        }
    });
  });
}

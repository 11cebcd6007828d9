import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

testTexts(
  { en, ko },
  {
    waits: {
      answer: ["ID"],
      callback: [],
      turn: [],
      capacity: [],
      rate: [{ handler: "H", until: "U" }],
      workspace: ["N"],
    },
    skipped: ["overlap"],
    outputSent: [true],
    outputNotSent: ["never"],
    failureNotSent: [3],
    ranSilently: [{ name: "N" }],
    outputContinues: ["ID"],
    missingWorkspace: [{ name: "scrach", others: ["scratch", "box"] }],
    noRunner: ["N"],
    runRequestedBefore: [{ name: "N", state: "completed" }],
    runLine: [{ name: "N", id: "ID", state: "failed", when: "W" }],
    exitedWith: [3],
    noOutput: [true],
    outputRemaining: [{ offset: 4, remaining: 2 }],
    runCancelled: [],
    runStopping: [],
    runEnded: ["completed"],
    inputRequired: [{ question: "Q", choices: "A", command: "run answer ID" }],
    answered: [],
    resent: [{ target: "T", when: "W" }],
    becauseRun: [{ name: "N", id: "ID", state: "completed", when: "W" }],
    becauseSlot: [{ when: "W", utc: "U", late: "L" }],
    becauseRequested: [{ isBackfill: false, when: "W", late: "L" }],
    waitsForWorker: [{ handler: "H" }],
    answerByReply: [],
    answerByCommand: ["C"],
  },
);

import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

testTexts(
  { en, ko },
  {
    skipped: ["overlap"],
    told: [true],
    untold: ["never"],
    failureUntold: [3],
    ranSilently: [{ name: "N" }],
    outputGoesOn: ["ID"],
    nobodyRuns: ["N"],
    runAskedBefore: [{ name: "N", state: "completed" }],
    runIs: [{ name: "N", id: "ID", state: "failed", when: "W" }],
    exitedWith: [3],
    noOutput: [true],
    outputLeft: [{ offset: 4, remaining: 2 }],
    runCancelled: [],
    runStopping: [],
    runEnded: ["completed"],
    asksForAnswer: [{ question: "Q", choices: "A", id: "ID" }],
    answered: [],
    resent: [{ target: "T", when: "W" }],
    becauseRun: [{ name: "N", id: "ID", state: "completed", when: "W" }],
    becauseSlot: [{ when: "W", utc: "U", late: "L" }],
    becauseAsked: [{ isBackfill: false, when: "W", late: "L" }],
    waitsForWorker: [{ handler: "H" }],
    answerInChat: ["C"],
    answerByCommand: ["C"],
  },
);

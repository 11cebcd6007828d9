import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

testTexts(
  { en, ko },
  {
    cancelled: [],
    thenEvery: ["every 5 min"],
    cancelledBefore: [],
    doneBefore: [],
    cancelling: [],
    snoozed: [{ when: "W", target: "T" }],
    done: [],
    doneUnsent: [],
    nothingUntil: ["W"],
    whoYouAre: [{ owner: "O", principal: "P", scopes: "S" }],
    waiting: ["3"],
    settingsChanged: [["K"]],
    settingsWait: [["K"]],
    label: ["cause"],
    because: [{ kind: "notification", id: "ID", state: "failed" }],
    requestedBy: [{ by: "B", when: "W", origin: "O" }],
    attempt: [{ attempt: "2", by: "B", state: "failed", took: "T", when: "W" }],
    attempts: [{ attempt: "1", by: "B", state: "pending", count: "9", from: "F", to: "T" }],
    cutOff: [{ attempt: "2", by: "B", when: "W" }],
    cancelRequested: [{ by: "B", when: "W" }],
    earlierLeftOut: ["9"],
    waitsForNothing: [],
    overdue: [{ span: "S", cutOff: "N" }],
    atWork: [{ by: "B", isCancelling: true }],
    paused: [{ scope: "S", until: "W", reason: "R" }],
    resumed: [true],
    nothingForeseen: [],
    foreseen: ["say"],
    clocksChange: [23],
    moreForeseen: [3],
  },
);

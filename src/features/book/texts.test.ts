import { testTexts } from "../../testing/text-samples.ts";
import { en } from "./en.ts";
import { ko } from "./ko.ts";

testTexts(
  { en, ko },
  {
    cancelled: [],
    cancelledBefore: [],
    cancelling: [],
    snoozed: [{ when: "W", target: "T" }],
    done: [],
    doneUnsaid: [],
    nothingUntil: ["W"],
    whoYouAre: [{ owner: "O", principal: "P", scopes: "S" }],
    waiting: ["3"],
    settingsChanged: [["K"]],
    settingsWait: [["K"]],
    label: ["because"],
    because: [{ kind: "notification", id: "ID", state: "failed" }],
    askedBy: [{ by: "B", when: "W", origin: "O" }],
    attempt: [{ attempt: "2", by: "B", state: "failed", took: "T", when: "W" }],
    cutOff: [{ attempt: "2", by: "B", when: "W" }],
    cancelAsked: [{ by: "B", when: "W" }],
    earlierLeftOut: ["9"],
    waitsForNothing: [],
    overdue: [{ span: "S", cutOff: "N" }],
    atWork: [{ by: "B", isCancelling: true }],
    rests: [{ scope: "S", until: "W", reason: "R" }],
    goesOn: [true],
    nothingForeseen: [],
    foreseen: ["say"],
    clocksChange: [23],
    moreForeseen: [3],
  },
);

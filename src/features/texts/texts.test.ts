import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Kind, statesOf } from "../../kernel/kind.ts";
import { eventKind } from "../events/kind.ts";
import { questionKind } from "../events/question.ts";
import { notificationKind } from "../notifications/kind.ts";
import { scheduleKind } from "../schedules/kind.ts";
import { taskKind } from "../tasks/kind.ts";
import type { Texts } from "./shape.ts";
import { textsOf } from "./texts.ts";

/** What each text is asked with: the compiler misses none. */
const samples: { readonly [Name in keyof Texts]: Parameters<Texts[Name]> } = {
  state: ["pending"],
  reason: ["overlap"],
  nagged: [{ what: "X", when: "W", curve: "C", target: "T" }],
  naggedBefore: [{ what: "X", state: "paused" }],
  naggedAgain: [{ what: "X", when: "W" }],
  unreachable: ["Y"],
  naggedAndForgotten: [],
  noNags: [],
  onItsWay: [],
  saidTimes: [3],
  nagPutOff: [{ what: "X", when: "W" }],
  nagDone: ["X"],
  nagPaused: [{ what: "X", id: "ID" }],
  nagResumed: [{ what: "X", when: "W" }],
  nagDeleted: ["X"],
  nagWas: [{ what: "X", state: "cancelled" }],
  curve: [
    {
      base: { count: 2, unit: "days" },
      factor: 3,
      cap: { count: 9, unit: "days" },
      jitter: 0.1,
      countMax: 4,
      sleep: { from: "22:00", to: "07:00" },
      weekdays: true,
      wholeHours: true,
      escalate: { after: 5, target: "ntfy:a" },
    },
  ],
  pageKept: [{ title: "X", isFresh: true }],
  pageDeleted: [{ title: "X", nag: "ID" }],
  pageIs: [{ id: "ID", revision: 3 }],
  pageGone: ["ID"],
  noPages: [],
  pulled: [{ pages: 2, alarms: 3, timestamp: 7 }],
  pushed: [4],
  becauseNag: [{ what: "X", curve: "C", state: "paused", id: "ID" }],
  nagAskedFor: [{ number: 2, when: "W", words: "X" }],
  nagCounted: [{ number: 2, when: "W", from: "F", zone: "Z" }],
  nagMovedToOpening: ["H"],
  nagMinuteMoved: [],
  nagFailed: [{ count: 2, reason: "R" }],
  nagBeingSaid: [{ id: "ID", number: 2 }],
  nagLastSaid: [{ id: "ID", receipt: "R" }],
  nagWaitsForResume: ["ID"],
  nagEndsDone: [],
  planned: [{ when: "W", target: "T" }],
  pastSoAtOnce: [],
  inPlaceOf: ["ID"],
  askedBefore: [{ state: "pending", when: "W", target: "T" }],
  askedAndForgotten: [],
  changed: [{ when: "W", target: "T" }],
  imported: [{ imported: 1, known: 2, skipped: 3, refused: 4 }],
  cancelled: [],
  cancelledBefore: [],
  cancelling: [],
  snoozed: [{ when: "W", target: "T" }],
  done: [],
  doneUnsaid: [],
  nothingListed: [],
  more: ["C"],
  nothingUntil: ["W"],
  notAll: [],
  whoYouAre: [{ owner: "O", principal: "P", scopes: "S" }],
  setting: [{ name: "home", value: "V", from: "profile" }],
  waiting: ["3"],
  webhookAdded: [{ target: "T", secret: "S", isFresh: false }],
  noWebhooks: [],
  webhookRemoved: [],
  tokenMade: [{ owner: "O", scopes: "S" }],
  tokenMadeBefore: [{ owner: "O", scopes: "S" }],
  noTokens: [],
  tokenLine: [{ name: "N", owner: "O", scopes: "S", until: "W" }],
  tokenRevoked: [],
  linkCode: [{ say: "S", owner: "O", minutes: 15 }],
  noPeople: [],
  personLine: [{ name: "N", who: "W", owner: "O" }],
  personUnlinked: [],
  settingsChanged: [["K"]],
  settingsWait: [["K"]],
  label: ["because"],
  headline: [{ kind: "notification", id: "ID", state: "failed", when: "W", target: "T" }],
  receipt: ["R"],
  mayHaveArrived: [true],
  because: [{ kind: "notification", id: "ID", state: "failed" }],
  replaces: [{ id: "ID", state: "cancelled" }],
  askedBy: [{ by: "B", when: "W", origin: "O" }],
  targetBecause: ["home"],
  dueAt: [{ when: "W", words: "X", late: "L" }],
  quiet: [{ hours: "H", isInForce: true }],
  urgent: [],
  atMostOnce: [],
  expires: ["W"],
  collapses: ["K"],
  attempt: [{ attempt: "2", by: "B", state: "failed", took: "T", when: "W" }],
  cutOff: [{ attempt: "2", by: "B", when: "W" }],
  edited: [{ by: "B", when: "W" }],
  cancelAsked: [{ by: "B", when: "W" }],
  cancelledBy: [{ by: "B", when: "W" }],
  pausedBy: [{ by: "B", when: "W" }],
  resumedBy: [{ by: "B", when: "W" }],
  wentOn: ["W"],
  disabledOn: ["W"],
  earlierLeftOut: ["9"],
  skipped: ["overlap"],
  pausedSince: [{ by: "B", since: "S", until: "W", reason: "R" }],
  used: [{ what: "runs", used: "U", allowed: "A" }],
  dayBudget: [{ day: "D", used: "U", isUsedUp: true }],
  runBudget: ["U"],
  told: [true],
  untold: ["never"],
  failureUntold: [3],
  waitsForNothing: [],
  waitsForListener: ["T"],
  waitsForResume: ["N"],
  heldBack: [{ scope: "S", by: "B", since: "X", until: "W", reason: "R" }],
  overdue: [{ span: "S", cutOff: "N" }],
  atWork: [{ by: "B", isCancelling: true }],
  comes: [{ when: "W", far: "F", isParked: true }],
  welcome: [],
  digest: [{ count: 3 }],
  undeliverable: [{ target: "T", since: "W", reason: "R" }],
  downtime: [{ from: "F", to: "T", count: 3 }],
  ranSilently: [{ name: "N" }],
  outputGoesOn: ["ID"],
  keepsFailing: [{ name: "N", count: 3, error: "E" }],
  wasDisabled: [{ name: "N", count: 5 }],
  worksAgain: [{ name: "N", count: 4 }],
  reportMissed: [{ name: "N", when: "W" }],
  reportsAgain: [{ name: "N" }],
  watching: [{ name: "N", when: "W", grace: "G", target: "T" }],
  pingAt: ["U"],
  pingTaken: [{ name: "N", state: "completed" }],
  setDown: [{ name: "N", owner: "O", what: "change", fields: "F", drift: true }],
  nothingSetDown: [],
  nothingDone: [],
  rests: [{ scope: "S", until: "W", reason: "R" }],
  goesOn: [true],
  scheduled: [{ name: "N", when: "W", target: "T" }],
  scheduledBefore: [{ name: "N", when: "W", state: "active" }],
  scheduledAndForgotten: [],
  fires: ["W"],
  noFires: [],
  callSecret: ["S"],
  nobodyRuns: ["N"],
  scheduleChanged: [{ name: "N", when: "W" }],
  scheduleDeleted: ["N"],
  scheduleGone: [{ name: "N", state: "completed" }],
  scheduleIs: [{ name: "N", state: "paused", reason: "R" }],
  noSchedules: [],
  ofAll: [{ count: 2, total: 7 }],
  nothingForeseen: [],
  foreseen: ["say"],
  clocksChange: [23],
  moreForeseen: [3],
  paused: [{ name: "N", until: "W" }],
  resumed: [{ name: "N", next: "W" }],
  runAsked: [{ name: "N", id: "ID" }],
  runAskedBefore: [{ name: "N", state: "completed" }],
  backfilled: [{ count: 2, before: 1 }],
  wouldBackfill: [{ count: 2, before: 1 }],
  noRuns: [],
  lastFailures: [2],
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
  becauseSchedule: [{ name: "N", when: "W", state: "active" }],
  madeBy: [{ by: "B", when: "W", origin: "O" }],
  emitted: [{ name: "N", type: "T" }],
  emittedBefore: [{ name: "N", state: "pending", isOther: true }],
  noEvents: [],
  eventIs: [{ name: "N", type: "T", state: "pending", handler: "H" }],
  eventCancelled: ["N"],
  eventStopping: ["N"],
  eventEnded: [{ name: "N", state: "failed" }],
  noTasks: [],
  nothingToClaim: [],
  claimed: [{ id: "ID", ticket: "T", until: "W" }],
  keptUntil: [{ id: "ID", until: "W", isCancelling: true }],
  resultTaken: [{ id: "ID", state: "pending", again: "W" }],
  noQuestions: [],
  questionIs: [{ id: "ID", handler: "H", text: "Q", state: "open" }],
  questionCancelled: ["ID"],
  questionStopping: ["ID"],
  questionEnded: [{ id: "ID", state: "answered" }],
  givenAnswer: ["A"],
  redriven: [{ of: "O", id: "ID" }],
  redrivenBefore: [{ of: "O", id: "ID" }],
  nothingQueued: [],
  queueMoved: [{ id: "ID", state: "cancelled" }],
  queueEdited: ["ID"],
  queueCount: [{ what: "K", state: "pending", count: 3, oldest: "O" }],
  queueDue: [{ queue: "Q", due: 1, later: 2, leased: 3 }],
  subscribes: [{ handler: "H", type: "T" }],
  nobodySubscribes: ["T"],
  hopsOf: [3],
  handledBy: [{ id: "ID", state: "failed" }],
  becauseEvent: [{ name: "N", type: "T", state: "failed", id: "ID" }],
  becauseQuestion: [{ text: "Q", id: "ID", state: "answered" }],
  waitsForWorker: [{ handler: "H" }],
  waitsForAnswer: [{ id: "ID", until: "W" }],
  answeredBy: [{ answer: "A", by: "B", resumed: "R" }],
};
const names = Object.keys(samples) as (keyof Texts)[];

function say(texts: Texts, name: keyof Texts): string {
  // The compiler does not see that a name's sample is its own.
  const text = texts[name] as (...sample: readonly unknown[]) => string;
  return text(...samples[name]);
}

/** The values a text was given, which are the same in every language. */
function values([given]: readonly unknown[]): string[] {
  const all = typeof given === "object" && given !== null ? Object.values(given) : [given];
  return all.map(String).filter((value) => /^[A-Z]+$/.test(value));
}

describe("the texts", () => {
  test("are the same set in both languages, and all of them are tried here", () => {
    for (const language of ["en", "ko"] as const) {
      assert.deepEqual(Object.keys(textsOf(language)).toSorted(), names.toSorted());
    }
  });
  for (const name of names) {
    test(`${name} differs between the languages, and says all it was given`, () => {
      const [en, ko] = [say(textsOf("en"), name), say(textsOf("ko"), name)];
      assert.notEqual(en, ko);
      assert.match(ko, /\p{Script=Hangul}/u);
      for (const value of values(samples[name])) {
        assert.ok(en.includes(value) && ko.includes(value), `${value} in ${en} / ${ko}`);
      }
    });
  }
  test("have Korean names for every state people see", () => {
    const kinds: readonly Kind[] = [
      notificationKind,
      scheduleKind,
      taskKind,
      eventKind,
      questionKind,
    ];
    for (const state of kinds.flatMap(statesOf))
      assert.match(textsOf("ko").state(state), /\p{Script=Hangul}/u);
  });
  test("say what is not set", () => {
    const home = { name: "home", value: null, from: "setting" } as const;
    assert.equal(textsOf("en").setting(home), "home        the inbox (this installation's)");
    assert.equal(textsOf("ko").setting(home), "기본 대상: 받은함 (이 설치의 설정)");
  });
});

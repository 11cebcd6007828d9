import { againEnglish } from "./again-en.ts";
import type { Texts } from "./shape.ts";
import { untilEnglish } from "./until-en.ts";
import { whenEnglish } from "./when-en.ts";

const from = { profile: "yours", setting: "this installation's", host: "the machine's" };
const unset = { timezone: "", language: "", home: "the inbox", quiet: "none" };
const settings = {
  timezone: "time zone",
  language: "language",
  home: "home",
  quiet: "quiet hours",
};
const targets = {
  asked: "it goes where it was told to",
  origin: "it answers only there",
  home: "it goes home: no target was named",
  inbox: "it goes to the inbox: no target was named, and there is no home",
  import: "it was imported: it goes to whoever listens",
};

const skips = {
  overlap: "the run before was still at work",
  budget: "the budget of that day was used up",
  paused: "its schedule was paused",
};
const began = (when: string | null): string => (when === null ? "" : `, began ${when}`);
const rest: Texts["pausedSince"] = ({ by, since, until, reason }) =>
  `${by === null ? "" : ` by ${by}`}${since === null ? "" : ` since ${since}`}, until ${until ?? "it is resumed"}${reason === null ? "" : ` (${reason})`}`;

export const english: Texts = {
  ...againEnglish,
  ...untilEnglish,
  ...whenEnglish,
  state: (state) => state,
  reason: (reason) => reason,

  planned: ({ when, target }) => `${when} → ${target}`,
  pastSoAtOnce: () => "That time is past, so it is said at once.",
  inPlaceOf: (id) => `It takes the place of ${id}.`,
  askedBefore: ({ state, when, target }) => `Already asked, and ${state}: ${when} → ${target}`,
  askedAndForgotten: () => "Already asked, done, and forgotten since.",
  changed: ({ when, target }) => `Changed: ${when} → ${target}`,
  imported: ({ imported, known, skipped, refused }) =>
    `Imported ${imported}; ${known} had been before, ${skipped} are over, ${refused} differ from what is here.`,

  cancelled: () => "Cancelled.",
  cancelledBefore: () => "It had been cancelled already.",
  cancelling: () =>
    "It is being sent right now: no further attempt starts, but this one may still arrive.",

  snoozed: ({ when, target }) => `Put off: ${when} → ${target}`,
  done: () => "Done.",
  doneUnsaid: () => "Done: what was still to be said is not said any more.",

  nothingListed: () => "Nothing to show. What has ended is shown by --all.",
  more: (cursor) => `more: --after ${cursor}`,
  nothingUntil: (when) => `Nothing until ${when}.`,
  notAll: () => "There is more in the book than is shown here.",

  whoYouAre: ({ owner, principal, scopes }) =>
    `${principal} in the book of ${owner}, may ${scopes}`,
  setting: ({ name, value, from: source }) =>
    `${settings[name].padEnd(11)} ${value ?? unset[name]} (${from[source]})`,
  waiting: (count) => `inbox       ${count} waiting`,

  webhookAdded: ({ target, secret, isFresh }) =>
    `${isFresh ? "" : "Already registered with this key.\n"}${target}\nIts messages are signed with this secret, which is shown only now:\n${secret}`,
  noWebhooks: () => "There are no webhooks.",
  webhookRemoved: () => "Removed. What was meant for it fails and says so.",

  tokenMade: ({ owner, scopes }) =>
    `For the book of ${owner}, may ${scopes}. The token is shown only now:`,
  tokenMadeBefore: ({ owner, scopes }) =>
    `Already made with this key: for the book of ${owner}, may ${scopes}. The token was shown then and is kept nowhere: if it is lost, revoke this one and make another with another key.`,
  noTokens: () => "There are no tokens.",
  tokenLine: ({ name, owner, scopes, until }) =>
    `${name}, book of ${owner}, may ${scopes}${until === null ? "" : `, until ${until}`}`,
  tokenRevoked: () => "Revoked. Whoever uses it is refused from now on.",

  linkCode: ({ say, owner, minutes }) =>
    `Whoever says this to the bot first, within ${minutes} minutes, may ask in the book of ${owner}:\n${say}`,
  noPeople: () => "Nobody has been linked from a chat.",
  personLine: ({ name, who, owner }) => `${who} (${name}), book of ${owner}`,
  personUnlinked: () => "Unlinked. What they say is not heard from now on.",

  settingsChanged: (keys) =>
    keys.length === 0 ? "Nothing has changed." : `Changed: ${keys.join(", ")}.`,
  settingsWait: (keys) => `Takes effect at the next start: ${keys.join(", ")}.`,

  label: (name) => name,
  headline: ({ kind, id, state, when, target }) =>
    `${kind} ${id}  ${state}${when === null ? "" : ` ${when}`}${target === null ? "" : ` to ${target}`}`,
  receipt: (receipt) => `, receipt ${receipt}`,
  mayHaveArrived: (isDelivered) =>
    isDelivered
      ? "; an earlier attempt may also have arrived"
      : "; an attempt may have arrived all the same",
  because: ({ kind, id, state }) => `${kind} ${id}, ${state}`,
  replaces: ({ id, state }) => `it took the place of ${id} (${state}): same collapse key`,
  askedBy: ({ by, when, origin }) => `by ${by} on ${when}${origin === null ? "" : ` in ${origin}`}`,
  targetBecause: (because) => targets[because],
  dueAt: ({ when, words, late }) =>
    `${when}, asked as ${words}${late === null ? "" : `, said ${late} after that`}`,
  quiet: ({ hours, isInForce }) =>
    `quiet hours ${hours} ${isInForce ? "in force at its time" : "not in force at its time"}`,
  urgent: () => "urgent: quiet hours do not hold it",
  atMostOnce: () => "at most once: rather never than twice",
  expires: (when) => `not said after ${when}`,
  collapses: (key) => `a newer one with the collapse key ${key} takes its place`,
  attempt: ({ attempt, by, state, took, when }) =>
    `${attempt} on ${by} left it ${state}${took === null ? "" : ` after ${took}`}${began(when)}`,
  cutOff: ({ attempt, by, when }) =>
    `${attempt} on ${by} was cut off: its fate is unknown${began(when)}`,
  edited: ({ by, when }) => `edited by ${by} on ${when}`,
  cancelAsked: ({ by, when }) => `cancel asked by ${by} on ${when}, while an attempt was under way`,
  cancelledBy: ({ by, when }) => `cancelled by ${by} on ${when}`,
  pausedBy: ({ by, when }) => `paused by ${by} on ${when}`,
  resumedBy: ({ by, when }) => `resumed by ${by} on ${when}`,
  wentOn: (when) => `its pause was over on ${when}`,
  disabledOn: (when) => `disabled on ${when}`,
  earlierLeftOut: (count) => `${count} earlier left out`,
  skipped: (reason) => skips[reason],
  pausedSince: (about) => `paused${rest(about)}`,
  used: ({ what, used, allowed }) =>
    used === null
      ? `at most ${what === "cost" ? `cost ${allowed}` : `${allowed} ${what}`}`
      : `${what === "cost" ? "cost " : ""}${used} of ${allowed}${what === "cost" ? "" : ` ${what}`}`,
  dayBudget: ({ day, used, isUsedUp }) =>
    `budget of ${day}: ${used}${isUsedUp ? ", used up: no more runs on that day" : ""}`,
  runBudget: (used) => `budget of the run: ${used}`,
  told: (isMarked) =>
    isMarked
      ? "its run began with [NOTIFY], or said notify: true"
      : "what its runs say is always told",
  untold: (policy) =>
    `nothing: ${policy === "never" ? "what its runs say is never told" : "it neither began with [NOTIFY] nor said notify: true"}`,
  failureUntold: (after) =>
    after === 0
      ? "nothing: failures are never told"
      : `nothing: failures are told once, when they are ${after} in a row`,
  waitsForNothing: () => "it waits for an answer or an edit",
  waitsForListener: (target) =>
    `it is said as soon as somebody listens at ${target}: daybook attach`,
  waitsForResume: (name) => `nothing until it is resumed: daybook resume ${name}`,
  heldBack: ({ scope, ...about }) => `it waits: "${scope}" was paused${rest(about)}`,
  overdue: ({ span, cutOff }) =>
    `${cutOff === null ? "due" : `${cutOff} was cut off: due again`} for ${span}; if that is long, see that \`daybook start\` runs`,
  atWork: ({ by, isCancelling }) =>
    `${by} is at work on it${isCancelling ? "; then it ends cancelled" : ""}`,
  comes: ({ when, far, isParked }) =>
    `due ${when} (${far})${isParked ? ", behind others to the same place" : ""}`,

  welcome: () => 'Daybook is running. Try: daybook remind "stand-up" --at "tomorrow 9am"',
  digest: ({ count }) => `${count} messages came in quiet hours`,
  undeliverable: ({ target, since, reason }) =>
    `Messages for ${target} cannot be delivered since ${since}: ${reason}`,
  downtime: ({ from, to, count }) =>
    `I was down from ${from} to ${to}: ${count} ${count === 1 ? "item of yours was" : "items of yours were"} late.`,

  ranSilently: ({ name }) => `'${name}' ran, without output.`,
  outputGoesOn: (id) => `It goes on: daybook output ${id}`,
  keepsFailing: ({ name, count, error }) =>
    `❌ Scheduled task '${name}' has failed ${count} times in a row. Latest error: ${error}`,
  wasDisabled: ({ name, count }) =>
    `⛔ Scheduled task '${name}' was disabled after ${count} consecutive failures.`,
  worksAgain: ({ name, count }) =>
    `✅ Scheduled task '${name}' works again${count === 0 ? "" : `, after ${count} ${count === 1 ? "failure" : "failures"}`}.`,
  reportMissed: ({ name, when }) => `⏰ '${name}' has not reported. It was expected ${when}.`,
  reportsAgain: ({ name }) => `✅ '${name}' reports again.`,
  watching: ({ name, when, grace, target }) =>
    `Waiting for '${name}' to report ${when}; ${grace} late, ${target} is told.`,
  pingAt: (url) => `Have it ask for this address when it is done; it is shown only now:\n${url}`,
  pingTaken: ({ name, state }) => `'${name}': ${state}.`,
  setDown: ({ name, owner, what, fields, drift }) =>
    `${what}  ${name} (${owner})${fields === "" ? "" : `: ${fields}`}${drift ? ", changed elsewhere" : ""}`,
  nothingSetDown: () => "No schedules stand in the settings.",
  nothingDone: () => "Nothing was changed: this is what daybook apply would do.",
  rests: ({ scope, until, reason }) =>
    `⏸ Resting: ${scope}${until === null ? "" : `, until ${until}`}${reason === null ? "" : ` (${reason})`}. What comes due waits.`,
  goesOn: (isPutBack) => `It goes on, within ${isPutBack ? "a minute at most" : "seconds"}.`,
};

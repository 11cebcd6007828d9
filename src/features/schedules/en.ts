export interface Pause {
  by: string | null;
  since: string | null;
  until: string | null;
  reason: string | null;
}

const pause = ({ by, since, until, reason }: Pause): string =>
  `${by === null ? "" : ` by ${by}`}${since === null ? "" : ` since ${since}`}, until ${until ?? "it is resumed"}${reason === null ? "" : ` (${reason})`}`;

export const en = {
  scheduled: ({ name, when, target }: { name: string; when: string; target: string }) =>
    `'${name}' runs ${when} → ${target}`,
  scheduledBefore: ({ name, when, state }: { name: string; when: string; state: string }) =>
    `Already asked, and ${state}: '${name}' runs ${when}`,
  scheduledAndForgotten: () => "Already asked, over, and forgotten since.",
  /** The moments it comes at next, each on its line. */
  fires: (when: string) => `It runs ${when}, next on:`,
  noFires: () => "It does not run from now on.",
  callSecret: (secret: string) =>
    `Its calls are signed with this secret, which is shown only now:\n${secret}`,
  scheduleChanged: ({ name, when }: { name: string; when: string }) =>
    `Changed: '${name}' runs ${when}`,
  scheduleDeleted: (name: string) => `Deleted: '${name}'. Its runs stay in the book.`,
  scheduleGone: ({ name, state }: { name: string; state: string }) =>
    `'${name}' had ended already: ${state}.`,
  scheduleIs: ({ name, state, reason }: { name: string; state: string; reason: string | null }) =>
    `'${name}' is ${state}${reason === null ? "" : `: ${reason}`}`,
  noSchedules: () => "There are no schedules to show. Those that have ended are shown by --all.",
  /** Of all that match, so many are on this page. */
  ofAll: ({ count, total }: { count: number; total: number }) => `${count} of ${total}`,
  paused: ({ name, until }: { name: string; until: string | null }) =>
    `Paused: '${name}' ${until === null ? "until you resume it." : `until ${until}.`}`,
  resumed: ({ name, next }: { name: string; next: string | null }) =>
    `'${name}' runs again${next === null ? "." : `, next on ${next}.`} What failed before no longer counts.`,

  runAsked: ({ name, id }: { name: string; id: string }) =>
    `'${name}' runs now. What it says: daybook output ${id}`,
  backfilled: ({ count, before }: { count: number; before: number }) =>
    `${count} ${count === 1 ? "run" : "runs"} to make, one after another; ${before} had a run already.`,
  wouldBackfill: ({ count, before }: { count: number; before: number }) =>
    `${count} ${count === 1 ? "run" : "runs"} would be made; ${before} had a run already. Nothing was written.`,
  noRuns: () => "It has not run yet.",
  lastFailures: (count: number) => `${count} ${count === 1 ? "failure" : "failures"} in a row`,
  becauseSchedule: ({ name, when, state }: { name: string; when: string; state: string }) =>
    `schedule "${name}", ${when}, ${state} now`,
  madeBy: ({ by, when, origin }: { by: string; when: string; origin: string | null }) =>
    `made by ${by} on ${when}${origin === null ? "" : ` in ${origin}; it answers only there`}`,
  /** The changes of a schedule. */
  pausedBy: ({ by, when }: { by: string; when: string }) => `paused by ${by} on ${when}`,
  resumedBy: ({ by, when }: { by: string; when: string }) => `resumed by ${by} on ${when}`,
  wentOn: (when: string) => `its pause was over on ${when}`,
  disabledOn: (when: string) => `disabled on ${when}`,
  pausedSince: (about: Pause) => `paused${pause(about)}`,
  used: (about: { what: "runs" | "turns" | "cost"; used: string | null; allowed: string }) =>
    about.used === null
      ? `at most ${about.what === "cost" ? `cost ${about.allowed}` : `${about.allowed} ${about.what}`}`
      : `${about.what === "cost" ? "cost " : ""}${about.used} of ${about.allowed}${about.what === "cost" ? "" : ` ${about.what}`}`,
  dayBudget: ({ day, used, isUsedUp }: { day: string; used: string; isUsedUp: boolean }) =>
    `budget of ${day}: ${used}${isUsedUp ? ", used up: no more runs on that day" : ""}`,
  runBudget: (used: string) => `budget of the run: ${used}`,
  waitsForResume: (name: string) => `nothing until it is resumed: daybook resume ${name}`,
  heldBack: ({ scope, ...about }: Pause & { scope: string }) =>
    `it waits: "${scope}" was paused${pause(about)}`,
  keepsFailing: ({ name, count, error }: { name: string; count: number; error: string }) =>
    `❌ Scheduled task '${name}' has failed ${count} times in a row. Latest error: ${error}`,
  wasDisabled: ({ name, count }: { name: string; count: number }) =>
    `⛔ Scheduled task '${name}' was disabled after ${count} consecutive failures.`,
  worksAgain: ({ name, count }: { name: string; count: number }) =>
    `✅ Scheduled task '${name}' works again${count === 0 ? "" : `, after ${count} ${count === 1 ? "failure" : "failures"}`}.`,
  reportMissed: ({ name, when }: { name: string; when: string }) =>
    `⏰ '${name}' has not reported. It was expected ${when}.`,
  reportsAgain: ({ name }: { name: string }) => `✅ '${name}' reports again.`,
  watching: (about: { name: string; when: string; grace: string; target: string }) =>
    `Waiting for '${about.name}' to report ${about.when}; ${about.grace} late, ${about.target} is told.`,
  pingAt: (url: string) =>
    `Have it ask for this address when it is done; it is shown only now:\n${url}`,
  pingTaken: ({ name, state }: { name: string; state: string }) => `'${name}': ${state}.`,
  setDown: (about: {
    name: string;
    owner: string;
    what: "create" | "change" | "keep" | "remove" | "same";
    fields: string;
    drift: boolean;
  }) =>
    `${about.what}  ${about.name} (${about.owner})${about.fields === "" ? "" : `: ${about.fields}`}${about.drift ? ", changed elsewhere" : ""}`,
  nothingSetDown: () => "No schedules stand in the settings.",
  nothingDone: () => "Nothing was changed: this is what daybook apply would do.",
};

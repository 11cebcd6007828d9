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
  scheduleExists: ({ name, when, state }: { name: string; when: string; state: string }) =>
    `This schedule exists already, and is ${state}: '${name}' runs ${when}`,
  schedulePruned: () => "The schedule with this key has ended, and its record was deleted.",
  /** The times follow, each on its line. */
  fires: (when: string) => `It runs ${when}, next on:`,
  noFires: () => "It has no further times.",
  callSecret: (secret: string) =>
    `Its calls are signed with this secret, which is not shown again:\n${secret}`,
  scheduleChanged: ({ name, when }: { name: string; when: string }) =>
    `Changed: '${name}' runs ${when}`,
  scheduleDeleted: (name: string) => `Deleted: '${name}'. Its runs stay in the book.`,
  scheduleUnchanged: ({ name, state }: { name: string; state: string }) =>
    `'${name}' has ended before: ${state}.`,
  scheduleIs: ({ name, state, reason }: { name: string; state: string; reason: string | null }) =>
    `'${name}' is ${state}${reason === null ? "" : `: ${reason}`}`,
  noSchedules: () =>
    'No schedules match.\nCreate one: daybook schedule "every weekday 9am" …; include those that have ended: daybook schedule list --all',
  /** The size of this page, and of all matches. */
  ofAll: ({ count, total }: { count: number; total: number }) => `${count} of ${total}`,
  paused: ({ name, until }: { name: string; until: string | null }) =>
    `Paused: '${name}' ${until === null ? "until you resume it." : `until ${until}.`}`,
  resumed: ({ name, next }: { name: string; next: string | null }) =>
    `Resumed: '${name}'${next === null ? "." : ` runs next on ${next}.`} Its failures are counted from zero.`,

  runRequested: ({ name, id }: { name: string; id: string }) =>
    `'${name}' runs now. See its output with daybook run output ${id}`,
  backfilled: ({ count, before }: { count: number; before: number }) =>
    `Created ${count} ${count === 1 ? "run" : "runs"}, to run one after another; ${before} had a run already.`,
  wouldBackfill: ({ count, before }: { count: number; before: number }) =>
    `Would create ${count} ${count === 1 ? "run" : "runs"}; ${before} had a run already. Nothing was written.`,
  notRunYet: () => "It has not run yet.",
  noRuns: () => "It has not run yet.\nRun it now: daybook schedule run ID",
  notDelivered: (reason: string) => `not delivered: ${reason}`,
  lastFailures: (count: number) => `${count} ${count === 1 ? "failure" : "failures"} in a row`,
  scheduleAsCause: ({ name, when, state }: { name: string; when: string; state: string }) =>
    `the schedule "${name}", ${when}, which is ${state}`,
  createdBy: ({ by, when, origin }: { by: string; when: string; origin: string | null }) =>
    `created by ${by} on ${when}${origin === null ? "" : ` in ${origin}; its answers go only there`}`,
  /** The changes of a schedule. */
  pausedBy: ({ by, when }: { by: string; when: string }) => `paused by ${by} on ${when}`,
  resumedBy: ({ by, when }: { by: string; when: string }) => `resumed by ${by} on ${when}`,
  pauseEnded: (when: string) => `resumed by itself on ${when}`,
  disabledOn: (when: string) => `disabled on ${when}`,
  pausedSince: (about: Pause) => `paused${pause(about)}`,
  used: (about: { what: "runs" | "turns" | "cost"; used: string | null; allowed: string }) =>
    about.used === null
      ? `at most ${about.what === "cost" ? `cost ${about.allowed}` : `${about.allowed} ${about.what}`}`
      : `${about.what === "cost" ? "cost " : ""}${about.used} of ${about.allowed}${about.what === "cost" ? "" : ` ${about.what}`}`,
  dayBudget: ({ day, used, isUsedUp }: { day: string; used: string; isUsedUp: boolean }) =>
    `budget of ${day}: ${used}${isUsedUp ? ", used up: no more runs that day" : ""}`,
  runBudget: (used: string) => `budget of the run: ${used}`,
  waitsForResume: (name: string) =>
    `nothing until you resume it with daybook schedule resume ${name}`,
  heldBack: ({ scope, ...about }: Pause & { scope: string }) =>
    `it waits: "${scope}" is paused${pause(about)}`,
  keepsFailing: ({ name, count, error }: { name: string; count: number; error: string }) =>
    `❌ Scheduled task '${name}' has failed ${count} times in a row. Latest error: ${error}`,
  wasDisabled: ({ name, count }: { name: string; count: number }) =>
    `⛔ Scheduled task '${name}' was disabled after ${count} consecutive failures.`,
  undelivered: (count: number) =>
    `the output of ${count} ${count === 1 ? "run" : "runs in a row"} was not delivered`,
  wasPaused: (about: { name: string; count: number; target: string; reason: string }) =>
    `⏸ Scheduled task '${about.name}' was paused: the output of ${about.count} runs in a row could not be delivered to ${about.target} (${about.reason}). The outputs are kept. Change its target or make that one work, then resume it.`,
  worksAgain: ({ name, count }: { name: string; count: number }) =>
    `✅ Scheduled task '${name}' works again${count === 0 ? "" : `, after ${count} ${count === 1 ? "failure" : "failures"}`}.`,
  reportMissed: ({ name, when }: { name: string; when: string }) =>
    `⏰ '${name}' has not reported. Its report was expected ${when}.`,
  reportsAgain: ({ name }: { name: string }) => `✅ '${name}' reports again.`,
  watching: (about: { name: string; when: string; grace: string; target: string }) =>
    `Watching '${about.name}', which reports ${about.when}. If a report is over ${about.grace} late, ${about.target} is notified.`,
  pingAt: (url: string) =>
    `Have the job request this URL when it ends; it is not shown again:\n${url}`,
  pingReceived: ({ name, state }: { name: string; state: string }) => `'${name}': ${state}.`,
  /** A step of daybook schedule apply. */
  step: (about: {
    name: string;
    owner: string;
    what: "create" | "change" | "keep" | "remove" | "same";
    fields: string;
    drift: boolean;
  }) =>
    `${about.what}  ${about.name} (${about.owner})${about.fields === "" ? "" : `: ${about.fields}`}${about.drift ? ", changed elsewhere" : ""}`,
  noneDeclared: () => "The settings have no schedules.",
  dryRun: () => "Nothing was changed: this is what daybook schedule apply would do.",
};

import type { AgainTexts } from "./again.ts";

const started = (late: string | null): string =>
  late === null ? "" : `, started ${late} after it was due`;

export const againEnglish: AgainTexts = {
  scheduled: ({ name, when, target }) => `'${name}' runs ${when} → ${target}`,
  scheduledBefore: ({ name, when, state }) => `Already asked, and ${state}: '${name}' runs ${when}`,
  scheduledAndForgotten: () => "Already asked, over, and forgotten since.",
  fires: (when) => `It runs ${when}, next on:`,
  noFires: () => "It does not run from now on.",
  callSecret: (secret) =>
    `Its calls are signed with this secret, which is shown only now:\n${secret}`,
  nobodyRuns: (name) => `Nobody here runs the task '${name}': its runs wait until somebody does.`,
  scheduleChanged: ({ name, when }) => `Changed: '${name}' runs ${when}`,
  scheduleDeleted: (name) => `Deleted: '${name}'. Its runs stay in the book.`,
  scheduleGone: ({ name, state }) => `'${name}' had ended already: ${state}.`,
  scheduleIs: ({ name, state, reason }) =>
    `'${name}' is ${state}${reason === null ? "" : `: ${reason}`}`,
  noSchedules: () => "There are no schedules to show. Those that have ended are shown by --all.",
  ofAll: ({ count, total }) => `${count} of ${total}`,
  nothingForeseen: () => "Nothing would happen.",
  foreseen: (what) => ({ say: "say", run: "run" })[what],
  clocksChange: (hours) => `(the clocks change: this day has ${hours} hours)`,
  moreForeseen: (count) =>
    `These are the first ${count}: choose a shorter time or a higher limit to see the rest.`,
  paused: ({ name, until }) =>
    `Paused: '${name}' ${until === null ? "until you resume it." : `until ${until}.`}`,
  resumed: ({ name, next }) =>
    `'${name}' runs again${next === null ? "." : `, next on ${next}.`} What failed before no longer counts.`,

  runAsked: ({ name, id }) => `'${name}' runs now. What it says: daybook output ${id}`,
  runAskedBefore: ({ name, state }) => `Already asked, and ${state}: '${name}'`,
  backfilled: ({ count, before }) =>
    `${count} ${count === 1 ? "run" : "runs"} to make, one after another; ${before} had a run already.`,
  wouldBackfill: ({ count, before }) =>
    `${count} ${count === 1 ? "run" : "runs"} would be made; ${before} had a run already. Nothing was written.`,
  noRuns: () => "It has not run yet.",
  lastFailures: (count) => `${count} ${count === 1 ? "failure" : "failures"} in a row`,
  runIs: ({ name, id, state, when }) =>
    `run ${id} of '${name}'  ${state}${when === null ? "" : ` ${when}`}`,
  exitedWith: (status) => `exit ${status}`,
  noOutput: (isAtWork) =>
    isAtWork
      ? "No output stored for this run: it is still at work."
      : "No output stored for this run.",
  outputLeft: ({ offset, remaining }) => `${remaining} characters more: --offset ${offset}`,
  runCancelled: () => "Cancelled. It does not run.",
  runStopping: () => "It is at work and is being stopped.",
  runEnded: (state) => `It had ended already: ${state}.`,
  asksForAnswer: ({ question, choices, id }) =>
    `It asks: ${question}${choices === "" ? "" : ` (${choices})`}\nTo answer: daybook answer ${id} …`,
  answered: () => "Answered. It goes on.",
  resent: ({ target, when }) => `It is said again ${when} → ${target}`,

  becauseRun: ({ name, id, state, when }) =>
    `run ${id} of "${name}", ${state}${when === null ? "" : ` on ${when}`}`,
  becauseSlot: ({ when, utc, late }) => `slot ${when} (${utc})${started(late)}`,
  becauseAsked: ({ isBackfill, when, late }) =>
    `${isBackfill ? "somebody asked to make up for the slot of" : "somebody asked for a run on"} ${when}${isBackfill ? "" : started(late)}`,
  becauseSchedule: ({ name, when, state }) => `schedule "${name}", ${when}, ${state} now`,
  madeBy: ({ by, when, origin }) =>
    `made by ${by} on ${when}${origin === null ? "" : ` in ${origin}; it answers only there`}`,
};

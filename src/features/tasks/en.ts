const skips = {
  overlap: "the run before was still at work",
  budget: "the budget of that day was used up",
  paused: "its schedule was paused",
};

const started = (late: string | null): string =>
  late === null ? "" : `, started ${late} after it was due`;

export const en = {
  nobodyRuns: (name: string) =>
    `Nobody here runs the task '${name}': its runs wait until somebody does.`,
  runAskedBefore: ({ name, state }: { name: string; state: string }) =>
    `Already asked, and ${state}: '${name}'`,
  runIs: (about: { name: string; id: string; state: string; when: string | null }) =>
    `run ${about.id} of '${about.name}'  ${about.state}${about.when === null ? "" : ` ${about.when}`}`,
  exitedWith: (status: number) => `exit ${status}`,
  noOutput: (isAtWork: boolean): string =>
    isAtWork
      ? "No output stored for this run: it is still at work."
      : "No output stored for this run.",
  outputLeft: ({ offset, remaining }: { offset: number; remaining: number }) =>
    `${remaining} characters more: --offset ${offset}`,
  runCancelled: () => "Cancelled. It does not run.",
  runStopping: () => "It is at work and is being stopped.",
  runEnded: (state: string) => `It had ended already: ${state}.`,
  asksForAnswer: ({ question, choices, id }: { question: string; choices: string; id: string }) =>
    `It asks: ${question}${choices === "" ? "" : ` (${choices})`}\nTo answer: daybook answer ${id} …`,
  answered: () => "Answered. It goes on.",
  resent: ({ target, when }: { target: string; when: string }) =>
    `It is said again ${when} → ${target}`,

  /** Why something was said or run, one cause a line. */
  becauseRun: (about: { name: string; id: string; state: string; when: string | null }) =>
    `run ${about.id} of "${about.name}", ${about.state}${about.when === null ? "" : ` on ${about.when}`}`,
  becauseSlot: ({ when, utc, late }: { when: string; utc: string; late: string | null }) =>
    `slot ${when} (${utc})${started(late)}`,
  becauseAsked: (about: { isBackfill: boolean; when: string; late: string | null }) =>
    `${about.isBackfill ? "somebody asked to make up for the slot of" : "somebody asked for a run on"} ${about.when}${about.isBackfill ? "" : started(about.late)}`,
  waitsForWorker: ({ handler }: { handler: string }) =>
    `it waits until a worker takes it: daybook worker claim ${handler}`,
  /** Why a slot did not run. */
  skipped: (reason: keyof typeof skips) => skips[reason],
  /** Why the output of a run is sent, or is not. */
  told: (isMarked: boolean): string =>
    isMarked
      ? "its run began with [NOTIFY], or said notify: true"
      : "what its runs say is always told",
  untold: (policy: "conditional" | "never") =>
    `nothing: ${policy === "never" ? "what its runs say is never told" : "it neither began with [NOTIFY] nor said notify: true"}`,
  failureUntold: (after: number) =>
    after === 0
      ? "nothing: failures are never told"
      : `nothing: failures are told once, when they are ${after} in a row`,

  /** The notices of runs. */
  ranSilently: ({ name }: { name: string }) => `'${name}' ran, without output.`,
  outputGoesOn: (id: string) => `It goes on: daybook output ${id}`,

  /** How to answer, where a reply in a chat is an answer. */
  answerInChat: (command: string) => `Reply here, or in a terminal: ${command}`,
  answerByCommand: (command: string) => `To answer: ${command}`,
};

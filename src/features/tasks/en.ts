import type { MissingWorkspace } from "./ports.ts";

const skips = {
  overlap: "the previous run was still running",
  budget: "the budget of that day was used up",
  paused: "its schedule was paused",
};

const started = (late: string | null): string =>
  late === null ? "" : `, started ${late} after it was due`;

export const en = {
  noRunner: (name: string) =>
    `No program here runs the task '${name}': its runs wait until one does.`,
  missingWorkspace: ({ name, others }: MissingWorkspace) =>
    `There is no workspace '${name}' yet: the first run creates it.${others.length === 0 ? "" : ` Workspaces that exist: ${others.join(", ")}.`}`,
  runRequestedBefore: ({ name, state }: { name: string; state: string }) =>
    `Requested before, and ${state}: '${name}'`,
  runLine: (about: { name: string; id: string; state: string; when: string | null }) =>
    `run ${about.id} of '${about.name}'  ${about.state}${about.when === null ? "" : ` ${about.when}`}`,
  exitedWith: (status: number) => `exit ${status}`,
  noOutput: (isAtWork: boolean): string =>
    isAtWork
      ? "No output stored for this run: it is still running."
      : "No output stored for this run.",
  outputRemaining: ({ offset, remaining }: { offset: number; remaining: number }) =>
    `${remaining} more characters: --offset ${offset}`,
  runCancelled: () => "Cancelled. It will not run.",
  runStopping: () => "It is running, and is being stopped.",
  runEnded: (state: string) => `It had already ended: ${state}.`,
  inputRequired: ({
    question,
    choices,
    command,
  }: {
    question: string;
    choices: string;
    command: string;
  }) =>
    `It asks: ${question}${choices === "" ? "" : ` (${choices})`}\nTo answer: daybook ${command} …`,
  answered: () => "Answered. The run continues.",
  resent: ({ target, when }: { target: string; when: string }) => `Sent again ${when} → ${target}`,

  /** Why a message was sent or a task ran, one cause a line. */
  becauseRun: (about: { name: string; id: string; state: string; when: string | null }) =>
    `run ${about.id} of "${about.name}", ${about.state}${about.when === null ? "" : ` on ${about.when}`}`,
  becauseSlot: ({ when, utc, late }: { when: string; utc: string; late: string | null }) =>
    `slot ${when} (${utc})${started(late)}`,
  becauseRequested: (about: { isBackfill: boolean; when: string; late: string | null }) =>
    about.isBackfill
      ? `a backfill was requested for the slot of ${about.when}`
      : `a run was requested on ${about.when}${started(about.late)}`,
  waitsForWorker: ({ handler }: { handler: string }) =>
    `it waits until a worker claims it: daybook worker claim ${handler}`,
  /** Why it has not run yet. */
  waits: {
    answer: (id: string) => `it waits for an answer: daybook run answer ${id}`,
    callback: () => "it waits for the program that it called to report the end",
    turn: () => "it waits until the earlier run of its schedule ends",
    capacity: () => "it waits until one of the runs that fill the capacity ends",
    rate: ({ handler, until }: { handler: string; until: string }) =>
      `it waits for the rate limit of handler ${handler} until ${until}`,
    workspace: (name: string) => `it waits until the workspace ${name} runs`,
  },
  /** Why a slot did not run. */
  skipped: (reason: keyof typeof skips) => skips[reason],
  /** Why the output of a run is sent, or is not. */
  outputSent: (isMarked: boolean): string =>
    isMarked
      ? "its run started with [NOTIFY], or returned notify: true"
      : "the output of its runs is always sent",
  outputNotSent: (policy: "conditional" | "never"): string =>
    policy === "never"
      ? "nothing: the output of its runs is never sent"
      : "nothing: the run neither started with [NOTIFY] nor returned notify: true",
  failureNotSent: (after: number): string =>
    after === 0
      ? "nothing: failures are never reported"
      : `nothing: failures are reported once, after ${after} in a row`,

  /** The notices of runs. */
  ranSilently: ({ name }: { name: string }) => `'${name}' ran, without output.`,
  outputContinues: (id: string) => `The rest: daybook run output ${id}`,

  /** How to answer a question. In some chats, a reply is an answer. */
  answerByReply: "Reply here to answer.",
  answerByCommand: (command: string) => `To answer: ${command}`,
};

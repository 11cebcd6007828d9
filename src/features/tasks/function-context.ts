import type { Draft } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { makeNotification } from "../notifications/kind.ts";
import { taskDraft } from "./function-draft.ts";
import { questionText } from "./question.ts";
import type { Job, Ran, RunDesk } from "./runner.ts";
import type { TaskContext } from "./task-definition.ts";

/** More than that is another design: one run that asks for the next, for example. */
const followsMax = 1_000;

/** What a function gets beside its input, and what it left there. */
export function contextOf(
  job: Job,
  desk: RunDesk,
  now: () => number,
): { context: TaskContext; asked(): Ran | undefined; consequences: readonly Draft[] } {
  const { id, attempt, answers, target, origin } = job;
  const consequences: Draft[] = [];
  let request: Ran | undefined;

  const follow = (draft: Draft): void => {
    if (consequences.length >= followsMax) {
      throw new DaybookError("too_large", `Over ${followsMax} consequences of one run.`);
    }
    consequences.push(draft);
  };
  const context: TaskContext = {
    id,
    attempt,
    answers,
    answer: answers.at(-1)?.answer,
    slot: job.slot,
    signal: desk.signal,
    progress: (text) => desk.progress(text),
    log: (text) => desk.write(`${text}\n`),
    notify(notice) {
      const { message, at = now() } = notice;
      const to = { target: notice.target ?? target, origin };
      follow(makeNotification({ message, at, atText: "now", ...to, type: "run" }));
    },
    run(task, input, { at = now(), key } = {}) {
      follow(taskDraft(task, input, { at, target, origin, key }));
    },
    ask(question, { choices = [], withinMs } = {}) {
      if (withinMs !== undefined && !(Number.isSafeInteger(withinMs) && withinMs >= 1)) {
        throw new DaybookError("invalid", '"withinMs" must be a whole number from 1.');
      }
      const text = questionText(question);
      const known = answers.findLast((answered) => answered.question === text);
      if (known !== undefined) return known.answer;
      const within = withinMs === undefined ? {} : { withinMs };
      request = { result: "asks", question: text, choices, ...within };
      throw new DaybookError("refused", "Waiting for an answer: let this error pass.");
    },
  };
  return { context, asked: () => request, consequences: consequences };
}

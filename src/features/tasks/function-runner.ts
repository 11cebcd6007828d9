import type { Draft } from "../../kernel/unit.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { present } from "../../platform/json.ts";
import { makeNotification } from "../notifications/index.ts";
import { readInput, type TaskContext, type TaskDefinition, plainJson } from "./function.ts";
import { makeTask } from "./kind.ts";
import { progressText } from "./progress.ts";
import { questionText } from "./question.ts";
import type { Ran, Runner, Job, RunContext } from "./runner.ts";

const resultBytesMax = 128 * 1024;

/** Runs a function of the host program. */
export function functionRunner(
  definition: TaskDefinition,
  { now = systemClock().wall }: { now?: () => number } = {},
): Runner {
  const { name, concurrency } = definition;
  return {
    name,
    concurrency,
    async run(job, run): Promise<Ran> {
      let input: unknown;
      try {
        input = await readInput(definition, job.input);
      } catch (error) {
        return { result: "failed", reason: messageOf(error), retry: false };
      }
      const { context, openQuestion, consequences } = contextOf(job, run, now);
      try {
        const returned = await definition.run(input, context);
        return openQuestion() ?? completed(returned, consequences);
      } catch (error) {
        // A question without an answer counts, even if the function caught the error and threw another.
        return openQuestion() ?? { result: "failed", reason: messageOf(error) };
      }
    },
  };
}

function completed(value: unknown, consequences: readonly Draft[]): Ran {
  const returned = value === undefined ? null : plainJson(value);
  if (returned === undefined) {
    const reason = "what it returned is not plain JSON: return data, or nothing";
    return { result: "failed", reason, retry: false };
  }
  if (Buffer.byteLength(JSON.stringify(returned)) > resultBytesMax) {
    const reason = `what it returned is over ${resultBytesMax} bytes: store it elsewhere`;
    return { result: "failed", reason, retry: false };
  }
  const said = typeof returned === "string" ? returned : undefined;
  return present({ result: "completed", returned, said, consequences });
}

/** A run with more consequences should be split, for example into runs that request the next one. */
const consequencesMax = 1_000;

/** The context of one run of a function, and the question and consequences that the run left in it. */
function contextOf(
  job: Job,
  run: RunContext,
  now: () => number,
): { context: TaskContext; openQuestion(): Ran | undefined; consequences: readonly Draft[] } {
  const { id, attempt, answers, target, origin } = job;
  const consequences: Draft[] = [];
  let question: Ran | undefined;

  const add = (draft: Draft): void => {
    if (consequences.length >= consequencesMax) {
      const sentence = `A run may have ${consequencesMax} consequences at most: split it into several runs.`;
      throw new DaybookError("too_large", sentence);
    }
    consequences.push(draft);
  };
  const context: TaskContext = {
    id,
    attempt,
    answers,
    answer: answers.at(-1)?.answer,
    slot: job.slot,
    signal: run.signal,
    progress: (progress, note) => run.progress(progressText(progress, note)),
    log: (text) => run.write(`${text}\n`),
    notify(notice) {
      const { message, at = now() } = notice;
      const to = { target: notice.target ?? target, origin };
      add(makeNotification({ message, at, atText: "now", ...to, type: "run" }));
    },
    run(task, ...[input = {}, { at = now(), key } = {}]) {
      const plain = plainJson(input);
      if (plain === undefined) throw new DaybookError("invalid", "The input must be plain JSON.");
      const { name, timeoutMs, retry } = task;
      const body = { name, input: plain, at, target, origin, timeoutMs, retry };
      const asked = { name, input: plain };
      add(makeTask(body, { key: key === undefined ? undefined : { name: key, asked } }));
    },
    ask(text, { choices = [], withinMs } = {}) {
      if (withinMs !== undefined && !(Number.isSafeInteger(withinMs) && withinMs >= 1)) {
        const sentence = `"withinMs" must be a whole number from 1, not ${withinMs}.`;
        throw new DaybookError("invalid", sentence);
      }
      const stored = questionText(text);
      const answered = answers.findLast((each) => each.question === stored);
      if (answered !== undefined) return answered.answer;
      question = present({ result: "asks", question: stored, choices, withinMs });
      throw new DaybookError("refused", "The run waits for an answer: do not catch this error.");
    },
  };
  return { context, openQuestion: () => question, consequences };
}

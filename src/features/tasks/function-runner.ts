import type { Draft, DraftOf, Key } from "../../kernel/unit.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { makeNotification } from "../notifications/index.ts";
import { readInput, type TaskContext, type TaskDefinition, plainJson } from "./function.ts";
import { makeTask, type TaskKind } from "./kind.ts";
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
    ...(concurrency === undefined ? {} : { concurrency }),
    async run(job, run): Promise<Ran> {
      let input: unknown;
      try {
        input = await readInput(definition, job.input);
      } catch (error) {
        return { result: "failed", reason: messageOf(error), retry: false };
      }
      const { context, asked, consequences } = contextOf(job, run, now);
      try {
        const returned = await definition.run(input, context);
        return asked() ?? completed(returned, consequences);
      } catch (error) {
        // Whatever the function made of it: it asked, and nobody has answered yet.
        return asked() ?? { result: "failed", reason: messageOf(error) };
      }
    },
  };
}

function completed(value: unknown, consequences: readonly Draft[]): Ran {
  const returned = value === undefined ? null : plainJson(value);
  if (returned === undefined) {
    const reason = "what it returned is no plain JSON: return data, or nothing";
    return { result: "failed", reason, retry: false };
  }
  if (Buffer.byteLength(JSON.stringify(returned)) > resultBytesMax) {
    const reason = `what it returned is over ${resultBytesMax} bytes: keep it elsewhere`;
    return { result: "failed", reason, retry: false };
  }
  const said = typeof returned === "string" ? { said: returned } : {};
  return { result: "completed", returned, ...said, consequences };
}

/** A run of a function, as it is asked for. */
export function taskDraft(
  { name, timeoutMs, retry }: Pick<TaskDefinition, "name" | "timeoutMs" | "retry">,
  input: unknown,
  request: { at: number; target: string; origin: string | null; key?: string | undefined },
): DraftOf<TaskKind> {
  const { at, target, origin, key } = request;
  const plain = plainJson(input);
  if (plain === undefined) throw new DaybookError("invalid", "The input must be plain JSON.");
  const body = { name, input: plain, at, target, origin, timeoutMs, retry };
  return makeTask(body, key === undefined ? {} : { key: keyOf(key, name, plain) });
}

function keyOf(key: string, name: string, input: Json): Key {
  return { name: key, asked: { name, input } };
}

/** More than that is another design: one run that asks for the next, for example. */
const followsMax = 1_000;

/** What a function gets beside its input, and what it left there. */
function contextOf(
  job: Job,
  run: RunContext,
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
    signal: run.signal,
    progress: (text) => run.progress(text),
    log: (text) => run.write(`${text}\n`),
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
  return { context, asked: () => request, consequences };
}

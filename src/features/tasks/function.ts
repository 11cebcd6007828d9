import type { Draft } from "../../kernel/unit.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import { issuePath, isSchema, type StandardSchemaV1 } from "../../platform/standard-schema.ts";
import { quote } from "../../platform/text.ts";
import { contextOf } from "./function-context.ts";
import { plainJson } from "./function-draft.ts";
import { checkTaskName, timeoutMsDefault, type Retry } from "./kind.ts";
import type { Ran, Runner } from "./runner.ts";
import type { TaskContext, TaskDefinition } from "./task-definition.ts";
import { isEventType } from "./task-event.ts";

export interface TaskOptions<Input, Output> {
  name: string;
  /** Any Standard Schema: zod, valibot, arktype and others. */
  input: StandardSchemaV1<Input, Output>;
  /** How often it is attempted in all, and how long it waits in between. */
  retry?: Partial<Retry>;
  /** Milliseconds that one attempt may take. */
  timeout?: number;
  concurrency?: number;
  /**
   * Types of events that it has something to do for, like `github.pr.review_requested`: it is run for each of them, and
   * its input is the task, with what the event says in `payload`.
   */
  subscribes?: readonly string[];
  /** What it returns is kept, and must be plain JSON. It may be run again after a crash. */
  run(input: Output, context: TaskContext): unknown;
}

const defaultRetry: Retry = { attempts: 3, firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };
const resultBytesMax = 128 * 1024;

/** Declares a function that can be asked for by name. */
export function task<Input, Output>(
  options: TaskOptions<Input, Output>,
): TaskDefinition<Input, Output> {
  const { name, input, concurrency, subscribes } = options;
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1)) {
    throw new DaybookError("invalid", '"concurrency" must be a whole number from 1.');
  }
  checkTaskName(name);
  checkTypes(name, subscribes);
  if (!isTask(options)) {
    throw new DaybookError(
      "invalid",
      `The task ${name} needs an "input", any Standard Schema, and a "run" function.`,
    );
  }
  return {
    name,
    input,
    retry: { ...defaultRetry, ...options.retry },
    timeoutMs: options.timeout ?? timeoutMsDefault,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(subscribes === undefined ? {} : { subscribes: [...subscribes] }),
    run: (read, context) => options.run(read, context),
  };
}

function checkTypes(name: string, subscribes: unknown = []): void {
  const types: readonly unknown[] = Array.isArray(subscribes) ? subscribes : [subscribes];
  const wrong = types.find((type) => typeof type !== "string" || !isEventType(type));
  if (wrong === undefined && Array.isArray(subscribes)) return;
  const advice = 'give a list of types like ["github.pr.review_requested"]';
  const message = `The task ${name} cannot subscribe to ${quote(String(wrong ?? subscribes))}: ${advice}.`;
  throw new DaybookError("invalid", message);
}

/** Whether something that came from elsewhere can be one. */
export function isTask(value: unknown): value is TaskDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { name, input, run } = value as Partial<Record<keyof TaskDefinition, unknown>>;
  return typeof name === "string" && isSchema(input) && typeof run === "function";
}

/** The input as its schema reads it. Throws `invalid`, with the place in `details.path`. */
export async function readInput<Output>(
  { name, input: schema }: { name: string; input: StandardSchemaV1<unknown, Output> },
  input: unknown,
): Promise<Output> {
  const read = await schema["~standard"].validate(input);
  if (read.issues === undefined) return read.value;
  const [issue = { message: "it is not as it should be" }] = read.issues;
  const path = issuePath(issue);
  const sentence = `The input of ${name} is wrong${path === "" ? "" : ` at ${path}`}: ${issue.message}`;
  throw new DaybookError("invalid", sentence, { details: { path } });
}

/** Runs a function of the host program. */
export function functionRunner(
  definition: TaskDefinition,
  { now = systemClock().wall }: { now?: () => number } = {},
): Runner {
  const { name, concurrency } = definition;
  return {
    name,
    ...(concurrency === undefined ? {} : { concurrency }),
    async run(job, desk): Promise<Ran> {
      let input: unknown;
      try {
        input = await readInput(definition, job.input);
      } catch (error) {
        return { result: "failed", reason: messageOf(error), retry: false };
      }
      const { context, asked, consequences } = contextOf(job, desk, now);
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

import { DaybookError } from "../../platform/errors.ts";
import type { Json } from "../../platform/json.ts";
import { issuePath, isSchema, type StandardSchemaV1 } from "../../platform/standard-schema.ts";
import { quote } from "../../platform/text.ts";
import { checkTaskName, timeoutMsDefault, type Retry, type Slot } from "./kind.ts";
import { isEventType } from "./task-event.ts";

/** A function of the host program that can be asked for by name. */
export interface TaskDefinition<Input = unknown, Output = Input> {
  readonly name: string;
  readonly input: StandardSchemaV1<Input, Output>;
  readonly retry: Retry;
  readonly timeoutMs: number;
  /** The most at work at once, over all nodes. */
  readonly concurrency?: number;
  /** Types of events that it has something to do for. */
  readonly subscribes?: readonly string[];
  run(input: Output, context: TaskContext): unknown;
}

/** What a function may use while it runs. */
export interface TaskContext {
  /** Aborts when time is up, the lease is lost, it was cancelled, or the node stops. */
  readonly signal: AbortSignal;
  /** The same on every attempt. */
  readonly id: string;
  readonly attempt: number;
  /** Which run of which schedule this is. */
  readonly slot: Slot | undefined;
  progress(text: string): void;
  /** Adds a line to the output. */
  log(text: string): void;
  /** Said when this run completes, and only then. */
  notify(notice: { message: string; target?: string; at?: number }): void;
  /** Asked for when this run completes, and only then. */
  run<Input>(task: TaskDefinition<Input>, input: NoInfer<Input>, options?: RunOptions): void;
  /**
   * Answers what a person said to this question. If nobody did yet, this attempt ends here; when the answer
   * comes the function runs again from its beginning. If none comes within `withinMs`, the run has failed; by
   * default that is a week where other runs of its schedule wait for it to end, and never elsewhere.
   */
  ask(question: string, options?: { choices?: readonly string[]; withinMs?: number }): string;
  /** The newest answer. */
  readonly answer: string | undefined;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
}

interface RunOptions {
  at?: number;
  /** The same key asks for the same run once. */
  key?: string;
}

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

/** As it would be read back; undefined when it cannot be written. */
export function plainJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

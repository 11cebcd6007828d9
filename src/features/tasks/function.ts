import { DaybookError } from "../../platform/errors.ts";
import { present, type Json } from "../../platform/json.ts";
import { issuePath, isSchema, type StandardSchemaV1 } from "../../platform/standard-schema.ts";
import { quote } from "../../platform/text.ts";
import { checkTaskName, timeoutMsDefault, type Retry, type Slot } from "./kind.ts";
import { isEventType } from "./task-event.ts";

/** A function of the host program that can be run by its name. */
export interface TaskDefinition<Input = unknown, Output = Input> {
  readonly name: string;
  readonly input: StandardSchemaV1<Input, Output>;
  readonly retry: Retry;
  readonly timeoutMs: number;
  /** The most runs at once, over all nodes. */
  readonly concurrency?: number;
  /** The types of events that it handles. */
  readonly subscribes?: readonly string[];
  run(input: Output, context: TaskContext): unknown;
}

/** The context that a function gets for a run. */
export interface TaskContext {
  /** Aborts when the timeout passes, the lease is lost, the run is cancelled, or the node stops. */
  readonly signal: AbortSignal;
  /** The same on every attempt. */
  readonly id: string;
  readonly attempt: number;
  /** The slot of the schedule that it runs for; undefined: no schedule started it. */
  readonly slot: Slot | undefined;
  /** Shows the progress while it runs: the part that is done, from 0 to 1, a few words, or both. */
  progress(progress: number | string, note?: string): void;
  /** Adds a line to the output. */
  log(text: string): void;
  /** Sends a notification if this run completes. */
  notify(notice: { message: string; target?: string; at?: number }): void;
  /** Requests another run if this run completes. */
  run<Input>(
    task: TaskDefinition<Input>,
    ...request: RunArguments<NoInfer<Input>, RunOptions>
  ): void;
  /**
   * Returns the answer of a person to this question. Without an answer this attempt ends here, and the function runs
   * again from its start when the answer comes. If none comes within `withinMs`, the run fails. Default: a week if
   * other runs of its schedule wait for its end, otherwise no limit.
   */
  ask(question: string, options?: { choices?: readonly string[]; withinMs?: number }): string;
  /** The newest answer. */
  readonly answer: string | undefined;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
}

/** The input and the options of a run; the input may be left out where the task needs none. */
export type RunArguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

interface RunOptions {
  at?: number;
  /** Two requests with the same key make one run. */
  key?: string;
}

export interface TaskOptions<Input, Output> {
  name: string;
  /** Any Standard Schema: zod, valibot, arktype and others. */
  input: StandardSchemaV1<Input, Output>;
  /** The number of attempts, and the backoff between them. Default: 3, from 1 s to 5 min. */
  retry?: Partial<Retry>;
  /** The time limit of one attempt in milliseconds. Default: 10 minutes. */
  timeout?: number;
  concurrency?: number;
  /**
   * The types of events that it handles, such as `github.pr.review_requested`. It runs for each of them, with the task
   * as its input, and the data of the event in `payload`.
   */
  subscribes?: readonly string[];
  /** Its result is stored, and must be plain JSON. It may run again after a crash. */
  run(input: Output, context: TaskContext): unknown;
}

/** A task that takes no input. A task that handles events has them as its input. */
interface PlainTaskOptions extends Omit<TaskOptions<undefined, undefined>, "input" | "subscribes"> {
  input?: never;
  subscribes?: never;
}

const defaultRetry: Retry = { attempts: 3, firstMs: 1_000, factor: 2, maxMs: 5 * 60_000 };

/** Accepts only the absence of an input, which is stored as `{}`. */
const noInput: StandardSchemaV1<undefined> = {
  "~standard": {
    version: 1,
    vendor: "daybook",
    validate: (given) =>
      isEmpty(given)
        ? { value: undefined }
        : { issues: [{ message: 'it takes none. Leave it out, or declare "input" in task().' }] },
  },
};

function isEmpty(given: unknown): boolean {
  if (typeof given !== "object" || given === null) return given === undefined || given === null;
  return !Array.isArray(given) && Object.keys(given).length === 0;
}

/** Declares a function that can be run by its name. */
export function task(options: PlainTaskOptions): TaskDefinition<undefined>;
export function task<Input, Output>(
  options: TaskOptions<Input, Output>,
): TaskDefinition<Input, Output>;
export function task(
  given: Omit<TaskOptions<unknown, unknown>, "input"> & { input?: StandardSchemaV1 },
): TaskDefinition {
  const options = { ...given, input: given.input ?? noInput };
  const { name, input, concurrency, subscribes } = options;
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1)) {
    const sentence = `"concurrency" must be a whole number from 1, not ${concurrency}.`;
    throw new DaybookError("invalid", sentence);
  }
  checkTaskName(name);
  checkTypes(name, subscribes);
  checkParts(options);
  const run: TaskDefinition["run"] = (read, context) => given.run(read, context);
  return present({
    name,
    input,
    retry: { ...defaultRetry, ...options.retry },
    timeoutMs: options.timeout ?? timeoutMsDefault,
    concurrency,
    subscribes: subscribes && [...subscribes],
    run,
  });
}

function checkParts(options: {
  name: string;
  input: unknown;
  run: unknown;
  subscribes?: unknown;
}): void {
  const { name, input, subscribes } = options;
  if (!isTask(options)) {
    const message = `The task ${name} needs a "run" function. Its "input" is a Standard Schema, such as z.object({ … }), or absent.`;
    throw new DaybookError("invalid", message);
  }
  if (input !== noInput || subscribes === undefined) return;
  const message = `The task ${name} handles events, so it needs an "input": a schema of what it reads of them, such as z.object({ payload: z.object({ … }) }).`;
  throw new DaybookError("invalid", message);
}

function checkTypes(name: string, subscribes: unknown = []): void {
  const types: readonly unknown[] = Array.isArray(subscribes) ? subscribes : [subscribes];
  const wrong = types.find((type) => typeof type !== "string" || !isEventType(type));
  if (wrong === undefined && Array.isArray(subscribes)) return;
  const advice = 'give a list of types like ["github.pr.review_requested"]';
  const message = `The task ${name} cannot subscribe to ${quote(String(wrong ?? subscribes))}: ${advice}.`;
  throw new DaybookError("invalid", message);
}

/** Whether a value from elsewhere is a task definition. */
export function isTask(value: unknown): value is TaskDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { name, input, run } = value as Partial<Record<keyof TaskDefinition, unknown>>;
  return typeof name === "string" && isSchema(input) && typeof run === "function";
}

/** The input, parsed by its schema. Throws `invalid`, with the path of the problem in `details.path`. */
export async function readInput<Output>(
  { name, input: schema }: { name: string; input: StandardSchemaV1<unknown, Output> },
  input: unknown,
): Promise<Output> {
  const read = await schema["~standard"].validate(input);
  if (read.issues === undefined) return read.value;
  const [issue = { message: "it does not match the schema" }] = read.issues;
  const path = issuePath(issue);
  const sentence = `The input of ${name} is wrong${path === "" ? "" : ` at ${path}`}: ${issue.message}`;
  throw new DaybookError("invalid", sentence, { details: { path } });
}

/** The value as a store would return it; undefined when it cannot be stored as JSON. */
export function plainJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

import type { StandardSchemaV1 } from "../../platform/standard-schema.ts";
import type { Retry, Slot } from "./kind.ts";

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

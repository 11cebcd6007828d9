import type { Json } from "../../platform/json.ts";
import type { Answered, Slot } from "./kind.ts";
import type { Ran } from "./outcome.ts";

export type { Ran, Usage } from "./outcome.ts";

/** Runs tasks of one name. */
export interface Runner {
  /** The part of the queue after `task@`: `command`, `http`, `agent`, or a function's name. */
  readonly name: string;
  /** The most at work at once, over all nodes; absent: as many as a node takes. */
  readonly concurrency?: number;
  /**
   * Runs it once and reports the attempt; an error that it throws is a failed attempt. May be called
   * again for the same job after a crash: `job.id` is the same each time.
   */
  run(job: Job, context: RunContext): Promise<Ran>;
}

/** What is to be run. */
export interface Job {
  readonly id: string;
  readonly owner: string;
  /** The principal who asked. */
  readonly by: string;
  readonly input: Json;
  /** 1, 2, 3 … */
  readonly attempt: number;
  /** Where its output is sent, and where it was requested. */
  readonly target: string;
  readonly origin: string | null;
  readonly timeoutMs: number;
  readonly slot?: Slot;
  /** The id of the workspace that it runs in, which runs. */
  readonly workspaceId?: string;
  /** Of a handler's task: the task in JSON, as its runner gets it. */
  readonly event?: Json;
  readonly answers: readonly Answered[];
  /** The callback of a run that answered `later`. */
  readonly callback?: Json;
}

/** What a run may use of its lease. */
export interface RunContext {
  /** Aborts when time is up, the lease is lost, it was cancelled, or we stop; the reason says which. */
  readonly signal: AbortSignal;
  /**
   * Adds to the full output. In order, durable before the run ends; what exceeds the cap is dropped and marked.
   * The marker and a choice are not looked for in errors.
   */
  write(text: string, stream?: "output" | "errors"): void;
  /** Its progress, in a few words: shown while it runs, the newest wins. */
  progress(text: string): void;
}

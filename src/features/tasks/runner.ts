import type { Json } from "../../platform/json.ts";
import type { Answered, Slot } from "./kind.ts";
import type { Ran } from "./outcome.ts";

export type { Ran, Usage } from "./outcome.ts";

/** Runs tasks of one name. */
export interface Runner {
  /** The part of the queue after `task@`: `command`, `http`, `agent`, or a function's name. */
  readonly name: string;
  /** The most runs at once, over all nodes. Default: as many as each node takes. */
  readonly concurrency?: number | undefined;
  /**
   * Makes one attempt and reports its result; a thrown error is a failed attempt. May be called again for the same job
   * after a crash: `job.id` stays the same.
   */
  run(job: Job, context: RunContext): Promise<Ran>;
}

/** One attempt, as a runner receives it. */
export interface Job {
  readonly id: string;
  readonly owner: string;
  /** The principal who requested it. */
  readonly by: string;
  readonly input: Json;
  /** 1, 2, 3 … */
  readonly attempt: number;
  /** Where its output is sent. */
  readonly target: string;
  /** Where it was requested. */
  readonly origin: string | null;
  readonly timeoutMs: number;
  readonly slot?: Slot;
  /** The id of its workspace, which is running. */
  readonly workspaceId?: string;
  /** The task in JSON, if it is a handler's. */
  readonly event?: Json;
  readonly answers: readonly Answered[];
  /** The callback of an earlier attempt that ended with `later`. */
  readonly callback?: Json;
}

/** What a runner may use during an attempt. */
export interface RunContext {
  /** Aborts when the timeout passes, the lease is lost, the task is cancelled, or the node stops; the reason tells which. */
  readonly signal: AbortSignal;
  /**
   * Adds to the output, in order, and durable before the run ends. Output beyond the limit is dropped and marked.
   * The marker and the decision of a run are not read from errors.
   */
  write(text: string, stream?: "output" | "errors"): void;
  /** Reports progress in a few words, shown while it runs. The newest replaces the others. */
  progress(text: string): void;
}

import type { Json } from "../../platform/json.ts";
import type { Answered, Slot } from "./kind.ts";
import type { Ran } from "./result.ts";

export type { Ran, Usage } from "./result.ts";

/** Runs tasks of one name. */
export interface Runner {
  /** The part of the queue after `task@`: `command`, `http`, `agent`, or a function's name. */
  readonly name: string;
  /** The most at work at once, over all nodes; absent: as many as a node takes. */
  readonly concurrency?: number;
  /**
   * Runs it once. Answers what is known of the attempt; what it throws is a failed attempt. May be called
   * again for the same job after a crash: `job.id` is the same each time.
   */
  run(job: Job, desk: RunDesk): Promise<Ran>;
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
  /** Where what it says goes, and where it was asked for. */
  readonly target: string;
  readonly origin: string | null;
  readonly timeoutMs: number;
  readonly slot?: Slot;
  /** The id of the workspace that it runs in, which runs. */
  readonly place?: string;
  /** Of a task of a handler: the task as it is told to whoever runs it. */
  readonly event?: Json;
  readonly answers: readonly Answered[];
  /** What came in by itself for a run that said `later`. */
  readonly callback?: Json;
}

/** What a run may use of its lease. */
export interface RunDesk {
  /** Aborts when time is up, the lease is lost, it was cancelled, or we stop; the reason says which. */
  readonly signal: AbortSignal;
  /**
   * Adds to the full output. In order, durable before the run ends; what exceeds the cap is dropped and marked.
   * Whether the run is to be heard is not looked for in errors.
   */
  write(text: string, stream?: "output" | "errors"): void;
  /** How far it is, in a few words: shown while it runs, the newest wins. */
  progress(text: string): void;
}

import type { Json } from "../base/json.ts";
import type { Draft } from "./unit.ts";

/** What is known of an attempt: what a runner answered, or that there is no answer. */
export type RunResult =
  | {
      readonly result: "completed";
      readonly said?: string;
      readonly returned?: Json;
      readonly exit?: number;
      readonly usage?: Used;
      readonly follows?: readonly Draft[];
    }
  | {
      readonly result: "failed";
      readonly reason: string;
      readonly retry?: boolean;
      readonly exit?: number;
      readonly usage?: Used;
    }
  | { readonly result: "asks"; readonly question: string; readonly choices?: readonly string[] }
  | { readonly result: "later" }
  /** It was told to stop, and did not come to an end of its own. */
  | { readonly result: "stopped"; readonly usage?: Used }
  /** An attempt was cut off, and no other is made. */
  | { readonly result: "interrupted" };

interface Used {
  readonly turns: number;
  readonly cost: number;
}

export function usageOf(ran: RunResult): Used | undefined {
  return "usage" in ran ? ran.usage : undefined;
}

/** What an attempt wrote. */
export interface RunOutput {
  /** Bytes in the stream in all, earlier attempts included. */
  readonly bytes: number;
  readonly isCut: boolean;
  /** It began with the marker, which was taken off. */
  readonly isMarked: boolean;
  /** The beginning of what this attempt wrote. */
  readonly text: string;
}

/** One attempt as it was seen at its end. */
export interface RunAttempt {
  readonly ran: RunResult;
  readonly startedAt: number;
  readonly output: RunOutput;
  /** What the run was given of a callback. */
  readonly callback?: Json;
}

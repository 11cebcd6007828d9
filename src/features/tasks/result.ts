import type { Draft } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";

/** What a runner answered of an attempt. */
export type Ran =
  | {
      readonly result: "completed";
      /** What it says to whoever it is for; absent: what it wrote. */
      readonly said?: string;
      /** Why it had nothing to do, and so nobody is told, whatever the policy. */
      readonly nothingToDo?: string;
      /** What a function returned. */
      readonly returned?: Json;
      /** The last line that a program wrote: it may say how it ended. */
      readonly lastLine?: string;
      readonly exit?: number;
      readonly usage?: Usage;
      /** Committed with the end: notifications, further tasks. */
      readonly consequences?: readonly Draft[];
    }
  | {
      readonly result: "failed";
      readonly reason: string;
      /** False: trying again cannot help. */
      readonly retry?: boolean;
      /** Whoever was asked wants to be left alone for so long. */
      readonly retryAfterMs?: number;
      readonly lastLine?: string;
      readonly exit?: number;
      readonly usage?: Usage;
    }
  /** It needs a person; it is run again with the answer. */
  | {
      readonly result: "asks";
      readonly question: string;
      readonly choices?: readonly string[];
      /** How long an answer is waited for. */
      readonly withinMs?: number;
    }
  /** It was taken, and its end is told later by a callback; until then nothing runs here. */
  | { readonly result: "later" };

/** What an agent used. */
export interface Usage {
  readonly turns: number;
  /** In the currency that the prices are set in. */
  readonly cost: number;
}

/** What is known of an attempt: what a runner answered, or that there is no answer. */
export type RunResult =
  | Ran
  /** Nobody answered what it asked. */
  | { readonly result: "unanswered" }
  /** It was told to stop, and did not come to an end of its own. */
  | { readonly result: "stopped"; readonly usage?: Usage }
  /** An attempt was cut off, and no other is made. */
  | { readonly result: "interrupted" };

/** How the reason begins of an attempt that took too long. */
export const timedOutMark = "timed out after";

export function usageOf(ran: RunResult): Usage | undefined {
  return "usage" in ran ? ran.usage : undefined;
}

/** Whether a run is to be heard, and with which words, in plain data. */
export interface Choice {
  readonly notify: boolean;
  readonly message: string;
}

/** What an attempt wrote. */
export interface RunOutput {
  /** Bytes in the stream in all, earlier attempts included. */
  readonly bytes: number;
  readonly isCut: boolean;
  /** It began with the marker, which was taken off; errors beside it do not count. */
  readonly isMarked: boolean;
  /** All that it wrote beside errors says whether it is to be heard. */
  readonly choice?: Choice;
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

import type { Verb } from "../../kernel/verbs.ts";
import type { ErrorData } from "../../platform/errors.ts";
import type { Answer, Call } from "./engine.ts";
import type { Step } from "./transactions.ts";

/** How to start the thread. */
export interface ThreadData {
  readonly path: string;
  /** How long to wait for another process's write before the answer is `busy`. */
  readonly busyMs?: number;
  /** A test's clock, shared with the thread: its first number is the time. */
  readonly sharedNow?: Float64Array;
  /** For tests: the process, or only the thread, ends at this step of its nth transaction. */
  readonly endAt?: {
    readonly step: Step | "answered";
    readonly nth: number;
    readonly what: "process" | "thread";
  };
}

/** A message to the thread. */
export type Request =
  | { readonly type: "calls"; readonly calls: readonly WireCall[] }
  | { readonly type: "version" }
  | { readonly type: "close" };

/** A message from the thread: one when the store was opened or could not be, then one for each request. */
export type Reply =
  | { readonly type: "open" }
  | { readonly type: "failed"; readonly error: ErrorData }
  | {
      readonly type: "answers";
      readonly answers: readonly Answer[];
      readonly hints: readonly string[];
      /** A commit failed: the store cannot be used until it is opened again. */
      readonly isLast: boolean;
    }
  | { readonly type: "version"; readonly version: number };

/**
 * A call crosses as JSON text, so that input that is not JSON fails alone, not its whole batch. Bytes are not
 * JSON, so a `write` crosses as it is. So do answers: measured, text is no faster for them.
 */
export type WireCall = readonly [verb: Verb, input: unknown];

export function packCall(verb: Verb, input: unknown): WireCall {
  return [verb, verb === "write" ? input : JSON.stringify(input)];
}

export function unpackCall([verb, input]: WireCall): Call {
  return [verb, typeof input === "string" ? JSON.parse(input) : input] as Call;
}

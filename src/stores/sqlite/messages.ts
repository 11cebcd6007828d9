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
  /** A test's wish that the process, or only the thread, ends at a step of its nth transaction. */
  readonly endAt?: {
    readonly step: Step | "answered";
    readonly nth: number;
    readonly what: "process" | "thread";
  };
}

/** To the thread. */
export type Request =
  | { readonly what: "calls"; readonly calls: readonly WireCall[] }
  | { readonly what: "version" }
  | { readonly what: "close" };

/** From the thread: one reply for each request, and one first when the store is open or is not. */
export type Reply =
  | { readonly what: "open" }
  | { readonly what: "failed"; readonly error: ErrorData }
  | {
      readonly what: "answers";
      readonly answers: readonly Answer[];
      readonly hints: readonly string[];
      /** A commit failed: the store is lost until it is opened anew. */
      readonly isLast: boolean;
    }
  | { readonly what: "version"; readonly version: number };

/**
 * A call crosses as JSON text, so that input which is none fails alone and not the whole group with it.
 * Bytes are not JSON: a `write` crosses as it is. So do answers: measured, text gains nothing there.
 */
export type WireCall = readonly [verb: Verb, input: unknown];

export function packCall(verb: Verb, input: unknown): WireCall {
  return [verb, verb === "write" ? input : JSON.stringify(input)];
}

export function unpackCall([verb, input]: WireCall): Call {
  return [verb, typeof input === "string" ? JSON.parse(input) : input] as Call;
}

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import type { Verb } from "../../kernel/verbs.ts";
import { DaybookError, type ErrorCode, fromErrorData, messageOf } from "../../platform/errors.ts";
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

/** The thread that owns the writing connection, as the main thread uses it. */
export interface Thread {
  /** Replies arrive in the order of the requests. */
  request(request: Request): Promise<Reply>;
  /** Resolves when the thread ended by itself. */
  readonly lost: Promise<DaybookError>;
  /** Runs after all earlier requests. */
  close(): Promise<void>;
}

interface Pending {
  resolve(reply: Reply): void;
  reject(error: DaybookError): void;
}

/** Resolves when the store is open. */
export async function startThread(data: ThreadData): Promise<Thread> {
  const worker = new Worker(workerUrl(), { workerData: data });
  const pending: Pending[] = [];
  let closed: DaybookError | undefined;

  const post = (request: Request): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage(request);
  };
  const nextReply = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      pending.push({ resolve, reject });
      worker.ref(); // an idle thread must not keep a process alive
    });
  const { promise: lost, resolve: lose } = Promise.withResolvers<DaybookError>();
  const die = (cause: unknown): void => {
    if (closed === undefined) lose((closed = ended("unavailable", "has ended: restart.", cause)));
    const unanswered = ended("unknown", "ended before it answered.", cause);
    for (const each of pending.splice(0)) each.reject(unanswered);
  };
  worker.on("message", (reply: Reply) => {
    pending.shift()?.resolve(reply);
    // `close` waits for the exit, so it keeps the process alive.
    if (pending.length === 0 && closed === undefined) worker.unref();
    if (reply.type === "answers" && reply.isLast) {
      die(new Error("a commit failed"));
      void worker.terminate();
    }
  });
  worker.on("error", die);
  const exited = once(worker, "exit").then(die, die);

  const first = await nextReply();
  if (first.type === "failed") {
    await worker.terminate();
    throw fromErrorData(first.error);
  }
  return {
    lost,
    async request(request) {
      if (closed !== undefined) throw closed;
      post(request);
      return nextReply();
    },
    async close() {
      if (closed === undefined) {
        closed = ledgerClosed();
        worker.ref();
        post({ type: "close" });
      }
      await exited;
    },
  };
}

function ended(code: ErrorCode, what: string, cause: unknown): DaybookError {
  const reason = cause instanceof Error ? messageOf(cause) : `exit code ${String(cause)}`;
  return new DaybookError(code, `The ledger's thread ${what} (${reason})`);
}

/** Sources run as .ts, the build as .js. */
function workerUrl(): URL {
  const source = new URL("./worker.ts", import.meta.url);
  return import.meta.url.endsWith(".ts") ? source : new URL("./worker.js", import.meta.url);
}

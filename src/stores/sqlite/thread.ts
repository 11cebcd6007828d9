import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ledgerClosed } from "../../kernel/refusals.ts";
import { DaybookError, type ErrorCode, fromErrorData, messageOf } from "../../platform/errors.ts";
import type { Reply, Request, ThreadData } from "./messages.ts";

/** The thread that owns the writing connection, seen from the main thread. */
export interface Thread {
  /** Replies come in the order of the requests. */
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
  let gone: DaybookError | undefined;

  const post = (request: Request): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage(request);
  };
  const nextReply = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      pending.push({ resolve, reject });
      worker.ref(); // an idle thread must not keep a process alive that has nothing else to do
    });
  const { promise: lost, resolve: lose } = Promise.withResolvers<DaybookError>();
  const die = (cause: unknown): void => {
    if (gone === undefined) lose((gone = ended("unavailable", "has ended: restart.", cause)));
    const unanswered = ended("unknown", "ended before it answered.", cause);
    for (const each of pending.splice(0)) each.reject(unanswered);
  };
  worker.on("message", (reply: Reply) => {
    pending.shift()?.resolve(reply);
    // `close` waits for the exit, so it keeps the process alive.
    if (pending.length === 0 && gone === undefined) worker.unref();
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
      if (gone !== undefined) throw gone;
      post(request);
      return nextReply();
    },
    async close() {
      if (gone === undefined) {
        gone = ledgerClosed();
        worker.ref();
        post({ type: "close" });
      }
      await exited;
    },
  };
}

function ended(code: ErrorCode, what: string, cause: unknown): DaybookError {
  const why = cause instanceof Error ? messageOf(cause) : `exit code ${String(cause)}`;
  return new DaybookError(code, `The ledger's thread ${what} (${why})`);
}

/** Sources run as .ts, the build as .js. */
function workerUrl(): URL {
  const source = new URL("./worker.ts", import.meta.url);
  return import.meta.url.endsWith(".ts") ? source : new URL("./worker.js", import.meta.url);
}

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { ledgerClosed } from "../../kernel/refusals.ts";
import { DaybookError, type ErrorCode, fromErrorData, messageOf } from "../../platform/errors.ts";
import type { Reply, Request, ThreadData } from "./messages.ts";

/** The thread that owns the writing connection, seen from the main thread. */
export interface Thread {
  /** Asks; the replies come in the order of asking. */
  ask(request: Request): Promise<Reply>;
  /** Resolves when the thread ended without being told to. */
  readonly lost: Promise<DaybookError>;
  /** Comes after all that was asked before it. */
  close(): Promise<void>;
}

interface Asked {
  resolve(reply: Reply): void;
  reject(error: DaybookError): void;
}

/** Resolves when the store is open. */
export async function startThread(data: ThreadData): Promise<Thread> {
  const worker = new Worker(workerUrl(), { workerData: data });
  const request: Asked[] = [];
  let gone: DaybookError | undefined;

  const post = (request: Request): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    worker.postMessage(request);
  };
  const expect = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      request.push({ resolve, reject });
      worker.ref(); // an idle thread must not keep a process alive that has nothing else to do
    });
  const { promise: lost, resolve: lose } = Promise.withResolvers<DaybookError>();
  const die = (cause: unknown): void => {
    if (gone === undefined) lose((gone = ended("unavailable", "has ended: restart.", cause)));
    const unanswered = ended("unknown", "ended before it answered.", cause);
    for (const each of request.splice(0)) each.reject(unanswered);
  };
  worker.on("message", (reply: Reply) => {
    request.shift()?.resolve(reply);
    // Whoever closes it waits for its end.
    if (request.length === 0 && gone === undefined) worker.unref();
    if (reply.what === "answers" && reply.isLast) {
      die(new Error("a commit failed"));
      void worker.terminate();
    }
  });
  worker.on("error", die);
  const exited = once(worker, "exit").then(die, die);

  const first = await expect();
  if (first.what === "failed") {
    await worker.terminate();
    throw fromErrorData(first.error);
  }
  return {
    lost,
    async ask(request) {
      if (gone !== undefined) throw gone;
      post(request);
      return expect();
    },
    async close() {
      if (gone === undefined) {
        gone = ledgerClosed();
        worker.ref();
        post({ what: "close" });
      }
      await exited;
    },
  };
}

function ended(code: ErrorCode, what: string, cause: unknown): DaybookError {
  const why = cause instanceof Error ? messageOf(cause) : `exit code ${String(cause)}`;
  return new DaybookError(code, `The ledger's thread ${what} (${why})`);
}

/** The source runs as it stands, and as .js once built. */
function workerUrl(): URL {
  const source = new URL("./worker.ts", import.meta.url);
  return import.meta.url.endsWith(".ts") ? source : new URL("./worker.js", import.meta.url);
}

import { ledgerOver } from "../../kernel/checked-ledger.ts";
import { ledgerClosed } from "../../kernel/ledger-errors.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Perform, Verb } from "../../kernel/verbs.ts";
import { DaybookError, fromErrorData } from "../../platform/errors.ts";
import { batchSize } from "../sql/batch-size.ts";
import type { Answer } from "./engine.ts";
import { type Reply, type ThreadData, type WireCall, packCall, startThread } from "./thread.ts";
import { wakeHints } from "./wake-hints.ts";

export type SqliteOptions = ThreadData;

/** The ledger in a file: the embedded default. Other processes may open the same file. */
export async function sqlite(options: SqliteOptions): Promise<Ledger> {
  const thread = await startThread(options);
  const hints = wakeHints(options.path, async () => {
    const { version } = await expectReply("version", thread.request({ type: "version" }));
    return version;
  });
  const calls = batched(async (calls) => {
    const reply = await expectReply("answers", thread.request({ type: "calls", calls }));
    hints.notify(reply.hints);
    return reply.answers;
  });
  return ledgerOver({
    perform: calls.perform,
    onHint: hints.onHint,
    lost: thread.lost,
    async close() {
      hints.close();
      await calls.close();
      await thread.close();
    },
  });
}

async function expectReply<T extends Reply["type"]>(
  type: T,
  request: Promise<Reply>,
): Promise<Extract<Reply, { type: T }>> {
  const reply = await request;
  if (reply.type !== type) {
    throw new DaybookError("bug", `The ledger's thread answered "${reply.type}", not "${type}".`);
  }
  return reply as Extract<Reply, { type: T }>;
}

interface Waiting {
  readonly call: WireCall;
  readonly chars: number;
  resolve(answer: never): void;
  reject(error: unknown): void;
}

const limits = { callsMax: 1000, charsMax: 4_000_000 };

interface CallQueue {
  perform: Perform;
  /** Refuses new calls. Resolves when the running ones have their answers. */
  close(): Promise<void>;
}

/**
 * Group commit without a delay: whenever the thread is idle, all waiting calls are sent as one message and share one
 * transaction. Calls made during it wait for the next one.
 */
function batched(send: (calls: readonly WireCall[]) => Promise<readonly Answer[]>): CallQueue {
  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  const sendBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await send(batch.map(({ call }) => call));
      batch.forEach((waiting, index) => answer(waiting, answers[index]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    await Promise.resolve(); // calls of the same turn share a batch
    while (queue.length > 0) await sendBatch(queue.splice(0, batchSize(queue, limits)));
    running = undefined;
  };
  return {
    perform: (verb: Verb, input: unknown) =>
      new Promise<never>((resolve, reject) => {
        if (closed) throw ledgerClosed();
        const call = packCall(verb, input);
        const chars = typeof call[1] === "string" ? call[1].length : 0;
        queue.push({ call, chars, resolve, reject });
        running ??= run();
      }),
    async close() {
      closed = true;
      await running;
    },
  };
}

function answer({ resolve, reject }: Waiting, reply: Answer | undefined): void {
  if (reply === undefined) reject(new DaybookError("bug", "The ledger's thread gave no answer."));
  else if ("error" in reply) reject(fromErrorData(reply.error));
  else resolve(reply.answer as never);
}

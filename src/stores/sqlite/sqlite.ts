import type { Ledger } from "../../kernel/ledger.ts";
import { ledgerClosed } from "../../kernel/refusals.ts";
import { type Perform, type Verb, ledgerOver } from "../../kernel/verbs.ts";
import { DaybookError, fromErrorData } from "../../platform/errors.ts";
import type { Answer } from "./engine.ts";
import { type Reply, type ThreadData, type WireCall, packCall } from "./messages.ts";
import { startThread } from "./thread.ts";
import { wakeHints } from "./wake-hints.ts";

export type SqliteOptions = ThreadData;

/** The ledger in a file: the embedded default. Other processes may open the same file. */
export async function sqlite(options: SqliteOptions): Promise<Ledger> {
  const thread = await startThread(options);
  const hints = wakeHints(options.path, async () => {
    const { version } = await expecting("version", thread.ask({ what: "version" }));
    return version;
  });
  const calls = grouped(async (calls) => {
    const reply = await expecting("answers", thread.ask({ what: "calls", calls }));
    hints.tell(reply.hints);
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

async function expecting<W extends Reply["what"]>(
  what: W,
  request: Promise<Reply>,
): Promise<Extract<Reply, { what: W }>> {
  const reply = await request;
  if (reply.what !== what) {
    throw new DaybookError("bug", `The ledger's thread answered "${reply.what}", not "${what}".`);
  }
  return reply as Extract<Reply, { what: W }>;
}

interface Waiting {
  readonly call: WireCall;
  resolve(answer: never): void;
  reject(error: unknown): void;
}

/** What shares a commit at most: the answers must not hold the event loop for long. */
const callsMax = 1000;
const charsMax = 4_000_000;

export interface Group {
  perform: Perform;
  /** Takes no more calls; resolves when those that were made have their answers. */
  close(): Promise<void>;
}

/**
 * Group commit without a window: whenever the thread is idle, all that was asked goes over as one
 * message and is committed as one transaction. What is asked meanwhile waits for the next one.
 */
export function grouped(send: (calls: readonly WireCall[]) => Promise<readonly Answer[]>): Group {
  const queue: Waiting[] = [];
  let running: Promise<void> | undefined;
  let closed = false;

  const sendOne = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const answers = await send(group.map(({ call }) => call));
      group.forEach((waiting, index) => finish(waiting, answers[index]));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    await Promise.resolve(); // calls that are made in the same turn go together
    while (queue.length > 0) await sendOne(queue.splice(0, groupSize(queue)));
    running = undefined;
  };
  return {
    perform: (verb: Verb, input: unknown) =>
      new Promise<never>((resolve, reject) => {
        if (closed) throw ledgerClosed();
        queue.push({ call: packCall(verb, input), resolve, reject });
        running ??= run();
      }),
    async close() {
      closed = true;
      await running;
    },
  };
}

function groupSize(queue: readonly Waiting[]): number {
  let chars = 0;
  const first = queue.slice(0, callsMax);
  const over = first.findIndex(({ call: [, input] }) => {
    chars += typeof input === "string" ? input.length : 0;
    return chars > charsMax;
  });
  return over === -1 ? first.length : Math.max(over, 1);
}

function finish({ resolve, reject }: Waiting, reply: Answer | undefined): void {
  if (reply === undefined) reject(new DaybookError("bug", "The ledger's thread gave no answer."));
  else if ("error" in reply) reject(fromErrorData(reply.error));
  else resolve(reply.answer as never);
}

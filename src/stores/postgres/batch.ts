import { batchSize } from "../sql/batch-size.ts";

const limits = { callsMax: 500, charsMax: 4_000_000 };
/** While the server writes one full batch, the next is prepared and sent. */
const batchesMax = 2;

export type Reply<Answer> = { readonly answer: Answer } | { readonly error: unknown };

interface Waiting<Call, Answer> {
  readonly call: Call;
  readonly chars: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Group commit without a delay: whenever no batch is running, all waiting calls are sent as one. Calls made during a
 * batch wait for the next one, unless they fill a batch.
 */
export function batched<Call, Answer>(
  send: (calls: readonly Call[]) => Promise<readonly Reply<Answer>[]>,
  charsOf: (call: Call) => number,
): (call: Call) => Promise<Answer> {
  const queue: Waiting<Call, Answer>[] = [];
  let running = 0;

  const sendBatch = async (batch: readonly Waiting<Call, Answer>[]): Promise<void> => {
    try {
      const replies = await send(batch.map(({ call }) => call));
      batch.forEach(({ resolve, reject }, index) => {
        const reply = replies[index] ?? { error: new Error("A call got no answer.") };
        if ("error" in reply) reject(reply.error);
        else resolve(reply.answer);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const mayStart = (): boolean =>
    running === 0 ? queue.length > 0 : running < batchesMax && queue.length >= limits.callsMax;
  const start = (): void => {
    while (mayStart()) {
      running += 1;
      void sendBatch(queue.splice(0, batchSize(queue, limits))).then(() => {
        running -= 1;
        start();
      });
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      queue.push({ call, chars: charsOf(call), resolve, reject });
      // Calls of the same turn share a batch.
      if (queue.length === 1 || queue.length === limits.callsMax) queueMicrotask(start);
    });
}

/** Limits of one batch: it must not hold the event loop, nor the server, for long. */
const callsMax = 500;
const charsMax = 4_000_000;
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
 * Group commit without a window: whenever no batch is under way, all waiting calls go as one. Calls that come
 * meanwhile wait for the next one, unless they fill a batch.
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
    running === 0 ? queue.length > 0 : running < batchesMax && queue.length >= callsMax;
  const start = (): void => {
    while (mayStart()) {
      running += 1;
      void sendBatch(queue.splice(0, sizeOf(queue))).then(() => {
        running -= 1;
        start();
      });
    }
  };
  return (call) =>
    new Promise((resolve, reject) => {
      queue.push({ call, chars: charsOf(call), resolve, reject });
      // Calls that are made in the same turn go together.
      if (queue.length === 1 || queue.length === callsMax) queueMicrotask(start);
    });
}

function sizeOf(queue: readonly { chars: number }[]): number {
  let chars = 0;
  const first = queue.slice(0, callsMax);
  const over = first.findIndex((waiting) => (chars += waiting.chars) > charsMax);
  return over === -1 ? first.length : Math.max(over, 1);
}

import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Bus } from "../platform/event-bus.ts";
import type { Events } from "./events.ts";
import type { Work } from "./ledger.ts";
import type { Shape } from "./shape.ts";
import { isTransient, retryUntilAnswered } from "./store-retry.ts";
import type { Settle, Settled } from "./work-unit.ts";

/** Settles everything that is ready in one call, and repeats it until the store answers. */
export interface CommitBatcher<K extends Shape> {
  settle(unit: Settle<K>): Promise<Settled<K>>;
}

const batchMax = 500;
/** While the store writes one full batch, the next is sent beside it. */
const batchesMax = 2;
const triesWhenStopping = 5;

interface Waiting<K extends Shape> {
  unit: Settle<K>;
  answer(settled: Settled<K>): void;
  fail(error: unknown): void;
}

export function commitBatcher<K extends Shape>(options: {
  work: Work;
  clock: Clock;
  events: Bus<Events>;
  /** While true, a store that does not answer is given up on, and the leases lapse. */
  isStopping(): boolean;
}): CommitBatcher<K> {
  const { work, clock, events } = options;
  const waiting: Waiting<K>[] = [];
  let flushing = 0;

  const send = (units: readonly Settle<K>[]): Promise<readonly Settled<K>[]> => {
    // A unit that was written although its answer was lost is `stale` the second time: harmless.
    const settle = (): Promise<readonly Settled<K>[]> => work.settle(units);
    return retryUntilAnswered(clock, settle, (error, tries) => {
      const gaveUp = !isTransient(error) || (options.isStopping() && tries >= triesWhenStopping);
      events.emit("settle failed", { units: units.length, gaveUp, reason: messageOf(error) });
      return gaveUp;
    });
  };
  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      try {
        const answers = await send(batch.map(({ unit }) => unit));
        batch.forEach(({ answer }, index) => answer(answers[index] ?? { result: "stale" }));
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    flushing -= 1;
  };
  const mayFlush = (): boolean =>
    flushing === 0 || (flushing < batchesMax && waiting.length >= batchMax);
  return {
    settle: (unit) =>
      new Promise((answer, fail) => {
        waiting.push({ unit, answer, fail });
        if (!mayFlush()) return;
        flushing += 1;
        void Promise.resolve().then(flush);
      }),
  };
}

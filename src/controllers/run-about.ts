import { sleep, type Clock } from "../base/clock.ts";
import { hasCode } from "../base/errors.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Profile } from "../ledger/profiles.ts";
import { backoffMs, type Backoff } from "../rules/backoff.ts";
import type { Claimed, LedgerRecord } from "../rules/record.ts";
import type { RunAbout } from "../rules/run-count.ts";
import type { RunOutput } from "../rules/run-result.ts";
import { outputStream } from "../rules/task.ts";

type Task = Claimed<"task">;

interface AboutOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  concurrency: number | undefined;
}

const retry: Backoff = { firstMs: 200, factor: 2, maxMs: 5_000 };
/** Once told to stop. */
const triesWhenStopped = 8;
const othersMax = 200;
/** More than a summary shows. */
const textBytesMax = 4_000;

/** Reads what must be known at a run's end. */
export function runAbout(options: AboutOptions): {
  /** A run that is done is not made again because the store does not answer: it is asked until it does,
   * or until we stop. Nothing: then it cannot be said. */
  read(record: Task, signal: AbortSignal): Promise<RunAbout | undefined>;
  /** What attempts wrote that were cut off. */
  wrote(record: Task): Promise<RunOutput>;
} {
  const { ledger, clock, concurrency } = options;
  const look = async (record: Task): Promise<RunAbout> => {
    const { slot } = record.body;
    const reader = await options.profile(record.owner);
    if (slot === undefined) return { schedule: undefined, others: [], reader, concurrency };
    const book = ledger.of(record.owner, record.by);
    // The schedule first: if another run ends after that, its revision is not the one we know.
    const found = await book.get(slot.schedule);
    const query = { kind: "task", parent: slot.schedule, live: true, limit: othersMax } as const;
    const { records } = await book.list(query);
    const others = records.filter((other) => other.kind === "task" && other.id !== record.id);
    const isLive = found?.kind === "schedule" && found.endedAt === null;
    return {
      schedule: isLive ? found : undefined,
      others: others as readonly LedgerRecord<"task">[],
      reader,
      concurrency,
    };
  };
  return {
    async wrote({ id, owner, by }) {
      const query = { id, stream: outputStream, offset: 0, limit: textBytesMax };
      const { bytes, size } = await ledger.of(owner, by).read(query);
      const text = new TextDecoder().decode(bytes, { stream: true }); // no half character at its end
      return { bytes: size, isCut: false, isMarked: false, text };
    },
    async read(record, signal) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await look(record);
        } catch (error) {
          if (!hasCode(error, "busy", "unknown", "unavailable")) return undefined;
          if (signal.aborted && tries >= triesWhenStopped) return undefined;
          await sleep(clock, backoffMs(retry, tries, 1));
        }
      }
    },
  };
}

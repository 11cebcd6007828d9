import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Claimed } from "../../kernel/record.ts";
import { mayPass, untilAnswered } from "../../kernel/store-retry.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Profile } from "../accounts/profile-reader.ts";
import type { Numbers } from "../events/day-numbers.ts";
import { whenAbout } from "../events/task-facts.ts";
import { scheduleKind } from "../schedules/kind.ts";
import type { RunAbout } from "../schedules/run-count.ts";
import { outputStream, type TaskKind, taskKind } from "./kind.ts";
import type { RunAttempt, RunOutput } from "./result.ts";

type Task = Claimed<TaskKind>;

interface AboutOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  concurrency: number | undefined;
  /** What gives messages of tasks of handlers their names; absent: the store. */
  numbers?: Numbers;
}

/** Once told to stop. */
const triesWhenStopped = 8;
/** More than a summary shows. */
const textBytesMax = 4_000;

/** Reads what must be known at a run's end. */
export function runAbout(options: AboutOptions): {
  /** A run that is done is not made again because the store does not answer: it is asked until it does,
   * or until we stop. Nothing: then it cannot be said. */
  read(record: Task, made: RunAttempt, signal: AbortSignal): Promise<RunAbout | undefined>;
  /** What attempts wrote that were cut off. */
  wrote(record: Task): Promise<RunOutput>;
} {
  const { ledger, clock, concurrency } = options;
  const aboutWhen = whenAbout(options);
  const look = async (record: Task, made: RunAttempt): Promise<RunAbout> => {
    const { slot, event } = record.body;
    const book = ledger.of(record.owner, record.by);
    // One after the other: when one failed, the other would still be under way at a stop.
    const reader = await options.profile(record.owner);
    const when = event === undefined ? {} : await aboutWhen(record, made, reader.zone);
    if (slot === undefined) {
      return { schedule: undefined, others: [], reader, concurrency, ...when };
    }
    // The schedule before its runs: if another ends after that, its revision is not the one we know.
    const found = await book.get(slot.schedule);
    const query = { kind: taskKind, parent: slot.schedule, live: true } as const;
    const runs = await Array.fromAsync(recordsIn(book, query));
    const isLive = is(scheduleKind, found) && found.endedAt === null;
    return {
      ...when,
      schedule: isLive ? found : undefined,
      others: runs.filter(({ id }) => id !== record.id),
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
    read: (record, made, signal) =>
      untilAnswered(
        clock,
        () => look(record, made),
        (error, tries) => !mayPass(error) || (signal.aborted && tries >= triesWhenStopped),
      ).catch(() => undefined),
  };
}

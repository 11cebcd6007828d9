import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { mayPass, untilAnswered } from "../../kernel/store-retry.ts";
import type { Clock } from "../../platform/clock.ts";
import type { NoticeReader } from "../notifications/undeliverable.ts";
import { outputStream, type TaskKind } from "./kind.ts";
import type { RunAttempt, RunOutput } from "./result.ts";
import type { RunHook } from "./run-hook.ts";

type Task = Claimed<TaskKind>;

/** What is true around a run at its end. */
export interface RunFacts {
  readonly reader: NoticeReader;
  /** The most of its runner at work at once. */
  readonly concurrency: number | undefined;
  /** What each hook that applies read, in the order of the hooks. */
  readonly reads: ReadonlyMap<RunHook, unknown>;
}

interface FactsOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  concurrency: number | undefined;
  hooks: readonly RunHook[];
}

/** Once told to stop. */
const triesWhenStopped = 8;
/** More than a summary shows. */
const textBytesMax = 4_000;

/** Reads what must be known at a run's end. */
export function runFacts(options: FactsOptions): {
  /** A run that is done is not made again because the store does not answer: it is asked until it does,
   * or until we stop. Undefined: then it cannot be said. */
  read(record: Task, made: RunAttempt, signal: AbortSignal): Promise<RunFacts | undefined>;
  /** What attempts wrote that were cut off. */
  wrote(record: Task): Promise<RunOutput>;
} {
  const { ledger, clock, concurrency, hooks } = options;
  const readOnce = async (record: Task, made: RunAttempt): Promise<RunFacts> => {
    // One after the other: when one failed, the other would still be under way at a stop.
    const reader = await options.profile(record.owner);
    const reads = new Map<RunHook, unknown>();
    for (const hook of hooks) {
      if (hook.applies(record)) reads.set(hook, await hook.read(record, made, reader));
    }
    return { reader, concurrency, reads };
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
        () => readOnce(record, made),
        (error, tries) => !mayPass(error) || (signal.aborted && tries >= triesWhenStopped),
      ).catch(() => undefined),
  };
}

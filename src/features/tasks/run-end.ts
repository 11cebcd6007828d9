import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { mayPass, untilAnswered } from "../../kernel/store-retry.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DaybookError, ErrorCode } from "../../platform/errors.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { type TaskKind, outputStream } from "./kind.ts";
import type { RunAttempt, RunOutput } from "./outcome.ts";
import type { RunHook } from "./run-hook.ts";
import { afterRun } from "./verdict.ts";

type Task = Claimed<TaskKind>;

/** One attempt, and what else is true at its end. */
export interface RunSeen extends RunAttempt {
  readonly known: RunFacts;
}

/** The end of every run, of a runner here or a worker outside: the task's own verdict, then the hooks in their order. */
export function decideEnd(task: Task, seen: RunSeen, facts: Facts): Verdict<TaskKind> {
  const { known, ...attempt } = seen;
  const hooks = [...known.reads];
  const ran = hooks.reduce(
    (result, [hook]) => hook.interpret?.({ ...attempt, ran: result }, task) ?? result,
    attempt.ran,
  );
  const { reader } = known;
  return hooks.reduce(
    (verdict, [hook, read]) => hook.finish(verdict, { task, attempt, read, reader, ...facts }),
    afterRun(task, { ...attempt, ran }, { ...facts, ...known }),
  );
}

/** Another record moved on, ended or is leased: what was read of it is read again. */
const readAgain: readonly ErrorCode[] = ["stale", "ended", "leased", "not_found"];

/** The attempt when what follows from its end was refused: unless reading again helps, it has failed. */
export function afterRefusal({ known, ...attempt }: RunSeen, refused: DaybookError): RunAttempt {
  const isKnown = [...known.reads].some(([hook, read]) => hook.refused?.(refused, read) === true);
  if (isKnown || readAgain.includes(refused.code)) return attempt;
  const reason = `what follows from it could not be written: ${refused.message}`;
  return { ...attempt, ran: { result: "failed", reason, retry: false } };
}

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

import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { isTransient, retryUntilAnswered } from "../../kernel/store-retry.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import type { Clock } from "../../platform/clock.ts";
import type { DaybookError, ErrorCode } from "../../platform/errors.ts";
import type { NoticeReader } from "../notifications/index.ts";
import { type TaskKind, outputStream } from "./kind.ts";
import type { RunAttempt, RunOutput } from "./outcome.ts";
import type { RunHook } from "./run-hook.ts";
import { afterRun } from "./verdict.ts";

type Task = Claimed<TaskKind>;

/** One attempt that ended, and the facts that its verdict needs. */
export interface RunEndSeen extends RunAttempt {
  readonly facts: RunEndFacts;
}

/** The end of a run, here or on an external worker: the verdict of the task itself, then each hook in its order. */
export function decideEnd(task: Task, seen: RunEndSeen, facts: Facts): Verdict<TaskKind> {
  const { facts: end, ...attempt } = seen;
  const hooks = [...end.reads];
  const ran = hooks.reduce(
    (result, [hook]) => hook.interpret?.({ ...attempt, ran: result }, task) ?? result,
    attempt.ran,
  );
  const { reader } = end;
  return hooks.reduce(
    (verdict, [hook, read]) => hook.finish(verdict, { task, attempt, read, reader, ...facts }),
    afterRun(task, { ...attempt, ran }, { ...facts, ...end }),
  );
}

/** Another record changed, ended or is leased: the facts are read again. */
const readAgain: readonly ErrorCode[] = ["stale", "ended", "leased", "not_found"];

/** The attempt after its consequences were refused: it has failed, unless reading the facts again can help. */
export function afterRefusal({ facts, ...attempt }: RunEndSeen, refused: DaybookError): RunAttempt {
  const isExpected = [...facts.reads].some(
    ([hook, read]) => hook.refused?.(refused, read) === true,
  );
  if (isExpected || readAgain.includes(refused.code)) return attempt;
  const reason = `what follows from it could not be written: ${refused.message}`;
  return { ...attempt, ran: { result: "failed", reason, retry: false } };
}

/** The facts around the end of a run. */
export interface RunEndFacts {
  readonly reader: NoticeReader;
  /** The most runs of its runner at once. */
  readonly concurrency: number | undefined;
  /** The facts that each hook read, in the order of the hooks. */
  readonly reads: ReadonlyMap<RunHook, unknown>;
}

interface ReaderOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  concurrency: number | undefined;
  hooks: readonly RunHook[];
}

/** How often a read is tried once the node stops. */
const triesWhenStopped = 8;
/** More than a summary shows. */
const textBytesMax = 4_000;

/** Reads the facts that the end of a run needs. */
export function runEndReader(options: ReaderOptions): {
  /** Retries while the store does not answer, so that a finished run is not repeated. Undefined when the node stops first. */
  facts(record: Task, attempt: RunAttempt, signal: AbortSignal): Promise<RunEndFacts | undefined>;
  /** The output of attempts that were cut off. */
  output(record: Task): Promise<RunOutput>;
} {
  const { ledger, clock, concurrency, hooks } = options;
  const readOnce = async (record: Task, attempt: RunAttempt): Promise<RunEndFacts> => {
    // One after the other: in parallel, one could still be running when another fails and the node stops.
    const reader = await options.profile(record.owner);
    const reads = new Map<RunHook, unknown>();
    for (const hook of hooks) {
      if (hook.applies(record)) reads.set(hook, await hook.read(record, attempt, reader));
    }
    return { reader, concurrency, reads };
  };
  return {
    async output({ id, owner, by }) {
      const query = { id, stream: outputStream, offset: 0, limit: textBytesMax };
      const { bytes, size } = await ledger.of(owner, by).read(query);
      const text = new TextDecoder().decode(bytes, { stream: true }); // drops half a character at its end
      return { bytes: size, isCut: false, isMarked: false, text };
    },
    facts: (record, attempt, signal) =>
      retryUntilAnswered(
        clock,
        () => readOnce(record, attempt),
        (error, tries) => !isTransient(error) || (signal.aborted && tries >= triesWhenStopped),
      ).catch(() => undefined),
  };
}

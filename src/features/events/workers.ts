import { attemptFields } from "../../kernel/attempt.ts";
import type { Events } from "../../kernel/events.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed, AnyRecord } from "../../kernel/record.ts";
import { storeNow } from "../../kernel/store-clock.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError, messageOf } from "../../platform/errors.ts";
import type { Bus } from "../../platform/event-bus.ts";
import { loop } from "../../platform/loop.ts";
import { fraction, type Random } from "../../platform/random.ts";
import type { Service } from "../../platform/service.ts";
import { type TaskKind, taskQueue, runEndReader, decideEnd, type RunHook } from "../tasks/index.ts";
import { isAbandoned } from "./event-task.ts";
import type { Result } from "./result.ts";
import { isOfHandler, workerAttempt } from "./task-end.ts";

interface WorkerEndOptions {
  ledger: Ledger;
  clock: Clock;
  random: Random;
  profile(owner: string): Promise<Profile>;
  /** Of every feature: a task of a handler may be a slot of a schedule. */
  hooks: readonly RunHook[];
}

/** Where a worker outside leaves a task that it had; `now` is the store's, for whoever knows it. */
export type WorkerEnd = (
  task: Claimed<TaskKind>,
  said: Result | null,
  now?: number,
) => Promise<Verdict<TaskKind>>;

/** Decides on what workers outside say, as a node decides on what its runners did. */
export function workerEnd(options: WorkerEndOptions): WorkerEnd {
  const { clock, random } = options;
  const ends = runEndReader({ ...options, concurrency: undefined });
  return async (task, said, now = clock.wall()) => {
    if (!isOfHandler(task)) {
      throw new DaybookError("refused", "Only tasks of handlers are worked on from outside.");
    }
    const made = workerAttempt(task, said);
    const facts = await ends.facts(task, made, AbortSignal.abort());
    if (facts === undefined) {
      throw new DaybookError("unavailable", "The book does not answer: say it again.");
    }
    return decideEnd(task, { ...made, facts }, { now, jitter: fraction(random) });
  };
}

interface WatchOptions {
  ledger: Ledger;
  clock: Clock;
  events: Bus<Events>;
  /** Names of handlers, as they are set now. */
  handlers(): readonly string[];
  ends: WorkerEnd;
}

const lookMs = 10_000;
/** Looking through takes at most one part in so many of the time, however much waits. */
const lookShare = 20;
const pageSize = 200;

/**
 * Takes back tasks whose worker outside went away: only workers claim them, and none may ever come again. What waits
 * for its first worker is not claimed to find out; a lease that is over is settled as it stands.
 */
export function workerWatch(options: WatchOptions): Service {
  const { ledger, clock, events, handlers } = options;
  const { work } = ledger;

  const takeBack = async (task: Claimed<TaskKind>, now: number): Promise<void> => {
    const { id, revision, lease } = task;
    const verdict = await options.ends(task, null, now);
    const [answer] = await work.settle<TaskKind>([
      { id, revision, fence: lease.fence, ...verdict },
    ]);
    // Whatever else was answered, the next look sees what is true then.
    if (answer?.result !== "refused") return;
    events.emit("consequence refused", { ...attemptFields(task), reason: answer.error.message });
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    const now = await storeNow(work);
    for (const name of handlers()) {
      for await (const record of waitingIn(ledger, taskQueue(name))) {
        if (signal.aborted) return;
        if (!isAbandoned(record, now)) continue;
        await takeBack(record, now).catch((error: unknown) => {
          events.emit("act failed", { ...attemptFields(record), reason: messageOf(error) });
        });
      }
    }
  };
  return loop({
    clock,
    async pass(signal) {
      const begunAt = clock.mono();
      await look(signal);
      return Math.max(lookMs, (clock.mono() - begunAt) * lookShare);
    },
    failed(error) {
      events.emit("store failed", { doing: "look for workers", reason: messageOf(error) });
      return lookMs;
    },
  });
}

async function* waitingIn({ work }: Ledger, queue: string): AsyncGenerator<AnyRecord, void> {
  let after: string | null | undefined;
  while (after !== null) {
    const page = await work.inQueue({ queue, after, limit: pageSize });
    yield* page.records;
    after = page.next;
  }
}

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
  /** The hooks of every feature: a task of a handler may be a slot of a schedule. */
  hooks: readonly RunHook[];
}

/**
 * The verdict of a task by the result of its external worker; `wrong`: it is not valid; null: there is none. `now` is
 * the store's time.
 */
export type WorkerEnd = (
  task: Claimed<TaskKind>,
  result: Result | { readonly wrong: string } | null,
  now?: number,
) => Promise<Verdict<TaskKind>>;

/** Decides the end of an external worker's task as a node decides the end of its own. */
export function workerEnd(options: WorkerEndOptions): WorkerEnd {
  const { clock, random } = options;
  const ends = runEndReader({ ...options, concurrency: undefined });
  return async (task, result, now = clock.wall()) => {
    if (!isOfHandler(task)) {
      throw new DaybookError(
        "refused",
        "This is not a task of a handler: workers take only those.",
      );
    }
    const attempt = workerAttempt(task, result);
    const facts = await ends.facts(task, attempt, AbortSignal.abort());
    if (facts === undefined) {
      throw new DaybookError("unavailable", "The store does not answer: send the result again.");
    }
    return decideEnd(task, { ...attempt, facts }, { now, jitter: fraction(random) });
  };
}

interface WatchOptions extends Pick<WorkerEndOptions, "ledger" | "clock"> {
  events: Bus<Events>;
  /** Names of the handlers in the current settings. */
  handlers(): readonly string[];
  ends: WorkerEnd;
}

const checkMs = 10_000;
/** A check of long queues takes at most one part in this many of the time. */
const checkShare = 20;
const pageSize = 200;

/**
 * Reclaims tasks whose external worker went away: only workers claim such tasks, and none may ever come again. The
 * watch claims nothing itself, as tasks may wait for their first worker: it settles leases that have run out.
 */
export function workerWatch(options: WatchOptions): Service {
  const { ledger, clock, events, handlers } = options;
  const { work } = ledger;

  const reclaim = async (task: Claimed<TaskKind>, now: number): Promise<void> => {
    const { id, revision, lease } = task;
    const verdict = await options.ends(task, null, now);
    const [answer] = await work.settle<TaskKind>([
      { id, revision, fence: lease.fence, ...verdict },
    ]);
    // After any other answer the next check sees the new state.
    if (answer?.result !== "refused") return;
    events.emit("consequence refused", { ...attemptFields(task), reason: answer.error.message });
  };
  const check = async (signal: AbortSignal): Promise<void> => {
    const now = await storeNow(work);
    for (const name of handlers()) {
      for await (const record of waitingIn(ledger, taskQueue(name))) {
        if (signal.aborted) return;
        if (!isAbandoned(record, now)) continue;
        await reclaim(record, now).catch((error: unknown) => {
          events.emit("act failed", { ...attemptFields(record), reason: messageOf(error) });
        });
      }
    }
  };
  return loop({
    clock,
    async pass(signal) {
      const startedAt = clock.mono();
      await check(signal);
      return Math.max(checkMs, (clock.mono() - startedAt) * checkShare);
    },
    failed(error) {
      events.emit("store failed", { doing: "look for workers", reason: messageOf(error) });
      return checkMs;
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

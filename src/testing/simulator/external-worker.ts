import { plainProfile } from "../../features/accounts/profile.ts";
import { readResult, type Result } from "../../features/events/result.ts";
import { workerEnd, type WorkerEnd } from "../../features/events/workers.ts";
import { numbers } from "../../features/notifications/counter.ts";
import { attemptOf, taskQueue, type TaskKind, taskKind } from "../../features/tasks/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import { runHooks } from "../run-hooks.ts";
import { externalName } from "./event-handlers.ts";
import { drawResult, type TaskResult } from "./handler-runner.ts";

type Task = Claimed<TaskKind>;

export interface ExternalWorkerOptions {
  name: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
  started(id: string): void;
  answered(id: string, said: TaskResult | null): void;
  /** While things go wrong, it walks away now and then. */
  isRecovered(): boolean;
  busy(): boolean;
}

const leaseMs = 10_000;
const triesMax = 30;

/** A worker elsewhere: claims a task, says that it is at it, and says how it ended; or goes away. */
export async function runExternalWorker(options: ExternalWorkerOptions): Promise<void> {
  const { ledger, clock, random, name } = options;
  const hooks = runHooks({ ledger, numbers: numbers(ledger) });
  const profile = (): Promise<Profile> => Promise.resolve(plainProfile);
  const ends = workerEnd({ ledger, clock, random, profile, hooks });
  const queue = taskQueue(externalName);
  while (options.busy()) {
    const request = { kind: taskKind, queue, holder: `worker:${name}`, leaseMs, limit: 1 } as const;
    const claim = await ledger.work.claim(request).catch(() => undefined);
    const [record] = claim?.records ?? [];
    if (record !== undefined && claim !== undefined) await work(options, record, ends);
    const idleMs = options.isRecovered() ? 25_000 : 6_000;
    await sleep(clock, 500 + intBelow(random, record === undefined ? idleMs : 500));
  }
}

async function work(options: ExternalWorkerOptions, record: Task, ends: WorkerEnd): Promise<void> {
  const { ledger, clock, random, isRecovered } = options;
  const { id, lease, body } = record;
  // Whoever had it went away too often: nobody is told to do it again.
  const isOver = record.lapses > 0 && attemptOf(record) > (body.retry?.attempts ?? 1);
  if (isOver) return end(options, record, null, ends);
  options.started(id);
  for (let left = intBelow(random, 3); left > 0; left -= 1) {
    await sleep(clock, intBelow(random, 0.8 * leaseMs));
    await ledger.work.keep([{ id, fence: lease.fence, leaseMs }]).catch(() => undefined);
  }
  if (!isRecovered() && chance(random, 0.2)) return; // it goes away
  if (!isRecovered() && chance(random, 0.1)) await sleep(clock, 2 * leaseMs);
  const said = drawResult(random, id, body.answers !== undefined);
  options.answered(id, said);
  await end(options, record, readResult(said, id) ?? null, ends);
}

async function end(
  { ledger, clock, random }: ExternalWorkerOptions,
  record: Task,
  said: Result | null,
  ends: WorkerEnd,
): Promise<void> {
  let fresh = record;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const verdict = await ends(fresh, said, fresh.lease.claimedAt).catch(() => undefined);
    if (verdict !== undefined) {
      const { id, lease, revision } = fresh;
      const unit = { ...verdict, id, fence: lease.fence, revision };
      const [answer] = (await ledger.work.settle([unit]).catch(() => undefined)) ?? [];
      if (answer?.result === "settled" || answer?.result === "stale") return;
      if (answer?.result === "moved") fresh = answer.record as Task;
    }
    await sleep(clock, 100 + intBelow(random, 1_000));
  }
}

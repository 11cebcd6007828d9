import { type ChoreKind, choreKind } from "../../features/nodes/chore.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Settle } from "../../kernel/work-unit.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";

export const carelessQueue = "chore@scribe";
const leaseMs = 4_000;

interface CarelessWorker {
  name: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
}

/**
 * Works on the ledger without the runtime, and badly: it writes output and patches outcomes, sleeps
 * past its lease and writes all the same, gives back, rests, or walks away.
 */
export async function runCarelessWorker(
  worker: CarelessWorker,
  busy: () => boolean,
): Promise<void> {
  const { name, ledger, clock, random } = worker;
  const request = { kind: choreKind, queue: carelessQueue, holder: name, leaseMs, limit: 2 };
  while (busy()) {
    const claim = await ledger.work.claim(request).catch(() => undefined);
    for (const record of claim?.records ?? []) await work(worker, record);
    await sleep(clock, 1_500 + intBelow(random, 12_000));
  }
}

async function work(worker: CarelessWorker, record: Claimed<ChoreKind>): Promise<void> {
  const { clock, random, ledger } = worker;
  const { id, lease, revision } = record;
  for (let step = intBelow(random, 4); step > 0; step -= 1) {
    const act = pick(random, [write, keep]);
    await act(worker, record, step).catch(() => undefined);
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 2 * leaseMs : 500));
  }
  const { fence } = lease;
  const { claimedAt } = lease;
  const unit = pick<Settle<ChoreKind> | undefined>(random, [
    { id, fence, revision, state: "waiting", wakeAt: claimedAt + 7_000 },
    { id, fence, revision, state: "waiting", wakeAt: claimedAt, freshStart: true },
    { id, fence, unstarted: true, wakeAt: claimedAt + 3_000 },
    { id, fence, revision, unstarted: true, wakeAt: claimedAt + 5_000 },
    undefined,
  ]);
  if (unit !== undefined) await ledger.work.settle([unit]).catch(() => undefined);
}

async function write(
  { name, ledger, random }: CarelessWorker,
  record: Claimed<ChoreKind>,
): Promise<void> {
  const { id, owner, lease } = record;
  const stream = "out";
  const { size } = await ledger.of(owner, name).read({ id, stream, offset: 0, limit: 1 });
  const bytes = new Uint8Array(1 + intBelow(random, 5)).fill(intBelow(random, 256));
  const offset = chance(random, 0.9) ? size : size + 1;
  await ledger.work.write({ id, fence: lease.fence, stream, offset, bytes });
}

async function keep(
  { ledger }: CarelessWorker,
  record: Claimed<ChoreKind>,
  step: number,
): Promise<void> {
  const { fence } = record.lease;
  const note = `part ${fence}.${step}`;
  await ledger.work.keep([{ id: record.id, fence, leaseMs, outcome: { did: note }, note }]);
}

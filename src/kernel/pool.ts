import { framesOf, messageOf } from "../platform/errors.ts";
import { present } from "../platform/json.ts";
import { service, type Service } from "../platform/service.ts";
import { runAttempt, attemptFields } from "./attempt.ts";
import { commitBatcher } from "./commit-batcher.ts";
import type { Controller, LeaseHandle, RuntimePorts } from "./controller.ts";
import { laneScheduler } from "./lane-scheduler.ts";
import {
  isTrusted,
  readClocks,
  activeAttempt,
  trustFrom,
  type ClockReading,
  type ActiveAttempt,
  leaseRenewer,
  type LeaseRenewer,
} from "./lease-renewer.ts";
import type { Claimed } from "./record.ts";
import type { Shape } from "./shape.ts";
import { streamWriter } from "./stream-writer.ts";
import type { Facts } from "./verdict.ts";

/** Runs attempts: starts them, renews their leases, settles them, and gives back records that find no free slot. */
export interface Pool<K extends Shape> extends Service {
  /** How many more attempts may start. */
  freeSlots(): number;
  /** Starts the records that may start and gives the others back. Answers whether any was given back. */
  accept(records: readonly Claimed<K>[], request: ClockReading): Promise<boolean>;
  /** Lanes whose records must not be claimed now: they are being parked. */
  parking(): readonly string[];
  /** Before a stop: no attempt starts any more, and calls to a store that does not answer are abandoned. */
  beginStop(): void;
}

export interface PoolOptions {
  queue: string;
  leaseMs: number;
  concurrency: number;
  laneShare: number;
  facts(): Facts;
  /** Before this time nobody could have begun an attempt. */
  servedFrom?(): number;
  /** Called when an attempt has ended. */
  onSlotFreed(): void;
}

export function pool<K extends Shape, Seen>(
  controller: Controller<K, Seen>,
  ports: RuntimePorts,
  options: PoolOptions,
): Pool<K> {
  const { events } = ports;
  const { facts, servedFrom = () => -Infinity } = options;
  const leases = leaseRenewer({ ...ports, leaseMs: options.leaseMs });
  let stopping = false;
  const batcher = commitBatcher<K>({ ...ports, isStopping: () => stopping });
  const lanes = laneScheduler({ ...ports, ...options, batcher });
  const everyAttempt = { controller, batcher, events, facts };
  const working = new Set<Promise<void>>();

  const work = async (record: Claimed<K>, request: ClockReading): Promise<void> => {
    const run = activeAttempt(record, request, options.leaseMs);
    leases.add(run);
    let lanePauseMs: number | undefined;
    try {
      lanePauseMs = await runAttempt<K, Seen>({
        ...everyAttempt,
        record,
        handle: leaseHandle(run, leases, ports),
        servedFrom: servedFrom(),
      });
    } catch (error) {
      // Not even the failure could be settled: the lease lapses, and the record is claimed again.
      const [reason, stack] = [messageOf(error), framesOf(error)];
      events.emit("act failed", present({ ...attemptFields(record), reason, stack }));
    }
    leases.remove(run);
    lanes.leave(record, lanePauseMs);
  };
  const start = (record: Claimed<K>, request: ClockReading): void => {
    const done = work(record, request).then(() => {
      working.delete(done);
      options.onSlotFreed();
    });
    working.add(done);
  };
  const parts = service({
    async start() {
      stopping = false;
      await leases.start();
    },
    async stop() {
      stopping = true;
      leases.abortAll("stopping");
      await Promise.all(working);
      await lanes.close();
      await leases.stop();
    },
  });
  return {
    ...parts,
    beginStop() {
      stopping = true;
    },
    freeSlots: () => options.concurrency - working.size,
    parking: lanes.parking,
    async accept(records, request) {
      const rejected: Claimed<K>[] = [];
      // After a very late answer the lease may have expired, and another node may hold the record.
      const trusted = isTrusted(trustFrom(request, options.leaseMs), readClocks(ports.clock));
      for (const record of records) {
        if (trusted && !stopping && lanes.admit(record)) start(record, request);
        else rejected.push(record);
      }
      if (rejected.length > 0) await lanes.giveBack(rejected);
      return rejected.length > 0;
    },
  };
}

function leaseHandle<K extends Shape>(
  run: ActiveAttempt,
  leases: LeaseRenewer,
  ports: RuntimePorts,
): LeaseHandle<K> {
  const { clock } = ports;
  return {
    signal: run.signal,
    isTrusted: () => isTrusted(run.trustedUntil, readClocks(clock)),
    save: (outcome, note) => leases.save(run, outcome, note),
    write: streamWriter(run, { ...ports, isActive: () => leases.isActive(run) }),
  };
}

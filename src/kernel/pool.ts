import { messageOf } from "../platform/errors.ts";
import { service, type Service } from "../platform/service.ts";
import { attempt, attemptFields } from "./attempt.ts";
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

/** Runs attempts: starts them, renews their leases, settles them, and gives back records it has no room for. */
export interface Pool<K extends Shape> extends Service {
  /** How many more may start. */
  room(): number;
  /** Starts what may start and gives the rest back. Answers whether any was given back. */
  take(records: readonly Claimed<K>[], request: ClockReading): Promise<boolean>;
  /** Lanes whose records are not to be claimed now: they are being parked. */
  parking(): readonly string[];
  /** Before a stop: nothing new starts, and calls to a store that does not answer are given up. */
  beginStop(): void;
}

export interface PoolOptions {
  queue: string;
  leaseMs: number;
  concurrency: number;
  laneShare: number;
  facts(): Facts;
  /** Called when an attempt has ended and there is room for another. */
  freed(): void;
}

export function pool<K extends Shape, Seen>(
  controller: Controller<K, Seen>,
  ports: RuntimePorts,
  options: PoolOptions,
): Pool<K> {
  const { events } = ports;
  const { facts } = options;
  const leases = leaseRenewer({ ...ports, leaseMs: options.leaseMs });
  let stopping = false;
  const batcher = commitBatcher<K>({ ...ports, isStopping: () => stopping });
  const lanes = laneScheduler({ ...ports, ...options, settler: batcher });
  const working = new Set<Promise<void>>();

  const work = async (record: Claimed<K>, request: ClockReading): Promise<void> => {
    const run = activeAttempt(record, request, options.leaseMs);
    leases.keep(run);
    let restMs: number | undefined;
    try {
      restMs = await attempt<K, Seen>({
        controller,
        record,
        handle: leaseHandle(run, leases, ports),
        settler: batcher,
        events,
        facts,
      });
    } catch (error) {
      // Not even the failure could be settled: the lease lapses and another attempt is made.
      events.emit("act failed", { ...attemptFields(record), reason: messageOf(error) });
    }
    leases.forget(run);
    lanes.leave(record, restMs);
  };
  const start = (record: Claimed<K>, request: ClockReading): void => {
    const done = work(record, request).then(() => {
      working.delete(done);
      options.freed();
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
    room: () => options.concurrency - working.size,
    parking: lanes.parking,
    async take(records, request) {
      const turnedAway: Claimed<K>[] = [];
      // After a very late answer the lease may be over, and another node at work already.
      const trusted = isTrusted(trustFrom(request, options.leaseMs), readClocks(ports.clock));
      for (const record of records) {
        if (trusted && !stopping && lanes.admit(record)) start(record, request);
        else turnedAway.push(record);
      }
      if (turnedAway.length > 0) await lanes.giveBack(turnedAway);
      return turnedAway.length > 0;
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
    save: (outcome) => leases.save(run, outcome),
    write: streamWriter(run, { ...ports, isKept: () => leases.isKept(run) }),
  };
}

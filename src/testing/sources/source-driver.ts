import { type EventKind, eventKind } from "../../features/events/kind.ts";
import type { EventFilter } from "../../features/events/poll-result.ts";
import { planSources, sourceController } from "../../features/events/source-controller.ts";
import {
  type Source,
  sourceQueue,
  type SourceKind,
  sourceKind,
} from "../../features/events/source.ts";
import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { systemClock } from "../../platform/clock.ts";
import { ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { directly, memoryEngine } from "../../stores/memory/memory.ts";
import type { HandClock } from "./rig.ts";

/** Polls a source and stores its events, step by step, in a real book. */
export interface SourceDriver {
  readonly ledger: Ledger;
  /** Polls once if it is due. `dies`: crashes before the commit. Answers whether it was due. */
  poll(source: Source, ending?: "lives" | "dies"): Promise<boolean>;
  /** Waits until a poll is due, and polls until none is due at once. */
  pollAll(source: Source): Promise<void>;
  events(): Promise<readonly LedgerRecord<EventKind>[]>;
  names(): Promise<readonly string[]>;
  record(): Promise<LedgerRecord<SourceKind>>;
}

const owner = "mina";
const leaseMs = 15_000;

export function handClock(): HandClock {
  const clock: HandClock = {
    ...systemClock(),
    now: Date.UTC(2026, 1, 7, 10),
    wall: () => clock.now,
  };
  return clock;
}

interface DriverOptions extends EventFilter {
  /** Default: in memory. */
  ledger?: Ledger;
}

export async function sourceDriver(
  name: string,
  clock: HandClock,
  { ledger = inMemory(clock), ...filter }: DriverOptions = {},
): Promise<SourceDriver> {
  const book = ledger.of(owner, owner);
  await planSources(book, owner, [{ name, everyMs: 60_000 }]);
  const poll: SourceDriver["poll"] = async (source, ending = "lives") => {
    const requested = {
      kind: sourceKind,
      queue: sourceQueue(name),
      holder: "n1",
      leaseMs,
    } as const;
    const [record] = (await ledger.work.claim({ ...requested, limit: 1 })).records;
    if (record === undefined) return false;
    const controller = sourceController(source, { ...filter, clock, home: owner, quietMsMax: 0 });
    const { signal } = new AbortController();
    const save = (): Promise<void> => Promise.resolve();
    const received = await controller.act(record, {
      signal,
      isTrusted: () => true,
      save,
      write: save,
    });
    if (ending === "dies") return true;
    const verdict = controller.decide(record, received, { now: clock.now, jitter: 0.5 });
    const { id, revision, lease } = record;
    const [answer] = await ledger.work.settle([{ ...verdict, id, revision, fence: lease.fence }]);
    if (answer?.result !== "settled") throw new Error(`not settled: ${JSON.stringify(answer)}`);
    return true;
  };
  const record: SourceDriver["record"] = async () => {
    for await (const each of recordsIn(book, { kind: sourceKind, live: true })) return each;
    throw new Error("no source");
  };
  const events: SourceDriver["events"] = () =>
    Array.fromAsync(recordsIn(book, { kind: eventKind }));
  return {
    ledger,
    poll,
    record,
    events,
    names: async () => (await events()).map(({ body }) => body.name),
    async pollAll(source) {
      clock.now = Math.max(clock.now, (await record()).wakeAt ?? 0);
      for (let polls = 0; await poll(source); polls += 1) {
        if (polls > 100) throw new Error("the source polls forever");
      }
    },
  };
}

function inMemory(clock: HandClock): Ledger {
  const now = (): number => clock.now;
  return ledgerOver(directly(memoryEngine({ now, ids: ids(clock, seededRandom(1)) })));
}

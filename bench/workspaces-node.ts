import { plainProfile, readProfile } from "../src/features/accounts/profile.ts";
import type { Archives } from "../src/features/workspaces/archives.ts";
import { workspaceController } from "../src/features/workspaces/controller.ts";
import { makeWorkspace } from "../src/features/workspaces/draft.ts";
import type { Level } from "../src/features/workspaces/kind.ts";
import type { Machines } from "../src/features/workspaces/machines.ts";
import { desiredOf } from "../src/features/workspaces/plan.ts";
import type { Events } from "../src/kernel/events.ts";
import type { Ledger } from "../src/kernel/ledger.ts";
import { runController } from "../src/kernel/runtime.ts";
import { cached } from "../src/platform/cached.ts";
import { systemClock } from "../src/platform/clock.ts";
import { bus } from "../src/platform/event-bus.ts";
import { ids } from "../src/platform/ids.ts";
import { systemRandom } from "../src/platform/random.ts";

const limits = { perOwner: 1_000, inAll: 1_000 };

interface Kept {
  ledger: Ledger;
  machines: Machines;
  archives: Archives;
}

interface KeeperOptions extends Kept {
  /** How long a workspace that is as it should be is left alone. */
  pollMs(): number;
  /** It was looked at, and is as it should be. */
  converged(id: string): void;
}

/** What a node has for workspaces, and nothing else of it. Stops when told. */
async function startKeeper(options: KeeperOptions): Promise<() => Promise<void>> {
  const { ledger, machines, archives } = options;
  const clock = systemClock();
  const events = bus<Events>();
  events.listen((event, facts) => {
    if (event === "act failed" || event === "settle failed") console.error(event, facts);
  });
  const random = systemRandom();
  const keeps = workspaceController({
    ledger,
    clock,
    machines,
    archives,
    profile: cached(clock, 1_000, (owner: string) =>
      readProfile(ledger, owner, () => plainProfile),
    ),
    newOpId: ids(clock, random),
    operationsAtOnce: 10,
    settings: () => ({ limits, pollMs: options.pollMs(), administrator: null }),
  });
  const controller: typeof keeps = {
    ...keeps,
    decide(record, seen, facts) {
      const verdict = keeps.decide(record, seen, facts);
      const state = "state" in verdict ? verdict.state : record.state;
      if (state === desiredOf(record.body, record.outcome).toLowerCase())
        options.converged(record.id);
      return verdict;
    },
  };
  const ports = { work: ledger.work, clock, random, events };
  const service = runController(controller, ports, { holder: "bench", concurrency: 500 });
  await service.start();
  return () => service.stop();
}

/** Looks after all of them until each was seen to be as it should be. */
export async function untilAll(parts: Kept, count: number): Promise<void> {
  const seen = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = await startKeeper({
    ...parts,
    pollMs: () => 3_600_000,
    converged(id) {
      seen.add(id);
      if (seen.size === count) resolve();
    },
  });
  await promise;
  await stop();
}

const appendsAtOnce = 100;

/** Asks for so many workspaces at a level. */
export async function askFor(
  ledger: Ledger,
  {
    place,
    count,
    desired,
    imageRef,
  }: { place: string; count: number; desired: Level; imageRef: string },
): Promise<void> {
  const book = ledger.of("ann", "ann");
  const draft = (name: string): ReturnType<typeof makeWorkspace> =>
    makeWorkspace(
      {
        owner: "ann",
        name,
        imageRef,
        machine: { memoryMb: 64, cpus: 0.5, pids: 64 },
        desired,
        standbyTtlSeconds: 86_400,
        archiveTtlSeconds: 86_400,
        wakeAheadSeconds: 120,
        target: "inbox:ann",
        origin: null,
      },
      place,
      { now: Date.now(), limits },
    );
  for (let from = 0; from < count; from += appendsAtOnce) {
    const size = Math.min(appendsAtOnce, count - from);
    await Promise.all(
      Array.from({ length: size }, (_, index) => book.append(draft(`ws-${from + index}`))),
    );
  }
}

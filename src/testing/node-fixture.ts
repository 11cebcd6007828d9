import { ledgerOver } from "../kernel/checked-ledger.ts";
import type { RuntimePorts } from "../kernel/controller.ts";
import type { Events } from "../kernel/events.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { RuntimeOptions } from "../kernel/runtime.ts";
import type { Verb } from "../kernel/verbs.ts";
import { bus } from "../platform/event-bus.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { directly, memoryEngine } from "../stores/memory/memory.ts";
import { kernel, type Kernel } from "./simulator/kernel.ts";
import { virtualClock, type VirtualClock } from "./simulator/virtual-clock.ts";

/** One node in virtual time over the memory store, without failures that the test does not inject. */
export interface NodeFixture {
  readonly kernel: Kernel;
  readonly clock: VirtualClock;
  readonly ledger: Ledger;
  readonly ports: RuntimePorts;
  readonly options: RuntimeOptions;
  /** Every call that reached the store. */
  readonly calls: { verb: Verb; input: unknown; at: number }[];
  readonly heard: { [Name in keyof Events]: { name: Name; facts: Events[Name] } }[keyof Events][];
  /** Runs before each call; an error it throws is the result of the call. */
  fault: (verb: Verb) => void;
  /** Advances virtual time and runs everything that falls due. */
  pass(ms: number): Promise<void>;
}

export function nodeFixture(): NodeFixture {
  const time = kernel(1, false);
  const clock = virtualClock(time);
  const random = seededRandom(1);
  const engine = memoryEngine({ now: time.now, ids: ids({ wall: time.now }, random) });
  const store = directly(engine);
  const events = bus<Events>();
  const ledger = ledgerOver({
    ...store,
    async perform(verb, input) {
      fixture.calls.push({ verb, input, at: time.now() });
      fixture.fault(verb);
      return store.perform(verb, input);
    },
  });
  const fixture: NodeFixture = {
    kernel: time,
    clock,
    ledger,
    ports: { work: ledger.work, clock, random, events },
    // No hint is lost here, and each poll is one more step of virtual time.
    options: { holder: "n1", leaseMs: 8_000, pollMs: 30_000 },
    calls: [],
    heard: [],
    fault: () => undefined,
    pass: (ms) => time.runUntil(time.now() + ms),
  };
  events.listen((name, facts) =>
    fixture.heard.push({ name, facts } as NodeFixture["heard"][number]),
  );
  return fixture;
}

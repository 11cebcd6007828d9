import { node, type Ground, type Node } from "../assembly/compose.ts";
import { self, simulates } from "../assembly/desk.ts";
import { whenDesk } from "../assembly/when-desk.ts";
import { ids } from "../base/ids.ts";
import { log } from "../base/log.ts";
import { seededRandom } from "../base/random.ts";
import { virtualTime, type VirtualTime } from "../base/virtual-time.ts";
import { functionHandlers } from "../config/function-handlers.ts";
import type { RouterSettings } from "../controllers/router.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { directly, memoryEngine } from "../ledger/memory/memory.ts";
import { plainProfile } from "../ledger/profiles.ts";
import { ledgerOver } from "../ledger/verbs.ts";
import type { Desk } from "../operations/ask.ts";
import { parseTime } from "../rules/times.ts";
import { functionRunner, type TaskDefinition } from "../runners/function.ts";
import type { Runner } from "../runners/runner.ts";
import { hear, outboxOf, recording, type Outbox, type Said, type Say } from "./outbox.ts";
import { patience, type Patience } from "./patience.ts";
import type { TestOptions } from "./rehearsal.ts";

interface Room {
  readonly desk: Desk;
  readonly ground: Ground;
  readonly outbox: readonly Said[];
  advance(ms: number): Promise<void>;
  crash(): Promise<void>;
  /** Hears what comes to an owner's inbox. */
  listen(owner: string): void;
}

const leaseMs = 15_000;
/** In one process no hint is lost, and each look is one more step of virtual time. */
const pollMs = 10 * 60_000;
const keepMs = 90 * 86_400_000;

/** Without a `now` every test begins here: 2027-01-15T08:00:00Z. */
const startOfTime = 1_800_000_000_000;

/** One run of a node, until it dies. */
interface Life {
  readonly node: Node;
  die(): void;
}

/** One node over a store in memory, in virtual time. */
export async function testRoom(options: TestOptions): Promise<Room> {
  const zone = options.timezone ?? zoneIn(options.now) ?? "UTC";
  const time = virtualTime(startAt(options.now, zone));
  const waits = patience(() => time.runUntil(time.now()), options.patienceMs);
  const outbox = outboxOf(time.now);
  const owners = new Set([self.owner]);
  const parts: Parts = {
    options,
    zone,
    time,
    waits,
    outbox,
    store: sharedStore(time),
    lives: 0,
  };
  let living = await begin(parts, owners);
  return {
    desk: deskOf(parts),
    ground: groundOf(time, () => true, 0),
    outbox: outbox.said,
    advance: (ms) => pass(time, waits, time.now() + ms),
    async crash() {
      living.die();
      waits.forget();
      living = await begin(parts, owners);
    },
    listen(owner) {
      if (owners.has(owner)) return;
      owners.add(owner);
      hear(living.node, owner, outbox.say);
    },
  };
}

/** Goes on until then, and waits for what is under way outside of this time. */
async function pass(time: VirtualTime, waits: Patience, until: number): Promise<void> {
  do {
    await waits.settled();
    await time.runUntil(until, waits.isBusy);
  } while (waits.isBusy());
}

interface Parts {
  options: TestOptions;
  zone: string;
  time: VirtualTime;
  waits: Patience;
  outbox: Outbox;
  store: SharedStore;
  /** How many there were. */
  lives: number;
}

async function begin(parts: Parts, owners: ReadonlySet<string>): Promise<Life> {
  let isAlive = true;
  parts.lives += 1;
  const running = nodeOf(parts, () => isAlive);
  for (const owner of owners) hear(running, owner, parts.outbox.say);
  await running.start();
  return { node: running, die: () => (isAlive = false) };
}

function nodeOf(
  { options, zone, time, waits, outbox, store, lives }: Parts,
  isAlive: () => boolean,
): Node {
  const { tasks = [], channels = [], language = "en", onError } = options;
  const say: Say = (target, message) => {
    if (isAlive()) outbox.say(target, message);
  };
  return node(store.seenBy(isAlive), groundOf(time, isAlive, lives), {
    leaseMs,
    pollMs,
    channels: channels.map((each) => recording(each, say, waits)),
    runners: tasks.map((task) => waited(functionRunner(task, { now: time.now }), waits)),
    keepMs: () => keepMs,
    when: { settings: () => whenSet(tasks) },
    defaults: () => ({ ...plainProfile, zone, language }),
    ...(onError && { onError }),
  });
}

function waited(runner: Runner, waits: Patience): Runner {
  return { ...runner, run: (job, desk) => waits.on(runner.run(job, desk)) };
}

interface SharedStore {
  /** As the test reaches it. */
  readonly ledger: Ledger;
  /** As a node reaches it: a dead one hears nothing any more, and writes nothing. */
  seenBy(isAlive: () => boolean): Ledger;
}

function sharedStore({ now }: VirtualTime): SharedStore {
  const engine = memoryEngine({ now, ids: ids({ wall: now }, seededRandom(1)) });
  const { perform, onHint } = directly(engine);
  const seenBy = (isAlive: () => boolean): Ledger =>
    ledgerOver({
      perform: (verb, input) =>
        isAlive() ? perform(verb, input) : new Promise<never>(() => undefined),
      onHint: (queue, hint) => onHint(queue, () => void (isAlive() && hint())),
      close: () => Promise.resolve(),
    });
  return { ledger: seenBy(() => true), seenBy };
}

/** Timers of whoever is dead do nothing. */
function groundOf({ clock: shared }: VirtualTime, isAlive: () => boolean, seed: number): Ground {
  const after: typeof shared.after = (ms, run) => shared.after(ms, () => void (isAlive() && run()));
  const clock = { ...shared, after };
  const write = (): void => undefined;
  return {
    clock,
    random: seededRandom(2 + seed),
    log: log({ write, clock, level: "error", format: "json", color: false }),
  };
}

/** Functions that subscribe handle events. */
function whenSet(tasks: readonly TaskDefinition[]): RouterSettings {
  return { handlers: functionHandlers(tasks), health: "green", speaksTo: null, places: null };
}

function deskOf({ options, zone, time, store }: Parts): Desk {
  const { tasks = [], channels = [], language = "en" } = options;
  const defaults: Desk["defaults"] = () => ({ ...plainProfile, zone, language });
  const names = channels.map((each) => (typeof each === "string" ? each : each.name));
  const random = seededRandom(0);
  const { ledger } = store;
  const ground = { clock: time.clock, random };
  const settings = (): RouterSettings => whenSet(tasks);
  return {
    ledger,
    when: whenDesk({ ledger, ground, defaults, home: self.owner, settings }),
    defaults,
    channels: [...names, "inbox", "session"],
    runners: { tasks },
    now: time.now,
    simulate: simulates(store.ledger),
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
  };
}

function zoneIn(now: TestOptions["now"]): string | undefined {
  return typeof now === "string" ? /\[([^\]]+)\]$/.exec(now)?.[1] : undefined;
}

function startAt(now: TestOptions["now"], zone: string): number {
  if (now === undefined) return startOfTime;
  return typeof now === "string" ? parseTime(now, { now: startOfTime, zone }).at : Number(now);
}

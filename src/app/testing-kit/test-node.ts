import { routesEvents } from "../../features/events/index.ts";
import {
  addressReaders,
  addressReadersOf,
  nodeListeners,
  channelNames,
  nodeChannels,
} from "../../features/notifications/index.ts";
import { applyDeclared } from "../../features/schedules/index.ts";
import {
  functionRunner,
  localRunners,
  nodeRunners,
  type Runner,
} from "../../features/tasks/index.ts";
import type { Host, Node } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { provide, type Provision } from "../../kernel/port.ts";
import { log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { seededRandom } from "../../platform/random.ts";
import { virtualTime, type VirtualTime } from "../../platform/virtual-time.ts";
import { parseTime } from "../../time/times.ts";
import { node } from "../compose.ts";
import type { Config } from "../config/config.ts";
import { configFrom } from "../config/load.ts";
import { hostFor } from "../host.ts";
import { localCaller } from "../local-caller.ts";
import type { TestOptions } from "./options.ts";
import {
  recordInbox,
  outboxOf,
  recording,
  type Outbox,
  type Said,
  type RecordMessage,
} from "./outbox.ts";
import { pendingWork, type PendingWork } from "./pending-work.ts";
import { sharedStore, type SharedStore } from "./shared-store.ts";

interface TestNode {
  readonly host: Host;
  readonly outbox: readonly Said[];
  advance(ms: number): Promise<void>;
  crash(): Promise<void>;
  /** Records the messages of an owner's inbox. */
  listen(owner: string): void;
}

const leaseMs = 15_000;
/** In one process no hint is lost, and each poll is one more step of virtual time. */
const pollMs = 10 * 60_000;

/** The default start of a test: 2027-01-15T08:00:00Z. */
const defaultStart = 1_800_000_000_000;

/** A node until it dies. */
interface MortalNode {
  readonly node: Node;
  kill(): void;
}

/** One node over a store in memory, in virtual time. */
export async function testNode(options: TestOptions): Promise<TestNode> {
  const zone = options.timezone ?? zoneIn(options.now) ?? "UTC";
  const time = virtualTime(startAt(options.now, zone));
  const work = pendingWork(() => time.runUntil(time.now()), options.patienceMs);
  const outbox = outboxOf(time.now);
  const owners = new Set([localCaller.owner]);
  const parts: Parts = {
    options,
    config: configOf(options, zone),
    time,
    work,
    outbox,
    store: sharedStore(time),
    nodes: 0,
  };
  const host = hostIn(parts, {
    ledger: parts.store.ledger,
    platform: platformOf(time, () => true, 0),
  });
  let living = await startNode(parts, host, owners);
  return {
    host,
    outbox: outbox.sent,
    advance: (ms) => pass(time, work, time.now() + ms),
    async crash() {
      living.kill();
      work.forget();
      living = await startNode(parts, host, owners);
    },
    listen(owner) {
      if (owners.has(owner)) return;
      owners.add(owner);
      recordInbox(living.node.use(nodeListeners), owner, outbox.record);
    },
  };
}

/** Goes on until then, and work for what is under way outside of this time. */
async function pass(time: VirtualTime, work: PendingWork, until: number): Promise<void> {
  do {
    await work.settled();
    await time.runUntil(until, work.isBusy);
  } while (work.isBusy());
}

interface Parts {
  options: TestOptions;
  config: Config;
  time: VirtualTime;
  work: PendingWork;
  outbox: Outbox;
  store: SharedStore;
  /** How many nodes the test had. */
  nodes: number;
}

/** The settings that `open` would have. */
function configOf(options: TestOptions, timezone: string): Config {
  const { tasks, language = "en", owners, schedules, handlers, curves } = options;
  const given = { tasks, language, owners, schedules, handlers, curves };
  return configFrom({ store: "memory:", timezone, ...given });
}

async function startNode(
  parts: Parts,
  host: Host,
  owners: ReadonlySet<string>,
): Promise<MortalNode> {
  let isAlive = true;
  parts.nodes += 1;
  const running = nodeIn(parts, () => isAlive);
  for (const owner of owners) recordInbox(running.use(nodeListeners), owner, parts.outbox.record);
  const { schedules, handlers } = parts.options;
  if ((schedules ?? handlers) !== undefined) await applyDeclared(host, false);
  await running.start();
  return { node: running, kill: () => (isAlive = false) };
}

function nodeIn(parts: Parts, isAlive: () => boolean): Node {
  const { options, time, work, outbox, store, nodes } = parts;
  const { tasks = [], channels = [] } = options;
  const record: RecordMessage = (target, message) => {
    if (isAlive()) outbox.record(target, message);
  };
  const host = hostIn(
    parts,
    { ledger: store.ledgerFor(isAlive), platform: platformOf(time, isAlive, nodes) },
    [
      provide(nodeChannels, () => channels.map((each) => recording(each, record, work))),
      provide(nodeRunners, () =>
        tasks.map((task) => waited(functionRunner(task, { now: time.now }), work)),
      ),
      provide(routesEvents, () => true),
    ],
  );
  return node(host, { leaseMs, pollMs });
}

function waited(runner: Runner, work: PendingWork): Runner {
  return { ...runner, run: (job, context) => work.on(runner.run(job, context)) };
}

/** The timers of a dead node do nothing. */
function platformOf(
  { clock: shared }: VirtualTime,
  isAlive: () => boolean,
  seed: number,
): PlatformPorts {
  const after: typeof shared.after = (ms, run) => shared.after(ms, () => void (isAlive() && run()));
  const clock = { ...shared, after };
  const write = (): void => undefined;
  return {
    clock,
    random: seededRandom(2 + seed),
    log: log({ write, clock, level: "error", format: "json", color: false }),
  };
}

function hostIn(
  { options, config }: Parts,
  below: { ledger: Ledger; platform: PlatformPorts },
  provisions: readonly Provision[] = [],
): Host {
  const { tasks = [], channels = [], basePath = "", onError } = options;
  const own = channels.filter((each) => typeof each !== "string");
  const names = channels.map((each) => (typeof each === "string" ? each : each.name));
  const random = seededRandom(0);
  return hostFor({
    ...below,
    current: () => config,
    // The load of the test machine does not matter.
    rules: () => ({ handlers: config.handlers, defaultTarget: null, capacity: null }),
    source: "code",
    onError,
    baseUrl: () => basePath,
    randomBytes: (count) => Uint8Array.from({ length: count }, () => random.bits() & 0xff),
    provisions: [
      provide(channelNames, () => [...names, "inbox", "session"]),
      provide(addressReaders, () => addressReadersOf(own)),
      provide(localRunners, () => ({ tasks })),
      ...provisions,
    ],
  });
}

function zoneIn(now: TestOptions["now"]): string | undefined {
  return typeof now === "string" ? /\[([^\]]+)\]$/.exec(now)?.[1] : undefined;
}

function startAt(now: TestOptions["now"], zone: string): number {
  if (now === undefined) return defaultStart;
  return typeof now === "string" ? parseTime(now, { now: defaultStart, zone }).at : Number(now);
}

import { hostname } from "node:os";
import type { Clock } from "./base/clock.ts";
import { bus, type Bus } from "./base/events.ts";
import type { Log } from "./base/log.ts";
import type { Random } from "./base/random.ts";
import { group, service, type Service } from "./base/service.ts";
import type { Channel } from "./channels/channel.ts";
import { sessions } from "./channels/session.ts";
import { chores, forgetOld, planChores } from "./controllers/chores.ts";
import { deliverer } from "./controllers/deliverer.ts";
import { downtime } from "./controllers/downtime.ts";
import { heartbeat } from "./controllers/heartbeat.ts";
import { metrics } from "./controllers/metrics.ts";
import { nodes } from "./controllers/nodes.ts";
import { runController, type RuntimeOptions, type RuntimePorts } from "./controllers/runtime.ts";
import { sessionLanes, type Attaching } from "./controllers/sessions.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { profileReader, type Profile } from "./ledger/profiles.ts";
import { levelOf, type Events } from "./rules/events.ts";
import { socketQueue } from "./rules/notification.ts";
import { version } from "./version.ts";

/** What the whole stands on. */
export interface Ground {
  clock: Clock;
  random: Random;
  log: Log;
}

export interface NodeOptions {
  leaseMs: number;
  channels: readonly Channel[];
  /** How long records that ended are kept. */
  keepMs: number;
  /** The installation's settings for an owner. */
  defaults(owner: string): Profile;
  heartbeat?: { everyMs: number; ping(): Promise<void> };
  onError?: OnError;
}

/** Hears of what went wrong, by the name of the event. */
export type OnError = (what: string, facts: object) => void;

export interface Node extends Service {
  /** Listeners to inboxes and sessions; heard from when the node runs. */
  readonly attaching: Attaching;
  /** What was counted so far, as Prometheus reads it. */
  metrics(): Promise<string>;
}

/** After this long without a sign a node is lost. */
const silenceMs = 30_000;
/** What one listener is told at once. */
const shownAtOnce = 16;

/** One node: every controller, over a ledger that is open already. */
export function node(ledger: Ledger, ground: Ground, options: NodeOptions): Node {
  const name = `${hostname()}-${process.pid}-${ground.random.bits().toString(36)}`;
  const events = heard(ground.log, options.onError);
  const ports: RuntimePorts = { ...ground, work: ledger.work, events };
  const runtime: RuntimeOptions = { holder: name, leaseMs: options.leaseMs };
  const self = { name, version, host: hostname(), pid: process.pid };
  const known = [forgetOld(ledger, options.keepMs)];
  const plan = service({ start: () => planChores(ledger, known), stop: () => Promise.resolve() });
  const profile = profileReader(ledger, options.defaults, ground.clock);
  const gap = downtime({ ...ports, ledger, silenceMs, profile });
  const saying = { ...ground, ledger, profile, saw: gap.saw };
  const listeners = sessions(() => ground.clock.wall());
  const toSockets = {
    ...deliverer({ ...saying, channels: listeners.channels }),
    queue: socketQueue,
  };
  const attaching = sessionLanes(listeners.sockets, (lane) =>
    runController(toSockets, ports, { ...runtime, lane, concurrency: shownAtOnce }),
  );
  const running = group([
    plan,
    gap, // before this node writes that it is there
    nodes(ledger, ports, { ...runtime, self, silenceMs }),
    runController(chores(known), ports, { ...runtime, concurrency: 4 }),
    runController(deliverer({ ...saying, channels: options.channels }), ports, runtime),
    service({ start: () => Promise.resolve(), stop: () => attaching.stop() }),
    ...(options.heartbeat ? [heartbeat({ ...ports, ...options.heartbeat })] : []),
  ]);
  return { ...running, attaching, metrics: metrics(events, ledger.work) };
}

/** A bus whose first listener writes the log. */
function heard(log: Log, onError: OnError | undefined): Bus<Events> {
  const events = bus<Events>();
  events.listen((name, facts) => {
    const level = levelOf(name);
    log[level](name, { ...facts });
    if (level === "warn" || level === "error") onError?.(name, facts);
  });
  return events;
}

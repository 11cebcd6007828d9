import { hostname } from "node:os";
import { profileReader, readProfile } from "../features/accounts/index.ts";
import { nagController, nagsAtOnce } from "../features/nags/index.ts";
import {
  chores,
  forgetOld,
  planChores,
  nodeController,
  heartbeat,
  type Beat,
  metrics,
  pauseReader,
  heldBack,
} from "../features/nodes/index.ts";
import {
  type Channel,
  deliverer,
  numbers,
  downtime,
  expirer,
  socketQueue,
  sessions,
  sessionLanes,
  type Attaching,
  inboxOf,
  pointer,
  unreadQueue,
} from "../features/notifications/index.ts";
import { scheduler } from "../features/schedules/index.ts";
import { taskController, type Runner } from "../features/tasks/index.ts";
import type { RuntimePorts } from "../kernel/controller.ts";
import { levelOf, type Events } from "../kernel/events.ts";
import type { Ledger } from "../kernel/ledger.ts";
import type { Profile } from "../kernel/profile.ts";
import { runController, type RuntimeOptions } from "../kernel/runtime.ts";
import { bus, type Bus } from "../platform/event-bus.ts";
import type { Log } from "../platform/log.ts";
import type { PlatformPorts } from "../platform/ports.ts";
import { group, service, type Service } from "../platform/service.ts";
import { version } from "../platform/version.ts";
import { handling, type Run, type WhenHere } from "./handling.ts";
import { keeping, type AlwaysHere } from "./keeping.ts";

export interface NodeOptions {
  leaseMs: number;
  /** The net under lost hints; absent: as often as each controller says. */
  pollMs?: number;
  channels: readonly Channel[];
  /** What this node runs, by name: tasks of other names wait for a node that has them. */
  runners?: readonly Runner[];
  /** Absent: events wait for a node that knows who handles them. */
  when?: WhenHere;
  /** Absent: workspaces wait for a node that reaches where they live. */
  always?: AlwaysHere;
  /** Removes what lies beside the records from before a time; answers how much. */
  sweep?(before: number): Promise<number>;
  /** How long records that ended are kept. */
  keepMs(): number;
  /** The installation's settings for an owner. */
  defaults(owner: string): Profile;
  /** Whom to tell that this node is well, as it is set now. */
  beat?(): Beat | undefined;
  /** Points at what arrives in these owners' inboxes. */
  popUps?: { owners: readonly string[]; channel: Channel };
  onError?: OnError;
}

/** Hears of what went wrong, by the name of the event. */
export type OnError = (what: string, facts: object) => void;

export interface Node extends Service {
  /** Listeners to inboxes and sessions; heard from when the node runs. */
  readonly attaching: Attaching;
  /** What was counted so far, as Prometheus reads it. */
  metrics(): Promise<string>;
  /** What is set has changed: what waits for it looks again. */
  reread(): void;
}

/** After this long without a sign a node is lost. */
const silenceMs = 30_000;
/** Listeners may be many, and whoever writes for one hints. */
const lanePollMs = 30_000;
/** What one listener is told at once. */
const shownAtOnce = 16;
/** Runs of one name on one node. */
const runsAtOnce = 64;

/** One node: every controller, over a ledger that is open already. */
export function node(ledger: Ledger, platform: PlatformPorts, options: NodeOptions): Node {
  const name = `${hostname()}-${process.pid}-${platform.random.bits().toString(36)}`;
  const events = heard(platform.log, options.onError);
  const work = heldBack(ledger.work, pauseReader(ledger, platform.clock), platform.clock);
  const ports: RuntimePorts = { ...platform, work, events };
  const { leaseMs, pollMs } = options;
  const runtime: RuntimeOptions = { holder: name, leaseMs, ...(pollMs && { pollMs }) };
  const self = { name, version, host: hostname(), pid: process.pid };
  const profileNow = (owner: string): Promise<Profile> =>
    readProfile(ledger, owner, options.defaults);
  const profile = profileReader(profileNow, platform.clock);
  const gap = downtime({ ...ports, ledger, silenceMs, profile });
  const saying = { ...platform, ledger, profile, saw: gap.saw };
  const listeners = sessions(() => platform.clock.wall());
  const says = (to: readonly Channel[]): Says => deliverer({ ...saying, channels: to });
  const { attaching, pointing } = listening(
    { listeners, says, popUps: options.popUps },
    (controller, queue, lane) =>
      runController({ ...controller, queue }, ports, {
        pollMs: lanePollMs,
        ...runtime,
        lane,
        concurrency: shownAtOnce,
      }),
  );
  const numbered = numbers(ledger);
  const run: Run = (controller, concurrency) =>
    runController(controller, ports, { ...runtime, ...(concurrency && { concurrency }) });
  const about = { ...platform, ledger, profile, numbers: numbered };
  const handled = handling({ ...about, events, run }, options.when, options.sweep);
  const kept = keeping({ ...about, run }, options.always);
  const known = [forgetOld(ledger, options.keepMs), ...handled.chores, ...kept.chores];
  const { hooks } = handled;
  const working = { ...about, hooks, ...(kept.workspaces && { workspaces: kept.workspaces }) };
  const plan = service({ start: () => planChores(ledger, known), stop: () => Promise.resolve() });
  const beating = heartbeat({ ...ports, beat: () => options.beat?.() });
  const running = group([
    plan,
    gap, // before this node writes that it is there
    handled.health,
    nodeController(ledger, ports, { ...runtime, self, silenceMs }),
    run(chores(known), 4),
    // What runs out while it waits for a listener comes here too.
    run(says([...options.channels, ...listeners.channels])),
    run(expirer(ledger)),
    run(scheduler(about)),
    run(nagController({ ledger, profile, profileNow }), nagsAtOnce),
    ...(options.runners ?? []).map((runner) =>
      run(taskController(runner, working), Math.min(runner.concurrency ?? runsAtOnce, runsAtOnce)),
    ),
    ...handled.services,
    ...kept.services,
    ...pointing,
    service({ start: () => Promise.resolve(), stop: () => attaching.stop() }),
    beating,
  ]);
  return {
    ...running,
    attaching,
    metrics: metrics(events, ledger.work),
    reread() {
      beating.wake();
      handled.reread();
    },
  };
}

type Says = ReturnType<typeof deliverer>;

interface Heard {
  listeners: ReturnType<typeof sessions>;
  says(channels: readonly Channel[]): Says;
  popUps: NodeOptions["popUps"];
}

/** What is said to listeners, and what points at it before. */
function listening(
  { listeners, says, popUps }: Heard,
  run: (controller: Says, queue: string, lane: string) => Service,
): { attaching: Attaching; pointing: readonly Service[] } {
  const pointed = popUps?.owners.map((owner) => inboxOf(owner)) ?? [];
  const points = pointer(says(popUps === undefined ? [] : [popUps.channel]));
  const shows = says(listeners.channels);
  const attaching = sessionLanes(listeners.sockets, (lane) => {
    // What this node points at comes to the unread by that.
    const queues = pointed.includes(lane) ? [unreadQueue] : [socketQueue, unreadQueue];
    return group(queues.map((queue) => run(shows, queue, lane)));
  });
  return { attaching, pointing: pointed.map((lane) => run(points, socketQueue, lane)) };
}

/** A bus whose first listener writes the log. */
export function heard(log: Log, onError: OnError | undefined): Bus<Events> {
  const events = bus<Events>();
  events.listen((name, facts) => {
    const level = levelOf(name);
    log[level](name, { ...facts });
    if (level === "warn" || level === "error") onError?.(name, facts);
  });
  return events;
}

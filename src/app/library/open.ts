import { type HandlersOption, routesEvents } from "../../features/events/index.ts";
import type { CurvesOption } from "../../features/nags/index.ts";
import { type Channel, channelNames, nodeChannels } from "../../features/notifications/index.ts";
import { applyDeclared, type SchedulesOption } from "../../features/schedules/index.ts";
import {
  functionRunner,
  type TaskDefinition,
  localRunners,
  nodeRunners,
} from "../../features/tasks/index.ts";
import { type WorkspaceOptions, workspaceBackend } from "../../features/workspaces/index.ts";
import type { Host, Node } from "../../kernel/host.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Caller } from "../../kernel/operation.ts";
import { provide } from "../../kernel/port.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Language } from "../../platform/language.ts";
import { log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { systemRandom } from "../../platform/random.ts";
import { group, type Service } from "../../platform/service.ts";
import { quote } from "../../platform/text.ts";
import { node } from "../compose.ts";
import type { Config } from "../config/config.ts";
import { configFrom } from "../config/load.ts";
import type { Settings } from "../config/schema.ts";
import type { Reference } from "../config/secrets.ts";
import { hostFace, type HostFace, type HostOptions } from "../embed.ts";
import { hostFor, type OnError } from "../host.ts";
import { localCaller } from "../local-caller.ts";
import { backupStore, openLedger } from "../stores.ts";
import { workspaceBackendFrom, workspaceRunnerFrom } from "../workspace-backend.ts";
import { methodsFor, type Methods } from "./methods.ts";
import { awaitRunWith, runsFor, type Runs } from "./runs.ts";
import { insideOf, withinStore, type Inside, type Transaction } from "./transaction.ts";

export interface OpenOptions extends HostOptions, WorkspaceOptions {
  /** `sqlite:PATH`, `file:FOLDER`, `postgres://…` or `memory:`; or where that is written. */
  store: string | Reference;
  /** How things are said, by the part of a target before the colon. */
  channels?: readonly Channel[];
  /** How times are read and shown, such as `Asia/Seoul`; the machine's when absent. */
  timezone?: string;
  language?: Language;
  /** How long a process that died keeps its work from the others. */
  leaseSeconds?: number;
  /** Records that ended are forgotten after this many days. */
  keepDays?: number;
  /** What is set for people, by name, until they set it themselves. */
  owners?: Settings["owners"];
  /** Schedules that are made, changed and taken away as this says, by name, when it starts. */
  schedules?: SchedulesOption;
  /**
   * Who has something to do for events, by name. Here functions run, by their names in `tasks`; a task may also
   * subscribe by itself.
   */
  handlers?: HandlersOption;
  /** How far apart things are said until they are done, by name, beside those that are built in. */
  curves?: CurvesOption;
  /** Functions that can be run by name, and are run by this process once it is started. */
  tasks?: readonly TaskDefinition[];
  /** False: this process only asks, and others do; `start` is refused. */
  controllers?: boolean;
  /** Hears of what goes wrong: a store that fails, an act that breaks, a lease that is lost. */
  onError?: OnError;
  /** Gets log lines as JSON; nothing is written when absent. */
  log?(line: string): void;
}

/** An open book. Nothing in it is done by this process until `start`. */
export interface Daybook extends Service, Methods, Runs, HostFace {
  readonly ledger: Ledger;
  /** The same methods in another owner's book, or as another principal. */
  as(caller: Partial<Caller>): Methods & Runs;
  /**
   * What adds to the book, in a transaction of yours: committed with the rest of it, or not at all. Throws at once
   * when the store cannot do that. SQLite has one writer: until you commit, ask the book for nothing outside of it,
   * or each waits for the other.
   */
  within(transaction: Transaction, caller?: Partial<Caller>): Inside;
  /** Copies the book to a new file while it is in use, and checks the copy. */
  backup(to: string): Promise<{ records: number }>;
  /** Stops, and lets go of the store. */
  close(): Promise<void>;
}

export async function open(options: OpenOptions): Promise<Daybook> {
  const config = configFrom(options);
  const clock = systemClock();
  const { log: write = () => undefined, tasks = [] } = options;
  checkNames(tasks);
  const platform: PlatformPorts = {
    clock,
    random: systemRandom(),
    log: log({ write, clock, level: "info", format: "json", color: false }),
  };
  const ledger = await openLedger(config.store, platform);
  try {
    return await bookOver({ config, options, ledger, platform });
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

interface Parts {
  config: Config;
  options: OpenOptions;
  ledger: Ledger;
  platform: PlatformPorts;
}

async function bookOver(parts: Parts): Promise<Daybook> {
  const { config, options, ledger, platform } = parts;
  const host = hostIn(parts);
  const acting = options.controllers === false ? undefined : nodeIn(host, parts);
  const ends = { awaitRun: awaitRunWith(platform.clock), ledger };
  const request = (caller: Caller): Methods & Runs => ({
    ...methodsFor(host, caller),
    ...runsFor(host, caller, ends),
  });
  const within = await withinStore(config.store, ledger);
  const face = hostFace({ ...options, host, node: acting });
  const running = group([acting ?? onlyAsks, face.listening]);
  return {
    start: running.start,
    stop: running.stop,
    fetch: face.fetch,
    node: face.node,
    upgrade: face.upgrade,
    ...request(localCaller),
    as: (caller) => request({ ...localCaller, ...caller }),
    within: (transaction, caller) =>
      insideOf(within(transaction), {
        installation: host,
        caller: { ...localCaller, ...caller },
        ends,
      }),
    ledger,
    backup: (to) => backupStore(config.store, to),
    async close() {
      await face.stop();
      await running.stop();
      await ledger.close();
    },
  };
}

function hostIn({ config, options, ledger, platform }: Parts): Host {
  const { channels = [], tasks = [], onError } = options;
  const names = [...channels.map(({ name }) => name), "inbox", "session"];
  const current = (): Config => config;
  const parts = { config, current, platform };
  const host: Host = hostFor({
    current,
    ledger,
    platform,
    onError,
    source: "code",
    workspaces: options.machines === undefined ? undefined : () => workspaceBackendFrom(parts),
    baseUrl: () => options.publicUrl ?? options.basePath ?? "",
    provisions: [
      provide(channelNames, () => names),
      provide(localRunners, () => ({ tasks })),
      provide(nodeChannels, () => channels),
      provide(nodeRunners, () => {
        const backend = host.use(workspaceBackend)?.();
        const inWorkspaces = backend && workspaceRunnerFrom({ ...parts, ledger, env: {}, backend });
        const functions = tasks.map((task) => functionRunner(task));
        return inWorkspaces === undefined ? functions : [...functions, inWorkspaces];
      }),
      // Otherwise events wait for a node that knows who handles them.
      provide(routesEvents, () => config.handlers.length > 0),
    ],
  });
  return host;
}

function nodeIn(host: Host, { config, options }: Parts): Node {
  const running = node(host, config);
  const { schedules, handlers } = options;
  return {
    ...running,
    async start() {
      if ((schedules ?? handlers) !== undefined) await applyDeclared(host, false);
      await running.start();
    },
  };
}

/** A process that does no work. */
const onlyAsks: Service = {
  async start() {
    const message =
      "This book was opened with controllers: false, to ask only: start a process that was opened without it.";
    throw new DaybookError("refused", message);
  },
  stop: () => Promise.resolve(),
};

function checkNames(tasks: readonly TaskDefinition[]): void {
  const [again] = tasks.filter(({ name }, at) => tasks.findIndex((one) => one.name === name) < at);
  if (again === undefined) return;
  const message = `Two tasks are called ${quote(again.name)}: give each a name of its own.`;
  throw new DaybookError("invalid", message);
}

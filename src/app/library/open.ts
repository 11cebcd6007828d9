import { sealer } from "../../features/calendars/index.ts";
import { type HandlersOption, routesEvents } from "../../features/events/index.ts";
import type { CurvesOption } from "../../features/nags/index.ts";
import {
  addressReaders,
  addressReadersOf,
  type Channel,
  channelNames,
  nodeChannels,
} from "../../features/notifications/index.ts";
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
import { provide, provideOnce } from "../../kernel/port.ts";
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
import { ownStore } from "../own-store.ts";
import { sealerAt } from "../sealing.ts";
import { backupStore, openLedger, type Store } from "../stores.ts";
import { workspaceBackendFrom, workspaceRunnerFrom } from "../workspace-backend.ts";
import { methodsFor, type Methods } from "./methods.ts";
import { awaitRunWith, runsFor, type Runs } from "./runs.ts";
import { insideOf, withinStore, type Inside, type Transaction } from "./transaction.ts";

export interface OpenOptions extends HostOptions, WorkspaceOptions {
  /**
   * `sqlite:PATH`, `file:FOLDER`, `postgres://…` or `memory:`, or a reference to it; or a store of your own, which is
   * closed with the book.
   */
  store: string | Reference | Ledger;
  /** The channels that messages are sent by. A target names one before its colon. */
  channels?: readonly Channel[];
  /** The time zone of times without one, such as `Asia/Seoul`. Default: the machine's. */
  timezone?: string;
  language?: Language;
  /** How long other processes wait for the work of one that died. Default: 15. */
  leaseSeconds?: number;
  /** How many days ended records are kept. Default: 90. */
  keepDays?: number;
  /** Settings of people by name, until they set their own. */
  owners?: Settings["owners"];
  /** Declared schedules by name: created, changed and deleted to match this at the start. */
  schedules?: SchedulesOption;
  /**
   * Handlers of events by name. They run functions by their names in `tasks`; a task can also subscribe by itself.
   */
  handlers?: HandlersOption;
  /** Curves of nags by name, beside the built-in ones. */
  curves?: CurvesOption;
  /** Functions that can run by name; this process runs them once it is started. */
  tasks?: readonly TaskDefinition[];
  /** False: this process only makes requests and others do the work; `start` is refused. */
  controllers?: boolean;
  /** Called with each error, such as a failed store, a failed act or a lost lease. */
  onError?: OnError;
  /** Called with each log line as JSON. Absent: nothing is logged. */
  log?(line: string): void;
}

/** An open book. This process does no work in it until `start`. */
export interface Daybook extends Service, Methods, Runs, HostFace {
  readonly ledger: Ledger;
  /** The same methods on the book of another owner, or as another principal. */
  as(caller: Partial<Caller>): Methods & Runs;
  /**
   * The methods that add to the book, in your own transaction: committed with the rest of it, or not at all. Throws at
   * once if the store cannot share a transaction. SQLite has one writer: until you commit, call the book only in the
   * transaction, or each waits for the other.
   */
  within(transaction: Transaction, caller?: Partial<Caller>): Inside;
  /** Copies the book to a new file while it is in use, and checks the copy. */
  backup(to: string): Promise<{ records: number }>;
  /** Stops, and closes the store. */
  close(): Promise<void>;
}

export async function open(options: OpenOptions): Promise<Daybook> {
  const own = ownStore(options);
  const config = configFrom(own === undefined ? options : { ...options, store: "memory:" });
  const store = own ?? config.store;
  const clock = systemClock();
  const { log: write = () => undefined, tasks = [] } = options;
  checkNames(tasks);
  const platform: PlatformPorts = {
    clock,
    random: systemRandom(),
    log: log({ write, clock, level: "info", format: "json", color: false }),
  };
  const ledger = await openLedger(store, platform);
  try {
    return await bookOver({ config, store, options, ledger, platform });
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

interface Parts {
  config: Config;
  store: Store;
  options: OpenOptions;
  ledger: Ledger;
  platform: PlatformPorts;
}

async function bookOver(parts: Parts): Promise<Daybook> {
  const { store, options, ledger, platform } = parts;
  const host = hostIn(parts);
  const worker = options.controllers === false ? undefined : nodeIn(host, parts);
  const ends = { awaitRun: awaitRunWith(platform.clock), ledger };
  const methodsOf = (caller: Caller): Methods & Runs => ({
    ...methodsFor(host, caller),
    ...runsFor(host, caller, ends),
  });
  const within = await withinStore(store, ledger);
  const served = hostFace({ ...options, host, node: worker });
  const running = group([worker ?? requestsOnly, served.listening]);
  return {
    start: running.start,
    stop: running.stop,
    fetch: served.fetch,
    node: served.node,
    upgrade: served.upgrade,
    ...methodsOf(localCaller),
    as: (caller) => methodsOf({ ...localCaller, ...caller }),
    within: (transaction, caller) =>
      insideOf(within(transaction), {
        installation: host,
        caller: { ...localCaller, ...caller },
        ends,
      }),
    ledger,
    backup: (to) => backupStore(store, to),
    async close() {
      await served.stop();
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
      provideOnce(sealer, () => sealerAt(options.home)),
      provide(addressReaders, () => addressReadersOf(channels)),
      provide(localRunners, () => ({ tasks })),
      provide(nodeChannels, () => channels),
      provide(nodeRunners, () => {
        const backend = host.use(workspaceBackend)?.();
        const inWorkspaces = backend && workspaceRunnerFrom({ ...parts, ledger, env: {}, backend });
        const functions = tasks.map((task) => functionRunner(task));
        return inWorkspaces === undefined ? functions : [...functions, inWorkspaces];
      }),
      // Otherwise events wait for a node that has handlers.
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
const requestsOnly: Service = {
  async start() {
    const message =
      "This book was opened with controllers: false, for requests only: start a process that was opened without it.";
    throw new DaybookError("refused", message);
  },
  stop: () => Promise.resolve(),
};

function checkNames(tasks: readonly TaskDefinition[]): void {
  const [again] = tasks.filter(({ name }, at) => tasks.findIndex((one) => one.name === name) < at);
  if (again === undefined) return;
  const message = `Two tasks have the name ${quote(again.name)}: give each its own name.`;
  throw new DaybookError("invalid", message);
}

import { hostname } from "node:os";
import type { Clock } from "./base/clock.ts";
import { DaybookError } from "./base/errors.ts";
import { bus, type Bus } from "./base/events.ts";
import { ids } from "./base/ids.ts";
import type { Log } from "./base/log.ts";
import type { Random } from "./base/random.ts";
import { group, service, type Service } from "./base/service.ts";
import type { Channel } from "./channels/channel.ts";
import type { StoreUrl } from "./config.ts";
import { chores, forgetOld, planChores } from "./controllers/chores.ts";
import { deliverer } from "./controllers/deliverer.ts";
import { nodes } from "./controllers/nodes.ts";
import { runController, type RuntimeOptions, type RuntimePorts } from "./controllers/runtime.ts";
import type { Ledger } from "./ledger/ledger.ts";
import { levelOf, type Events } from "./rules/events.ts";
import { version } from "./version.ts";

/** What the whole stands on. */
export interface Ground {
  clock: Clock;
  random: Random;
  log: Log;
}

/** A store is loaded when it is opened: nobody pays for the drivers of the others. */
export async function openLedger(store: StoreUrl, ground: Ground): Promise<Ledger> {
  switch (store.kind) {
    case "memory": {
      const { memory } = await import("./ledger/memory/memory.ts");
      return memory({ now: () => ground.clock.wall(), ids: ids(ground.clock, ground.random) });
    }
    case "sqlite":
      return (await import("./ledger/sqlite/sqlite.ts")).sqlite({ path: store.path });
    case "file":
      return (await import("./ledger/file/file.ts")).file({ folder: store.folder });
    case "postgres":
      return (await import("./ledger/postgres/postgres.ts")).postgres({ url: store.url });
  }
}

/** Where the book is, without the secrets of its address. */
export function nameOf(store: StoreUrl): string {
  switch (store.kind) {
    case "memory":
      return "memory";
    case "sqlite":
      return store.path;
    case "file":
      return store.folder;
    case "postgres":
      return `${new URL(store.url).host}${new URL(store.url).pathname}`;
  }
}

export async function backupStore(store: StoreUrl, to: string): Promise<{ records: number }> {
  if (store.kind === "sqlite")
    return (await import("./ledger/sqlite/backup.ts")).backup(store.path, to);
  const advice = {
    memory: "A book in memory cannot be backed up: use sqlite:PATH.",
    file: "A book of files is backed up by copying its folder while no daemon runs.",
    postgres: "A book in PostgreSQL is backed up with pg_dump.",
  };
  throw new DaybookError("unsupported", advice[store.kind]);
}

/** Records that ended are forgotten after this long. */
const keepMs = 90 * 86_400_000;

/** One node: every controller, over a ledger that is open already. */
export function node(
  ledger: Ledger,
  ground: Ground,
  options: { leaseMs: number; channels: readonly Channel[] },
): Service {
  const name = `${hostname()}-${process.pid}-${ground.random.bits().toString(36)}`;
  const ports: RuntimePorts = { ...ground, work: ledger.work, events: heard(ground.log) };
  const runtime: RuntimeOptions = { holder: name, leaseMs: options.leaseMs };
  const self = { name, version, host: hostname(), pid: process.pid };
  const known = [forgetOld(ledger, keepMs)];
  const plan = service({ start: () => planChores(ledger, known), stop: () => Promise.resolve() });
  return group([
    plan,
    nodes(ledger, ports, { ...runtime, self }),
    runController(chores(known), ports, { ...runtime, concurrency: 4 }),
    runController(deliverer({ ...ground, channels: options.channels }), ports, runtime),
  ]);
}

/** A bus whose one listener writes the log. */
function heard(log: Log): Bus<Events> {
  const events = bus<Events>();
  events.listen((name, facts) => log[levelOf(name)](name, { ...facts }));
  return events;
}

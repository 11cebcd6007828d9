import { mkdirSync, statSync, accessSync, constants } from "node:fs";
import { messageOf } from "./base/errors.ts";
import { safeFetch } from "./base/fetch.ts";
import type { DoctorFacts } from "./cli/doctor.ts";
import type { StatusFacts } from "./cli/status.ts";
import type { Ground } from "./compose.ts";
import type { Loaded } from "./config.ts";
import { hostZone, type Config } from "./config/resolve.ts";
import { channelNames } from "./desk.ts";
import { homeIn, type Daemon } from "./home.ts";
import { readPauses } from "./ledger/pauses.ts";
import type { Stats } from "./ledger/reading.ts";
import { loadPlugins } from "./plugins.ts";
import { isInForce, scopeText } from "./rules/pause.ts";
import { nameOf, openLedger } from "./stores.ts";
import { version } from "./version.ts";

type Settings = Loaded | { readonly problem: string };

/** How things stand, whether a daemon runs or not. */
export async function statusFacts(settings: Settings, ground: Ground): Promise<StatusFacts> {
  if ("problem" in settings) {
    const { problem } = settings;
    const config = { file: null, problem, needsRestart: [] };
    return { daemon: null, store: "", config, book: { problem } };
  }
  const { config, file } = settings;
  const daemon = await runningIn(config, ground);
  return {
    daemon: daemon ?? null,
    store: nameOf(config.store),
    config: {
      file,
      problem: daemon?.problem ?? null,
      needsRestart: daemon?.needsRestart ?? [],
    },
    book: await bookFacts(config, ground),
  };
}

async function bookFacts(config: Config, ground: Ground): Promise<StatusFacts["book"]> {
  try {
    return await statsOf(config, ground);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

type Resting = Pick<Exclude<StatusFacts["book"], { problem: string }>, "resting">;

async function statsOf(config: Config, ground: Ground): Promise<Stats & Partial<Resting>> {
  const ledger = await openLedger(config.store, ground);
  try {
    const stats = await ledger.work.stats();
    const pauses = (await readPauses(ledger)).filter((each) => isInForce(each, stats.now));
    const resting = pauses.map(({ body: { scope, until = null, reason } }) => {
      return { scope: scopeText(scope), until, reason };
    });
    return resting.length === 0 ? stats : { ...stats, resting };
  } finally {
    await ledger.close();
  }
}

/** The daemon of this home, if it answers. */
async function runningIn({ home }: Config, { clock }: Ground): Promise<Daemon | undefined> {
  const found = homeIn(home).readDaemon();
  if (found === undefined) return undefined;
  const { host } = new URL(found.url);
  const fetch = safeFetch({ clock, timeoutMs: 3_000, bytesMax: 65_536, allowHosts: [host] });
  try {
    const { status } = await fetch({ url: `${found.url}/livez` });
    return status === 200 ? found : undefined;
  } catch {
    return undefined;
  }
}

/** What a look at the installation finds. */
export async function doctorFacts(settings: Settings, ground: Ground): Promise<DoctorFacts> {
  const base = { version, nodeVersion: process.versions.node, now: ground.clock.wall() };
  if ("problem" in settings) {
    return {
      ...base,
      config: { file: null, problem: settings.problem, warnings: [] },
      home: { path: "", problem: null },
      store: { name: "", isMemory: false, problem: null, now: null },
      zone: { name: hostZone(), from: "host" },
      daemon: null,
      tokenFile: null,
      channels: [],
      plugins: [],
      webhookAllow: [],
    };
  }
  const { config, file, warnings } = settings;
  const book = await bookFacts(config, ground);
  const plugged = await loadPlugins(config.plugins, ground.clock);
  const isMemory = config.store.kind === "memory";
  const problem = "problem" in book ? book.problem : null;
  return {
    ...base,
    config: { file, problem: null, warnings },
    home: { path: config.home, problem: problemOf(config.home) },
    store: {
      name: nameOf(config.store),
      isMemory,
      problem,
      now: "problem" in book ? null : book.now,
    },
    zone: { name: config.timezone, from: config.timezoneFrom },
    daemon: await daemonFacts(config, ground),
    tokenFile: tokenFile(config.home),
    channels: channelNames(config.channels, plugged),
    plugins: plugged.map(({ name, channels, problem }) => {
      return { name, channels: channels.map((each) => each.name), problem };
    }),
    webhookAllow: config.channels.webhook.allow,
  };
}

async function daemonFacts(config: Config, ground: Ground): Promise<DoctorFacts["daemon"]> {
  const found = homeIn(config.home).readDaemon();
  if (found === undefined) return null;
  const answers = (await runningIn(config, ground)) !== undefined;
  const problem = answers ? null : "it does not answer";
  return { url: found.url, version: found.version, problem };
}

function problemOf(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function tokenFile(folder: string): DoctorFacts["tokenFile"] {
  const { tokenPath: path } = homeIn(folder);
  try {
    return { path, mode: statSync(path).mode & 0o777 };
  } catch {
    return null;
  }
}

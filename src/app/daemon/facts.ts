import {
  accessSync,
  constants,
  mkdirSync,
  opendirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { agentPackages } from "../../adapters/runners/agent-model.ts";
import { readPauses, isInForce, scopeText } from "../../features/nodes/index.ts";
import type { DoctorFacts, FirstFacts, StatusFacts } from "../../interfaces/cli/facts.ts";
import type { Stats } from "../../kernel/query.ts";
import { messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { version } from "../../platform/version.ts";
import type { Config } from "../config/config.ts";
import type { Loaded } from "../config/load.ts";
import { channelsSetUp } from "../host.ts";
import { loadPlugins } from "../plugins.ts";
import { nameOf, openLedger } from "../stores.ts";
import { chatFacts } from "./chat-facts.ts";
import { eventFacts } from "./event-facts.ts";
import { answering, homeIn } from "./home.ts";
import { tasksWithoutRunner } from "./tasks-without-runner.ts";
import { workspaceFacts } from "./workspace-facts.ts";

type Settings = Loaded | { readonly problem: string };

/** The status of the installation, whether a daemon runs or not. */
export async function statusFacts(
  settings: Settings,
  platform: PlatformPorts,
): Promise<StatusFacts> {
  if ("problem" in settings) {
    const { problem } = settings;
    const config = { file: null, problem, isTakenUp: false, needsRestart: [] };
    return { daemon: null, store: "", config, book: { problem } };
  }
  const { config, file } = settings;
  const daemon = await answering(homeIn(config.home), platform.clock);
  return {
    daemon: daemon ?? null,
    store: nameOf(config.store),
    config: {
      file,
      problem: daemon?.problem ?? daemon?.refused ?? null,
      isTakenUp: daemon?.problem == null,
      needsRestart: daemon?.needsRestart ?? [],
    },
    // A book of files is open in one process at a time.
    book:
      daemon !== undefined && config.store.kind === "file"
        ? { isInDaemon: true }
        : await bookFacts(config, platform),
  };
}

type Book = (Stats & Partial<Paused>) | { readonly problem: string };

async function bookFacts(config: Config, platform: PlatformPorts): Promise<Book> {
  try {
    return await statsOf(config, platform);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

type Paused = Pick<Extract<StatusFacts["book"], { records: number }>, "resting">;

async function statsOf(config: Config, platform: PlatformPorts): Promise<Stats & Partial<Paused>> {
  const ledger = await openLedger(config.store, platform);
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

/** The findings of `daybook doctor`. */
export async function doctorFacts(
  settings: Settings,
  platform: PlatformPorts,
): Promise<DoctorFacts | FirstFacts> {
  const base = { version, nodeVersion: process.versions.node, now: platform.clock.wall() };
  if ("problem" in settings) {
    return { ...base, config: { file: null, problem: settings.problem, warnings: [] } };
  }
  const { config, file, warnings } = settings;
  const book = await bookFacts(config, platform);
  const plugged = await loadPlugins(config.plugins, platform.clock);
  const channels = channelsSetUp(config.channels, plugged);
  const isMemory = config.store.kind === "memory";
  const home = { path: config.home, problem: problemOf(config.home) };
  const daemon = home.problem === null ? await daemonFacts(config, platform) : null;
  // A book of files is open in one process at a time: a daemon that answers has opened it.
  const isInDaemon = config.store.kind === "file" && daemon?.problem === null;
  const problem = "problem" in book && !isInDaemon ? book.problem : null;
  return {
    ...base,
    config: { file, problem: null, warnings },
    home,
    store: {
      name: nameOf(config.store),
      isMemory,
      problem,
      now: "problem" in book ? null : book.now,
    },
    zone: { name: config.timezone, from: config.timezoneFrom },
    daemon,
    tokenFile: tokenFile(config.home),
    channels,
    plugins: plugged.map(({ name, channels, problem }) => {
      return { name, channels: channels.map((each) => each.name), problem };
    }),
    chats: await chatFacts(config, platform, isMissing),
    webhookAllow: config.channels.webhook.allow,
    unrunTasks: "problem" in book ? [] : tasksWithoutRunner(config, book),
    events: await eventFacts({ config, platform, channels, folderProblem }),
    workspaces: await workspaceFacts(config, platform),
    agent: config.runners.agent === undefined ? null : { missing: agentPackages.filter(isMissing) },
  };
}

async function daemonFacts(
  config: Config,
  platform: PlatformPorts,
): Promise<DoctorFacts["daemon"]> {
  const home = homeIn(config.home);
  const found = home.readDaemon();
  if (found === undefined) return null;
  const answers = (await answering(home, platform.clock)) !== undefined;
  const problem = answers ? null : `process ${found.pid}`;
  return { url: found.url, version: found.version, problem };
}

function problemOf(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    homeIn(folder).readDaemon();
    const probe = join(folder, `doctor.${process.pid}.tmp`); // a full disk shows only when it is written to
    writeFileSync(probe, ".");
    rmSync(probe);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A missing folder is no problem: it is created when it is needed. */
export function folderProblem(path: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
    opendirSync(path).closeSync(); // fails for a file, also a readable one
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function isMissing(name: string): boolean {
  try {
    import.meta.resolve(name);
    return false;
  } catch {
    return true;
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

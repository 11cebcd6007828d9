import { statSync } from "node:fs";
import type {
  DoctorFacts,
  FirstFacts,
  InstallationFacts,
  StatusFacts,
  TerminalFacts,
} from "../../interfaces/cli/facts.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { version } from "../../platform/version.ts";
import type { Loaded } from "../config/load.ts";
import { loadPlugins } from "../plugins.ts";
import { nameOf, opening } from "../stores.ts";
import { refusedIn } from "./event-facts.ts";
import { answering, homeIn, type Daemon } from "./home.ts";
import { bookFacts, installationFacts } from "./installation-facts.ts";
import { runningWorkspaces } from "./left-workspaces.ts";

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
    config: settingsFacts(daemon, file),
    // A book of files is open in one process at a time.
    book:
      daemon !== undefined && config.store.kind === "file"
        ? { isInDaemon: true }
        : await bookFacts(opening(config.store, platform)),
    leftWorkspaces: daemon === undefined ? await leftNames(config, platform) : [],
    ...(await refusedIn(config)),
  };
}

/** The settings that hold: those of the daemon, if one runs. */
function settingsFacts(daemon: Daemon | undefined, file: string | null): StatusFacts["config"] {
  if (daemon === undefined) return { file, problem: null, isTakenUp: true, needsRestart: [] };
  const { cwd, settingsFile, problem, refused, needsRestart } = daemon;
  return {
    file: cwd === null ? file : settingsFile, // an older daemon does not say which file it reads
    problem: problem ?? refused,
    isTakenUp: problem === null,
    needsRestart,
  };
}

/** A folder that cannot be read has none; `doctor` tells why. */
async function leftNames(
  config: Loaded["config"],
  platform: PlatformPorts,
): Promise<readonly string[]> {
  const running = await runningWorkspaces(config, platform).catch(() => []);
  return running.map(({ name }) => name);
}

/** What a daemon reported of itself, or why it did not. */
export type Reported = InstallationFacts | { readonly unreported: string };

/** The findings of `daybook doctor`: of the daemon, if it reported, else of this terminal. */
export async function doctorFacts(
  settings: Settings,
  platform: PlatformPorts,
  reported: Reported | undefined,
): Promise<DoctorFacts | FirstFacts> {
  const nodeVersion = process.versions.node;
  const config =
    "problem" in settings
      ? { file: null, problem: settings.problem, warnings: [] }
      : { file: settings.file, problem: null, warnings: settings.warnings };
  const terminal: TerminalFacts = { nodeVersion, config, unreported: null };
  if (reported !== undefined && "home" in reported) {
    return { ...reported, ...(await localFacts(reported, platform)), terminal };
  }
  if ("problem" in settings) return { version, nodeVersion, config };
  const found = await installationFacts({
    ...settings,
    platform,
    plugged: await loadPlugins(settings.config.plugins, platform.clock),
    book: opening(settings.config.store, platform),
  });
  const local = await localFacts(found, platform);
  // A book of files is open in one process at a time: a daemon that answers has opened it.
  const isInDaemon = settings.config.store.kind === "file" && local.daemon?.problem === null;
  return {
    ...found,
    ...local,
    store: isInDaemon ? { ...found.store, problem: null } : found.store,
    terminal: reported === undefined ? null : { ...terminal, ...reported },
  };
}

/** What this terminal sees of the daemon of a home. A home that cannot be used has none. */
async function localFacts(
  { home }: InstallationFacts,
  platform: PlatformPorts,
): Promise<Pick<DoctorFacts, "version" | "daemon" | "tokenFile">> {
  const daemon = home.problem === null ? await daemonFacts(home.path, platform) : null;
  return { version, daemon, tokenFile: tokenFile(home.path) };
}

async function daemonFacts(
  folder: string,
  platform: PlatformPorts,
): Promise<DoctorFacts["daemon"]> {
  const home = homeIn(folder);
  const found = home.readDaemon();
  if (found === undefined) return null;
  const answers = (await answering(home, platform.clock)) !== undefined;
  const problem = answers ? null : `process ${found.pid}`;
  return { url: found.url, version: found.version, problem };
}

function tokenFile(folder: string): DoctorFacts["tokenFile"] {
  const { tokenPath: path } = homeIn(folder);
  try {
    return { path, mode: statSync(path).mode & 0o777 };
  } catch {
    return null;
  }
}

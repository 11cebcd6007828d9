import { stdout } from "../../adapters/channels/stdout.ts";
import type { MadeSchedules, Reloaded } from "../../features/schedules/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { debugOf, following, log } from "../../platform/log.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { systemRandom } from "../../platform/random.ts";
import { version } from "../../platform/version.ts";
import type { Config } from "../config/config.ts";
import type { Loaded } from "../config/load.ts";
import { configKeeper, type ConfigKeeper } from "../config/reload.ts";
import { externalPrograms } from "../external-programs.ts";
import { loadPlugins, type Plugged } from "../plugins.ts";
import { nameOf, openLedger } from "../stores.ts";
import { daemon } from "./daemon.ts";
import { answering, homeIn, type Home } from "./home.ts";
import { leaveWorkspaces } from "./left-workspaces.ts";
import { releaseMemory } from "./release-memory.ts";
import { optionalSentry } from "./sentry.ts";
import { textsOf } from "./texts.ts";

/** Memory that only the start needed is unused after this long. */
const settledMs = 2_000;

/** Runs the daemon until a signal stops it. */
export async function serve(
  load: () => Loaded,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const print = (text: string): void => void process.stderr.write(`${text}\n`);
  const { platform, settings } = keep(load);
  const { config, file, warnings } = settings.current();
  const texts = (): ReturnType<typeof textsOf> => textsOf(settings.current().config.language);
  for (const warning of warnings) print(texts().warning(warning));
  const plugged = await pluggedIn(config, platform);
  const home = homeIn(config.home);
  await checkOnlyDaemon(home, platform, config.home);
  const current = (): Config => settings.current().config;
  const external = externalPrograms({ platform, current });
  const ledger = await openLedger(config.store, platform, external);
  const running = await daemon({
    onError: optionalSentry(process.env["DAYBOOK_SENTRY_DSN"], (text) =>
      print(texts().warning(text)),
    ),
    config,
    origin: settings.current,
    ledger,
    platform,
    current,
    home,
    env: process.env,
    channels: [stdout({ write })],
    plugged,
    reload,
    written: () => load().config,
    show: process.stdout.isTTY ? write : undefined,
  });
  const stopped = stopSignal();
  onReload(() => {
    reload().catch((error: unknown) => platform.log.error("config.unread", { error }));
  }); // before it reports that it is ready
  try {
    await running.start();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  print(texts().signIn(running.loginLink()));
  print(texts().ready({ version, book: nameOf(config.store), file }));
  if (await running.isUnheard()) print(texts().unheard);
  const cancel = platform.clock.after(settledMs, () => {
    releaseMemory().catch((error: unknown) => platform.log.debug("memory kept", { error }));
  });
  const lost = await Promise.race([stopped, ledger.lost]);
  cancel();
  print(texts().stopping);
  await running.stop();
  await leaveWorkspaces(current(), platform, print);
  await ledger.close();
  if (lost !== undefined) throw lost; // a supervisor restarts the daemon, which opens the book again

  async function reload(): Promise<Reloaded<MadeSchedules>> {
    const answer = settings.reload();
    const written = home.readDaemon();
    const { needsRestart } = answer.ok ? answer : (written ?? { needsRestart: [] });
    const { file: settingsFile } = settings.current();
    if (written) {
      home.writeDaemon({ ...written, settingsFile, problem: settings.problem(), needsRestart });
    }
    return answer.ok ? { ...answer, ...(await running.reread()) } : answer;
  }
}

/** A home has one daemon, whose file commands read. More nodes of one book have their own homes. */
async function checkOnlyDaemon(
  home: Home,
  { clock }: PlatformPorts,
  folder: string,
): Promise<void> {
  const other = await answering(home, clock);
  if (other === undefined || other.pid === process.pid) return;
  const advice = "stop it first, or give this one another --home";
  const sentence = `A daemon already runs on ${folder}, at ${other.url} (process ${other.pid}): ${advice}.`;
  throw new DaybookError("conflict", sentence);
}

/** The settings, and ports whose log follows the current ones. */
function keep(load: () => Loaded): { platform: PlatformPorts; settings: ConfigKeeper<Loaded> } {
  const first = portsFor(load().config);
  let { log } = first;
  const platform = { ...first, log: following(() => log) };
  const keeper = configKeeper({ load, log: platform.log });
  const reload = (): Reloaded => {
    const answer = keeper.reload();
    ({ log } = portsFor(keeper.current().config));
    return answer;
  };
  return { platform, settings: { ...keeper, reload } };
}

function portsFor(config: Config): PlatformPorts {
  const clock = systemClock();
  const write = (line: string): void => void process.stderr.write(line);
  const isWanted = config.debug.length > 0;
  const level = isWanted ? "debug" : config.log.level;
  const all = log({ write, clock, ...config.log, level, color: config.color });
  return { clock, random: systemRandom(), log: isWanted ? debugOf(all, config.debug) : all };
}

async function pluggedIn(
  { plugins }: Config,
  platform: PlatformPorts,
): Promise<readonly Plugged[]> {
  const plugged = await loadPlugins(plugins, platform.clock);
  for (const { name, problem } of plugged) {
    if (problem !== null) platform.log.error("plugin.off", { plugin: name, problem });
  }
  return plugged;
}

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve(undefined));
    process.once("SIGTERM", () => resolve(undefined));
    if (process.stderr.isTTY) process.once("SIGHUP", () => resolve(undefined)); // the terminal was closed
  });
}

/** A daemon without a terminal reloads its settings on SIGHUP. */
function onReload(reload: () => void): void {
  if (!process.stderr.isTTY) process.on("SIGHUP", reload);
}

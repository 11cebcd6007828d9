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
import { releaseMemory } from "./release-memory.ts";
import { sentryReporter } from "./sentry.ts";

/** After this long what a start needed is over. */
const settledMs = 2_000;

/** Runs the daemon until it is told to stop. */
export async function serve(
  load: () => Loaded,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const { platform, settings } = keep(load);
  const { config, file, warnings } = settings.current();
  for (const warning of warnings) say(`warning: ${warning}`);
  const plugged = await pluggedIn(config, platform);
  const home = homeIn(config.home);
  await checkAlone(home, platform, config.home);
  const current = (): Config => settings.current().config;
  const external = externalPrograms({ platform, current });
  const ledger = await openLedger(config.store, platform, external);
  const dsn = process.env["DAYBOOK_SENTRY_DSN"];
  const running = await daemon({
    ...(dsn ? { onError: await sentryReporter(dsn) } : {}),
    config,
    ledger,
    platform,
    current,
    home,
    env: process.env,
    channels: [stdout({ write })],
    plugged,
    reload,
    written: () => load().config,
    ...(process.stdout.isTTY ? { show: write } : {}),
  });
  const told = toldToStop();
  onReload(() => {
    reload().catch((error: unknown) => platform.log.error("config.unread", { error }));
  }); // before anybody hears that it is ready
  try {
    await running.start();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  say(`Open ${running.loginLink()} to sign in: once, within ten minutes.`);
  const from = file === null ? "" : ` Settings: ${file}.`;
  say(`Daybook ${version} is ready. Book: ${nameOf(config.store)}.${from} Stop with Ctrl-C.`);
  const cancel = platform.clock.after(settledMs, () => {
    releaseMemory().catch((error: unknown) => platform.log.debug("memory kept", { error }));
  });
  const lost = await Promise.race([told, ledger.lost]);
  cancel();
  say("Stopping: runs at work are cut off, and the book says so.");
  await running.stop();
  await ledger.close();
  if (lost !== undefined) throw lost; // a supervisor starts us again, and the book is opened anew

  async function reload(): Promise<Reloaded<MadeSchedules>> {
    const answer = settings.reload();
    const written = home.readDaemon();
    const { needsRestart } = answer.ok ? answer : (written ?? { needsRestart: [] });
    if (written) home.writeDaemon({ ...written, problem: settings.problem(), needsRestart });
    return answer.ok ? { ...answer, ...(await running.reread()) } : answer;
  }
}

/** A home has one daemon: commands find it by its file there. More nodes of one book have homes of their own. */
async function checkAlone(home: Home, { clock }: PlatformPorts, folder: string): Promise<void> {
  const other = await answering(home, clock);
  if (other === undefined || other.pid === process.pid) return;
  const advice = "stop it first, or give this one another --home";
  const sentence = `A daemon runs on ${folder} already, at ${other.url} (process ${other.pid}): ${advice}.`;
  throw new DaybookError("conflict", sentence);
}

/** The settings, and a ground whose log goes by those of the moment. */
function keep(load: () => Loaded): { platform: PlatformPorts; settings: ConfigKeeper<Loaded> } {
  const first = groundFor(load().config);
  let { log } = first;
  const platform = { ...first, log: following(() => log) };
  const keeper = configKeeper({ load, log: platform.log });
  const reload = (): Reloaded => {
    const answer = keeper.reload();
    ({ log } = groundFor(keeper.current().config));
    return answer;
  };
  return { platform, settings: { ...keeper, reload } };
}

function groundFor(config: Config): PlatformPorts {
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

function toldToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve(undefined));
    process.once("SIGTERM", () => resolve(undefined));
    if (process.stderr.isTTY) process.once("SIGHUP", () => resolve(undefined)); // it was closed
  });
}

/** A daemon without a terminal is told by SIGHUP that its settings changed. */
function onReload(reload: () => void): void {
  if (!process.stderr.isTTY) process.on("SIGHUP", reload);
}

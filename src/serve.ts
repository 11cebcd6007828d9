import { stdout } from "./channels/stdout.ts";
import type { Ground } from "./compose.ts";
import type { Loaded } from "./config.ts";
import { configKeeper } from "./config/reload.ts";
import type { Config } from "./config/resolve.ts";
import { daemon } from "./daemon.ts";
import { homeIn } from "./home.ts";
import { sentryReporter } from "./sentry.ts";
import { nameOf, openLedger } from "./stores.ts";
import { version } from "./version.ts";

/** Runs the daemon until it is told to stop. */
export async function serve(
  load: () => Loaded,
  groundFor: (config: Config) => Ground,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const { config, file, warnings } = load();
  for (const warning of warnings) say(`warning: ${warning}`);
  const ground = groundFor(config);
  const settings = configKeeper({ load, log: ground.log });
  const ledger = await openLedger(config.store, ground);
  const dsn = process.env["DAYBOOK_SENTRY_DSN"];
  const running = daemon({
    ...(dsn ? { onError: await sentryReporter(dsn) } : {}),
    config,
    ledger,
    ground,
    current: () => settings.current().config,
    home: homeIn(config.home),
    env: process.env,
    channels: [stdout({ write })],
    ...(process.stdout.isTTY ? { show: write } : {}),
  });
  const told = toldToStop();
  try {
    await running.start();
  } catch (error) {
    await ledger.close();
    throw error;
  }
  say(`Open ${running.loginLink()} to sign in: once, within ten minutes.`);
  const from = file === null ? "" : ` Settings: ${file}.`;
  say(`Daybook ${version} is ready. Book: ${nameOf(config.store)}.${from} Stop with Ctrl-C.`);
  onReload(() => {
    settings.reload();
    const home = homeIn(config.home);
    const written = home.readDaemon();
    if (written) home.writeDaemon({ ...written, problem: settings.problem() });
  });
  const lost = await Promise.race([told, ledger.lost]);
  say("Stopping: what is under way finishes first.");
  await running.stop();
  await ledger.close();
  if (lost !== undefined) throw lost; // a supervisor starts us again, and the book is opened anew
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

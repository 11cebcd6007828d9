import { ask, type Answer } from "../../kernel/ask.ts";
import type { Installation, Caller, Operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { alwaysFrom, once } from "../always-from.ts";
import type { Config } from "../config/resolve.ts";
import { daemonInstallation } from "../installation.ts";
import { loadPlugins } from "../plugins.ts";
import { openLedger } from "../stores.ts";

interface Asking {
  operation: Operation;
  input: Readonly<Record<string, unknown>>;
  caller: Caller;
}

/** Asks in the book itself, while no daemon answers. */
export async function askBook(
  config: Config,
  platform: PlatformPorts,
  { operation, input, caller }: Asking,
): Promise<Answer> {
  if (config.store.kind === "memory") {
    const sentence = "A book in memory lives as long as its daemon, and none runs: daybook start.";
    throw new DaybookError("unavailable", sentence);
  }
  return withInstallation(config, platform, (installation) =>
    ask(installation, operation, input, caller),
  );
}

/** The book is open for as long as it is used. */
export async function withInstallation<Answer>(
  config: Config,
  platform: PlatformPorts,
  use: (installation: Installation) => Promise<Answer>,
): Promise<Answer> {
  const plugged = await loadPlugins(config.plugins, platform.clock);
  const ledger = await openLedger(config.store, platform);
  try {
    const current = (): Config => config;
    const always = once(() => alwaysFrom({ config, current, platform }));
    return await use(daemonInstallation({ current, ledger, platform, plugged, always }));
  } finally {
    await ledger.close();
  }
}

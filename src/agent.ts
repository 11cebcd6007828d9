import type { Ground } from "./compose.ts";
import type { Config } from "./config/resolve.ts";
import { deskFrom } from "./desk.ts";
import { serveStdio } from "./mcp/stdio.ts";
import type { Caller } from "./operations/operation.ts";
import { table } from "./operations/table.ts";
import { loadPlugins } from "./plugins.ts";
import { openLedger } from "./stores.ts";
import { version } from "./version.ts";

/** Serves an agent over this process' input and output until it has gone. The book is opened directly:
 * a daemon beside it does what is asked. */
export async function serveAgent(
  config: Config,
  ground: Ground,
  { toolSet, caller }: { toolSet: "default" | "all"; caller: Caller },
): Promise<void> {
  const ledger = await openLedger(config.store, ground);
  const plugged = await loadPlugins(config.plugins, ground.clock);
  const desk = deskFrom({ current: () => config, ledger, ground, plugged });
  const { stdin: input, stdout: output } = process;
  const options = { ...ground, desk, operations: table, version, toolSet };
  const connection = serveStdio({ ...options, caller, input, output });
  await connection.closed;
  await ledger.close();
}

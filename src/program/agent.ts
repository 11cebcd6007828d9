import type { Ground } from "../assembly/compose.ts";
import { version } from "../base/version.ts";
import type { Config } from "../config/resolve.ts";
import { serveStdio } from "../mcp/stdio.ts";
import type { Caller } from "../operations/operation.ts";
import { table } from "../operations/table.ts";
import { withDesk } from "./book.ts";

/** Serves an agent over this process' input and output until it has gone. The book is opened directly:
 * a daemon beside it does what is asked. */
export async function serveAgent(
  config: Config,
  ground: Ground,
  { toolSet, caller }: { toolSet: "default" | "all"; caller: Caller },
): Promise<void> {
  const { stdin: input, stdout: output } = process;
  await withDesk(config, ground, (desk) => {
    const options = { ...ground, desk, operations: table, version, toolSet };
    return serveStdio({ ...options, caller, input, output }).closed;
  });
}

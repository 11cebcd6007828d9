import { table } from "../../features/index.ts";
import { serveStdio } from "../../interfaces/mcp/stdio.ts";
import type { Caller } from "../../kernel/operation.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import { version } from "../../platform/version.ts";
import type { Config } from "../config/config.ts";
import { withHost } from "./book.ts";

/**
 * Serves an agent over the input and output of this process until it disconnects. The book is opened directly, and a
 * daemon beside this process does the work.
 */
export async function serveAgent(
  config: Config,
  platform: PlatformPorts,
  { toolSet, caller }: { toolSet: "default" | "all"; caller: Caller },
): Promise<void> {
  const { stdin: input, stdout: output } = process;
  await withHost(config, platform, (installation) => {
    const options = { ...platform, installation, operations: table, version, toolSet };
    return serveStdio({ ...options, caller, input, output }).closed;
  });
}

import { runningLocally } from "../../adapters/machines/local.ts";
import { childProcess } from "../../platform/child-process.ts";
import { messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { workspaceBackendFrom } from "../workspace-backend.ts";
import { textsOf } from "./texts.ts";

/** The local workspaces whose machines run. */
export async function runningWorkspaces(
  { machines, workspaces }: Config,
  { clock }: Pick<PlatformPorts, "clock">,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (machines !== "local") return [];
  return runningLocally({ folder: workspaces.folder, clock, spawn: childProcess({ clock }) });
}

/** After the daemon's stop: stops the local machines if that is set, and says which run on. */
export async function leaveWorkspaces(
  config: Config,
  platform: PlatformPorts,
  print: (text: string) => void,
): Promise<void> {
  const texts = textsOf(config.language);
  try {
    const running = await runningWorkspaces(config, platform);
    if (running.length === 0) return;
    const names = running.map(({ name }) => name).join(", ");
    if (!config.workspaces.stopWithDaemon) return print(texts.stillRunning(names));
    const { machines } = workspaceBackendFrom({ config, current: () => config, platform });
    const { signal } = new AbortController();
    for (const { id } of running) await machines.remove(id, signal);
    print(texts.stopped(names));
  } catch (error) {
    print(texts.warning(messageOf(error))); // the daemon stops in any case
  }
}

import type { WorkspaceFacts } from "../../interfaces/cli/facts.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { messageOf } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { workspaceBackendFrom } from "../workspace-backend.ts";

const checkMsMax = 10_000;

/** The state of machines and archives, as far as this process can check it. */
export async function workspaceFacts(
  config: Config,
  platform: PlatformPorts,
): Promise<WorkspaceFacts> {
  const { machines, archives } = workspaceBackendFrom({ config, current: () => config, platform });
  return {
    machines: await reached(machines, platform),
    archives: await reached(archives, platform),
    administrator: config.workspaces.administrator,
  };
}

async function reached(
  { name, check }: { name: string; check(signal: AbortSignal): Promise<string> },
  { clock }: PlatformPorts,
): Promise<WorkspaceFacts["machines"]> {
  const never = new AbortController().signal;
  const limits = { clock, timeoutMs: checkMsMax, graceMs: 0, signal: never };
  try {
    const result = await withDeadline(limits, check);
    if ("done" in result) return { name, report: result.done, problem: null };
    return { name, report: null, problem: `it did not answer within ${checkMsMax / 1_000} s` };
  } catch (error) {
    return { name, report: null, problem: messageOf(error) };
  }
}

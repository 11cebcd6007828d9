import { isNodeAlive, processGone } from "../../features/nodes/index.ts";
import { callOperation, type CallResult } from "../../kernel/call.ts";
import type { Host } from "../../kernel/host.ts";
import type { Caller, Operation } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Config } from "../config/config.ts";
import { daemonHost } from "../host.ts";
import { loadPlugins } from "../plugins.ts";
import { openLedger } from "../stores.ts";
import { workspaceBackendFrom } from "../workspace-backend.ts";
import { noteDueWrites } from "./due-writes.ts";

interface BookRequest {
  operation: Operation;
  input: Readonly<Record<string, unknown>>;
  caller: Caller;
}

/** An answer, and whether what was written waits because no node works on the book. */
interface BookAnswer extends CallResult {
  readonly isLeft: boolean;
}

/** The book itself, for requests while no daemon answers. */
interface OpenBook {
  ask(request: BookRequest): Promise<BookAnswer>;
  close(): Promise<void>;
}

export async function openBook(config: Config, platform: PlatformPorts): Promise<OpenBook> {
  if (config.store.kind === "memory") {
    const sentence =
      "A book in memory exists only in its daemon, and none runs: run daybook start.";
    throw new DaybookError("unavailable", sentence);
  }
  const { host, close } = await openHost(config, platform);
  return {
    async ask({ operation, input, caller }) {
      const { ledger, hasDue } = noteDueWrites(host.ledger);
      const answer = await callOperation({ ...host, ledger }, operation, input, caller);
      const isGone = host.use(processGone);
      const isLeft = hasDue() && !(await isNodeAlive(ledger, { now: host.now(), isGone }));
      return { ...answer, isLeft };
    },
    close,
  };
}

interface OpenHost {
  readonly host: Host;
  close(): Promise<void>;
}

async function openHost(config: Config, platform: PlatformPorts): Promise<OpenHost> {
  const plugged = await loadPlugins(config.plugins, platform.clock);
  const ledger = await openLedger(config.store, platform);
  try {
    const current = (): Config => config;
    const workspaces = () => workspaceBackendFrom({ config, current, platform });
    const parts = { current, ledger, platform, plugged, workspaces, provisions: [] };
    return { host: daemonHost(parts), close: ledger.close };
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/** Opens the book while `use` runs. */
export async function withHost<Answer>(
  config: Config,
  platform: PlatformPorts,
  use: (host: Host) => Promise<Answer>,
): Promise<Answer> {
  const { host, close } = await openHost(config, platform);
  try {
    return await use(host);
  } finally {
    await close();
  }
}

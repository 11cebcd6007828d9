import {
  accessSync,
  constants,
  mkdirSync,
  opendirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { agentPackages } from "../../adapters/runners/agent-model.ts";
import { readPauses, isInForce, scopeText } from "../../features/nodes/index.ts";
import type { InstallationFacts, StatusFacts } from "../../interfaces/cli/facts.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Stats } from "../../kernel/query.ts";
import { messageOf } from "../../platform/errors.ts";
import { isMissing } from "../../platform/optional-package.ts";
import type { PlatformPorts } from "../../platform/ports.ts";
import type { Loaded } from "../config/load.ts";
import { channelsSetUp } from "../host.ts";
import type { Plugged } from "../plugins.ts";
import { nameOf, type UseBook } from "../stores.ts";
import { chatFacts } from "./chat-facts.ts";
import { eventFacts } from "./event-facts.ts";
import { homeIn } from "./home.ts";
import { tasksWithoutRunner } from "./tasks-without-runner.ts";
import { workspaceFacts } from "./workspace-facts.ts";

type Book = (Stats & Partial<Paused>) | { readonly problem: string };

export async function bookFacts(book: UseBook): Promise<Book> {
  try {
    return await book(statsOf);
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

type Paused = Pick<Extract<StatusFacts["book"], { records: number }>, "pauses">;

async function statsOf(ledger: Ledger): Promise<Stats & Partial<Paused>> {
  const stats = await ledger.work.stats();
  const inForce = (await readPauses(ledger)).filter((each) => isInForce(each, stats.now));
  const pauses = inForce.map(({ body: { scope, until = null, reason } }) => {
    return { scope: scopeText(scope), until, reason };
  });
  return pauses.length === 0 ? stats : { ...stats, pauses };
}

interface Installation extends Pick<Loaded, "config" | "file" | "warnings"> {
  readonly platform: PlatformPorts;
  readonly plugged: readonly Plugged[];
  readonly book: UseBook;
}

/** What this process knows of its installation: a daemon reports this, and a terminal without one looks for itself. */
export async function installationFacts(parts: Installation): Promise<InstallationFacts> {
  const { config, file, warnings, platform, plugged, book } = parts;
  const stats = await bookFacts(book);
  const channels = channelsSetUp(config.channels, plugged);
  return {
    nodeVersion: process.versions.node,
    now: platform.clock.wall(),
    config: { file, problem: null, warnings },
    home: { path: config.home, problem: problemOf(config.home) },
    store: {
      name: nameOf(config.store),
      isMemory: config.store.kind === "memory",
      problem: "problem" in stats ? stats.problem : null,
      now: "problem" in stats ? null : stats.now,
    },
    zone: { name: config.timezone, from: config.timezoneFrom },
    channels,
    plugins: plugged.map(({ name, channels, problem }) => {
      return { name, channels: channels.map((each) => each.name), problem };
    }),
    chats: await chatFacts(config, platform, { book, isMissing }),
    webhookAllow: config.channels.webhook.allow,
    unrunTasks: "problem" in stats ? [] : tasksWithoutRunner(config, stats),
    events: await eventFacts({ config, book, channels, folderProblem }),
    workspaces: await workspaceFacts(config, platform),
    agent: config.runners.agent === undefined ? null : { missing: agentPackages.filter(isMissing) },
  };
}

function problemOf(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    homeIn(folder).readDaemon();
    const probe = join(folder, `doctor.${process.pid}.tmp`); // a full disk shows only when it is written to
    writeFileSync(probe, ".");
    rmSync(probe);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A missing folder is no problem: it is created when it is needed. */
export function folderProblem(path: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return null;
    opendirSync(path).closeSync(); // fails for a file, also a readable one
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

import { createReadStream } from "node:fs";
import { exits, type CliPorts, type Reached, type Flags } from "../../interfaces/cli/command.ts";
import { remoteAsk } from "../../interfaces/cli/remote.ts";
import type { Answer } from "../../kernel/ask.ts";
import type { Operation, Reader } from "../../kernel/operation.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { log } from "../../platform/log.ts";
import { systemRandom } from "../../platform/random.ts";
import { version } from "../../platform/version.ts";
import type { Ground } from "../compose.ts";
import { addHandler } from "../config/add-handler.ts";
import { exampleConfig } from "../config/example.ts";
import {
  loadConfig,
  readText,
  writeExample,
  type ConfigParts,
  type Loaded,
} from "../config/load.ts";
import { hostZone, type Config } from "../config/resolve.ts";
import { configSchema } from "../config/schema.ts";
import { sayCheck, sayConfig } from "../config/words.ts";
import { selfIn } from "../desk.ts";
import { homeIn } from "./home.ts";

/** What the command line reaches, in this process. The flags hold for every command. */
export function terminal(shared: Flags = {}): CliPorts {
  const clock = systemClock();
  const now = (): number => clock.wall();
  let loaded: Loaded | undefined;
  const load = (): Loaded => (loaded ??= loadHere(shared));
  const reader = (): Reader => {
    try {
      const { timezone: zone, language } = load().config;
      return { zone, language, now: now() };
    } catch {
      return { zone: hostZone(), language: "en", now: now() };
    }
  };
  return {
    out: (text) => void process.stdout.write(`${text}\n`, unwritten),
    err: (text) => void process.stderr.write(`${text}\n`),
    show: (text) => written(`${text}\n`),
    color: process.stdout.isTTY && !process.env["NO_COLOR"],
    version,
    cwd: process.cwd(),
    clock,
    random: systemRandom(),
    reader,
    table: async () => (await import("../../features/book/table.ts")).table,
    using: (file) => terminal({ config: file }),
    ask: async (operation, input) => ask(load().config, reader, operation, input),
    stdin: () => process.stdin,
    file: (path) => createReadStream(path),
    interrupts,
    serve: async (flags) =>
      (await import("./serve.ts")).serve(() => loadHere({ ...shared, ...flags }), written),
    mcp: async (tools) =>
      (await import("./agent.ts")).serveAgent(load().config, quiet(), {
        toolSet: tools,
        caller: selfIn(sessionHere()),
      }),
    daemon: async () => daemonOf(load().config),
    connect: (url, protocols) => new WebSocket(url, protocols),
    status: async () => (await import("./facts.ts")).statusFacts(tried(load), quiet()),
    facts: async () => (await import("./facts.ts")).doctorFacts(tried(load), quiet()),
    pass: async (command, tailBytesMax) => {
      const { passThrough } = await import("../../platform/pass-through.ts");
      const { stdout: out, stderr: err } = process;
      return passThrough(command, { clock, tailBytesMax, out, err });
    },
    post: (url, text) => post(url, text, clock),
    config: {
      check: async () => {
        const loaded = load();
        if (Object.keys(loaded.config.schedules).length > 0) {
          await (await import("./check-schedules.ts")).checkSchedules(loaded.config, quiet());
        }
        return sayCheck(loaded);
      },
      show: (withOrigins) => sayConfig(load(), withOrigins),
      schema: () => JSON.stringify(configSchema(), null, 2),
      example: exampleConfig,
      init: () => writeExample(process.env, shared),
      add: (handler) => addHandler(handler, partsHere(shared)),
    },
  };
}

async function post(url: string, body: string, clock: Clock): Promise<void> {
  const host = URL.parse(url)?.host ?? "";
  const fetch = safeFetch({ clock, timeoutMs: 10_000, bytesMax: 64 * 1024, allowHosts: [host] });
  const { status } = await fetch({ url, method: "POST", body });
  if (status > 299) throw new DaybookError("unavailable", `${host} answered ${status}.`);
}

function loadHere(flags: Flags): Loaded {
  return loadConfig(partsHere(flags));
}

function partsHere(flags: Flags): ConfigParts {
  const { env } = process;
  return { env, flags, cwd: process.cwd(), isTerminal: process.stderr.isTTY, readText };
}

function tried(load: () => Loaded): Loaded | { readonly problem: string } {
  try {
    return load();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The daemon that runs over this home, as far as its file says. */
function daemonOf({ home: folder }: Config): Reached | undefined {
  const home = homeIn(folder);
  const found = home.readDaemon();
  const token = process.env["DAYBOOK_TOKEN"] || home.readToken();
  if (found === undefined || token === undefined) return undefined;
  const tokenFile = process.env["DAYBOOK_TOKEN"] ? "DAYBOOK_TOKEN" : home.tokenPath;
  const session = sessionHere();
  return { ...found, token, tokenFile, ...(session && { session }) };
}

/** What is asked in a session is answered there, and nowhere else. */
function sessionHere(): string | undefined {
  return process.env["DAYBOOK_SESSION"] || undefined;
}

async function ask(
  config: Config,
  reader: () => Reader,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const daemon = daemonOf(config);
  if (daemon !== undefined) {
    const clock = systemClock();
    const allowHosts = [new URL(daemon.url).host];
    const fetch = safeFetch({ clock, timeoutMs: 30_000, bytesMax: 16 * 2 ** 20, allowHosts });
    const answer = await remoteAsk({ daemon, fetch, reader })(operation, input);
    if (answer !== undefined) return answer;
  }
  const { askBook } = await import("./book.ts");
  return askBook(config, quiet(), { operation, input, caller: selfIn(sessionHere()) });
}

/** Writes nothing: a command's own words are enough. */
function quiet(): Ground {
  const clock = systemClock();
  const write = (): void => undefined;
  const lines = log({ write, clock, level: "error", format: "json", color: false });
  return { clock, random: systemRandom(), log: lines };
}

function interrupts(): AbortSignal {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  return stop.signal;
}

/** The answer is lost, unless whoever reads it has seen enough (`daybook list | head`). */
function unwritten(error?: NodeJS.ErrnoException | null): void {
  if (error == null || error.code === "EPIPE") return;
  process.stderr.write(`daybook: the answer could not be written (${error.message}).\n`);
  process.exitCode = exits.failed;
}

function written(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

import { createReadStream } from "node:fs";
import { join } from "node:path";
import {
  exits,
  type Answer,
  type AnswerFormat,
  type CliPorts,
  type Flags,
  type GivenInput,
  type OperationEntry,
  type LocalDaemon,
} from "../../interfaces/cli/command.ts";
import { manifest } from "../../interfaces/cli/manifest.ts";
import { remoteAsk, type RemoteAsk } from "../../interfaces/cli/remote.ts";
import type { Reader } from "../../kernel/operation.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import { DaybookError, hasCode, messageOf } from "../../platform/errors.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { Language } from "../../platform/language.ts";
import { systemRandom } from "../../platform/random.ts";
import { cut } from "../../platform/text.ts";
import { version } from "../../platform/version.ts";
import type { ConfigParts } from "../config/load.ts";
import { hostZone, readText } from "../config/machine.ts";
import { clientSettings } from "./client-settings.ts";
import type { Reported } from "./facts.ts";
import { homeIn, type Daemon } from "./home.ts";
import type { Local, OpenBook } from "./local.ts";

/**
 * The ports of the command line in this process. The flags apply to every command. The complete settings, the
 * operations and the book are loaded only if no daemon answers.
 */
export function terminal(shared: Flags = {}): CliPorts {
  const clock = systemClock();
  let loading: Promise<Local> | undefined;
  const local = (): Promise<Local> => (loading ??= localOf(shared));
  const client = { clock, local, settings: () => clientSettings(configParts(shared)) };
  return {
    out: (text) => void process.stdout.write(`${text}\n`, unwritten),
    err: (text) => void process.stderr.write(`${text}\n`),
    show: (text) => written(`${text}\n`),
    color: process.stdout.isTTY && !process.env["NO_COLOR"],
    columns: terminalWidth(),
    version,
    cwd: process.cwd(),
    clock,
    random: systemRandom(),
    reader: () => readerOf(client),
    // English needs nothing, and the Korean of every feature takes a while to load.
    errorsIn: async (language) =>
      language === "en"
        ? (sentence) => sentence
        : (await import("../error-texts.ts")).errorsIn(language),
    commands: manifest,
    withConfig: (file) => terminal({ config: file }),
    ask: (operation, input, format) => ask(client, operation, input, format),
    asking: (use) => asking(client, use),
    progress,
    confirm,
    stdin: () => process.stdin,
    file: (path) => createReadStream(path),
    interrupts,
    serve: async (flags) => (await local()).serve(flags, written),
    mcp: async (tools) => (await local()).mcp(tools, sessionOf()),
    daemon: () => daemonOf(client),
    connect: (url, protocols) => new WebSocket(url, protocols),
    status: async () => (await local()).status(),
    facts: async () => (await local()).facts(await reportedFacts(client)),
    runProgram: async (command, tailBytesMax) => {
      const { runInForeground } = await import("../../platform/foreground-program.ts");
      const { stdout: out, stderr: err } = process;
      return runInForeground(command, { clock, tailBytesMax, out, err });
    },
    listenForBrowser: async () => (await import("./browser.ts")).listenForBrowser(),
    openBrowser(url) {
      // A program that reads the output opens it itself.
      if (process.stderr.isTTY)
        void import("./browser.ts").then(({ openBrowser }) => openBrowser(url));
    },
    post: (url, text) => post(url, text, clock),
    config: {
      check: async () => (await local()).config.check(),
      show: async (withOrigins) => (await local()).config.show(withOrigins),
      schema: async () => (await local()).config.schema(),
      example: async () => (await local()).config.example(),
      init: async () => (await local()).config.init(),
      add: async (handler, file) => (await local()).config.add(handler, file),
    },
  };
}

/** COLUMNS stands above the terminal's own width, as in other programs. */
function terminalWidth(): number | null {
  if (!process.stdout.isTTY) return null;
  const given = Number(process.env["COLUMNS"]);
  return Number.isInteger(given) && given > 0 ? given : process.stdout.columns;
}

interface Client {
  readonly clock: Clock;
  local(): Promise<Local>;
  settings(): ReturnType<typeof clientSettings>;
}

async function localOf(flags: Flags): Promise<Local> {
  return (await import("./local.ts")).localIn((more) => configParts({ ...flags, ...more }));
}

function configParts(flags: Flags): ConfigParts {
  const { env } = process;
  return { env, flags, cwd: process.cwd(), isTerminal: process.stderr.isTTY, readText };
}

async function readerOf({ clock, settings, local }: Client): Promise<Reader> {
  const now = clock.wall();
  try {
    const { timezone, language } = settings() ?? (await local()).loaded().config;
    return readerIn(language, now, timezone);
  } catch {
    return readerIn("en", now);
  }
}

/** The zone is read on use: help needs none, and reading the machine's takes 10 ms. */
function readerIn(language: Language, now: number, timezone?: string): Reader {
  return {
    language,
    now,
    get zone() {
      return timezone ?? hostZone();
    },
  };
}

async function post(url: string, body: string, clock: Clock): Promise<void> {
  const host = URL.parse(url)?.host ?? "";
  const fetch = safeFetch({ clock, timeoutMs: 10_000, bytesMax: 64 * 1024, allowHosts: [host] });
  const { status } = await fetch({ url, method: "POST", body });
  if (status > 299) throw new DaybookError("unavailable", `${host} answered ${status}.`);
}

/** The daemon of this home, by its file. */
async function daemonOf({ settings, local }: Client): Promise<LocalDaemon | undefined> {
  const { home: folder } = settings() ?? (await local()).loaded().config;
  const home = homeIn(folder);
  const found = home.readDaemon();
  const token = process.env["DAYBOOK_TOKEN"] || home.readToken();
  if (found === undefined || token === undefined) return undefined;
  const tokenFile = process.env["DAYBOOK_TOKEN"] ? "DAYBOOK_TOKEN" : home.tokenPath;
  const session = sessionOf();
  return { ...found, token, tokenFile, session, settingsFile: settingsFileOf(found) };
}

/** The file that the daemon reads, or would read if it existed. */
function settingsFileOf({ settingsFile, cwd }: Daemon): string | undefined {
  return settingsFile ?? (cwd === null ? undefined : join(cwd, "daybook.yaml"));
}

/** A request in a session is answered there and nowhere else. */
function sessionOf(): string | undefined {
  return process.env["DAYBOOK_SESSION"] || undefined;
}

/** Asks the daemon of this home; undefined when none answers. */
async function askDaemon(client: Client, ...request: Parameters<RemoteAsk>) {
  const { clock, local } = client;
  const daemon = await daemonOf(client);
  if (daemon === undefined) return undefined;
  const allowHosts = [new URL(daemon.url).host];
  const fetch = safeFetch({ clock, timeoutMs: 30_000, bytesMax: 16 * 2 ** 20, allowHosts });
  const [operation, input] = request;
  const check = async (): Promise<void> => (await local()).check(operation, input);
  return remoteAsk({ daemon, fetch, check, language: askedLanguage() })(...request);
}

const factsOfDaemon: OperationEntry = {
  name: "facts",
  effect: "none",
  route: { method: "GET", path: "/v1/facts" },
};

/** What the daemon knows of itself; undefined when none answers, or when it is too old to report it. */
async function reportedFacts(client: Client): Promise<Reported | undefined> {
  try {
    const answer = await askDaemon(client, factsOfDaemon, {}, "json");
    return answer?.output as Reported | undefined; // our own daemon wrote it
  } catch (error) {
    return hasCode(error, "not_found") ? undefined : { unreported: messageOf(error) };
  }
}

async function ask(
  client: Client,
  operation: OperationEntry,
  input: GivenInput,
  format: AnswerFormat,
): Promise<Answer> {
  const { local } = client;
  const answer = await askDaemon(client, operation, input, format);
  if (answer !== undefined) return answer;
  const request = { operation, input, format, language: askedLanguage() };
  return (await local()).ask(request, sessionOf());
}

/** Once the book was opened here, it answers the rest too: a daemon that starts meanwhile may not open it. */
async function asking<Result>(
  client: Client,
  use: (ask: CliPorts["ask"]) => Promise<Result>,
): Promise<Result> {
  let opened: Promise<OpenBook> | undefined;
  const language = askedLanguage();
  try {
    return await use(async (operation, input, format) => {
      const answer = opened ? undefined : await askDaemon(client, operation, input, format);
      if (answer !== undefined) return answer;
      const local = await client.local();
      const book = await (opened ??= local.open(sessionOf()));
      return book.ask({ operation, input, format, language });
    });
  } finally {
    await (await opened)?.close();
  }
}

/** Clears the line, and writes the next over it. */
function progress(text: string): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r\u001B[K${cut(text, stderr.columns - 1)}`);
}

/** The language that this terminal asks for, whatever the owner's is. */
function askedLanguage(): Language | undefined {
  const { DAYBOOK_LANGUAGE: language } = process.env;
  return language === "en" || language === "ko" ? language : undefined;
}

async function confirm(question: string): Promise<boolean | undefined> {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input, output });
  try {
    return /^(y|yes|예|네)$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

function interrupts(): AbortSignal {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  return stop.signal;
}

/** The answer is lost, unless its reader closed the pipe (`daybook list | head`). */
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

import { systemClock } from "./base/clock.ts";
import { DaybookError } from "./base/errors.ts";
import { log } from "./base/log.ts";
import { systemRandom } from "./base/random.ts";
import { stdout } from "./channels/stdout.ts";
import { exits, type CliPorts } from "./cli/command.ts";
import { runCli } from "./cli/main.ts";
import { nameOf, node, openLedger, type Ground } from "./compose.ts";
import { readConfig } from "./config.ts";
import { version } from "./version.ts";

/** Where things go that were asked for at a terminal: the daemon's own. */
const terminal = "stdout:daemon";

const ports: CliPorts = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  operations: async () => (await import("./operations/table.ts")).operations,
  version,
  async withBook(use) {
    const { config, ground } = settings();
    if (config.store.kind === "memory") {
      throw new DaybookError("invalid", "A book in memory ends with the command: use sqlite:PATH.");
    }
    const ledger = await openLedger(config.store, ground);
    try {
      const { timezone: zone } = config;
      const who = { owner: "me", by: "cli", origin: terminal, zone };
      return await use({ ledger, ...who, now: () => ground.clock.wall() });
    } finally {
      await ledger.close();
    }
  },
  async serve() {
    const { config, ground } = settings();
    const ledger = await openLedger(config.store, ground);
    const daemon = node(ledger, ground, {
      leaseMs: config.leaseMs,
      channels: [stdout({ write: writeOut })],
    });
    const told = toldToStop();
    await daemon.start();
    ports.err(`Daybook ${version} is ready. Book: ${nameOf(config.store)}. Stop with Ctrl-C.`);
    const lost = await Promise.race([told, ledger.lost]);
    ports.err("Stopping: what is under way finishes first.");
    await daemon.stop();
    await ledger.close();
    if (lost !== undefined) throw lost; // a supervisor starts us again, and the book is opened anew
  },
};

function settings(): { config: ReturnType<typeof readConfig>; ground: Ground } {
  const config = readConfig(process.env, process.stderr.isTTY);
  const clock = systemClock();
  const format = process.stderr.isTTY ? "pretty" : "json";
  const write = (line: string): void => void process.stderr.write(line);
  const lines = log({ write, clock, level: "info", format, color: config.color });
  return { config, ground: { clock, random: systemRandom(), log: lines } };
}

function toldToStop(): Promise<undefined> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve(undefined));
    process.once("SIGTERM", () => resolve(undefined));
    process.once("SIGHUP", () => resolve(undefined)); // the terminal was closed
  });
}

function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

// The reader went away (`daybook list | head`), or its disk is full. Whoever writes hears of it from
// the write; the daemon goes on.
process.stdout.on("error", () => undefined);
process.stderr.on("error", () => undefined);
process.exitCode = await runCli(process.argv.slice(2), ports).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  return exits.failed;
});

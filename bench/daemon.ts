import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { median, type Sizes } from "./measure.ts";
import { bound, type Figure } from "./report.ts";
import { makeFiles } from "./sqlite-load.ts";

const shim = join(import.meta.dirname, "..", "bin", "daybook.js");
const settleMs = 3_000;
const idleMs = 10_000;

/** What a daemon costs that has nothing to do: alone, and with a large book. Linux only (/proc). */
export async function benchDaemon(sizes: Sizes): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bench-"));
  const files = makeFiles(sizes.future);
  try {
    const small = await measure(join(folder, "book.db"));
    const large = await measure(files.store);
    const bareMegabytes = await bareNode();
    return [
      bound("start to ready", small.readyMs, 400),
      bound("start to ready, large book", large.readyMs, 400),
      size("idle memory", small.megabytes, 130),
      size("idle memory, large book", large.megabytes, 130),
      ratio("idle memory to bare Node's with a thread", small.megabytes / bareMegabytes, 2.6),
      share("idle CPU", small.cpuPercent, 0.5),
      share("idle CPU, large book", large.cpuPercent, 0.5),
    ];
  } finally {
    files.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Cost {
  readyMs: number;
  megabytes: number;
  cpuPercent: number;
}

/** The first start writes the compile cache, so it is not the one that counts. */
async function measure(path: string): Promise<Cost> {
  const times: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { daemon, readyMs } = await start(path);
    times.push(readyMs);
    await stop(daemon);
  }
  const { daemon } = await start(path);
  await wait(settleMs);
  const before = cpuMs(daemon);
  await wait(idleMs);
  const cpuPercent = ((cpuMs(daemon) - before) / idleMs) * 100;
  const megabytes = residentMegabytes(daemon);
  await stop(daemon);
  return { readyMs: median(times.slice(1)), megabytes, cpuPercent };
}

/** Nothing but a thread, which a daemon on SQLite has too. */
async function bareNode(): Promise<number> {
  const idle = "setInterval(() => {}, 1000)";
  const program = `new (require("node:worker_threads").Worker)("${idle}", { eval: true })`;
  const node = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
  await wait(settleMs);
  const megabytes = residentMegabytes(node);
  await stop(node);
  return megabytes;
}

async function start(path: string): Promise<{ daemon: ChildProcess; readyMs: number }> {
  const began = performance.now();
  const daemon = spawn(process.execPath, [shim, "start"], {
    stdio: ["ignore", "ignore", "pipe"],
    // A home and a port of its own: nobody else's daemon is met.
    env: {
      ...process.env,
      DAYBOOK_HOME: dirname(path),
      DAYBOOK_PORT: "0",
      DAYBOOK_STORE: `sqlite:${path}`,
    },
  });
  for await (const line of createInterface({ input: daemon.stderr })) {
    if (line.includes("is ready")) return { daemon, readyMs: performance.now() - began };
  }
  throw new Error("The daemon ended before it was ready.");
}

async function stop(daemon: ChildProcess): Promise<void> {
  daemon.kill("SIGTERM");
  if (daemon.exitCode === null) await once(daemon, "exit");
}

function cpuMs(daemon: ChildProcess): number {
  const fields = readFileSync(`/proc/${daemon.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticksPerSecond = 100;
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
}

function residentMegabytes(daemon: ChildProcess): number {
  const [, kilobytes] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_000;
}

function size(name: string, megabytes: number, max: number): Figure {
  return { name, value: megabytes, unit: "MB", goal: `≤ ${max} MB`, ok: megabytes <= max };
}

function ratio(name: string, value: number, max: number): Figure {
  return { name, value, unit: "×", goal: `≤ ${max} ×`, ok: value <= max };
}

function share(name: string, percent: number, max: number): Figure {
  return { name, value: percent, unit: "%", goal: `< ${max} %`, ok: percent < max };
}

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { StoreName } from "./run-seed.ts";

/** What a simulator in another process has to say. */
export interface SimulatorResult {
  seeds: number;
  events: number;
  digest: string;
  /** One paragraph for each seed in which something did not hold. */
  failures: string[];
  marks: Record<string, number>;
}

export interface SimulatorRun {
  from: number;
  count: number;
  env?: Readonly<Record<string, string>>;
  store?: StoreName;
  failuresMax?: number;
  /** A month of schedules, a year of nags, or workspaces. */
  long?: "month" | "year" | "workspaces";
  /** A module to load before the simulator. */
  load?: string;
}

const sim = fileURLToPath(new URL("./sim.ts", import.meta.url));

/** Runs seeds in a process of their own. */
export function simulatorProcess(asked: SimulatorRun): Promise<SimulatorResult> {
  const { from, count, env = {}, load, store, failuresMax = 10, long } = asked;
  const args = [
    ...(load === undefined ? [] : ["--import", load]),
    sim,
    "--json",
    `--from=${from}`,
    `--seeds=${count}`,
    `--failures=${failuresMax}`,
    ...(long === undefined ? [] : [`--${long}`]),
    ...(store === undefined ? [] : ["--store", store]),
  ];
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const [line] = stdout.split("\n");
      if (line?.startsWith("{")) resolve(JSON.parse(line) as SimulatorResult);
      else reject(new Error(`The simulator did not answer: ${stderr}`, { cause: error }));
    });
  });
}

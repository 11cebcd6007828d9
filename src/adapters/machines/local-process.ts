import { spawn as spawnChild } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sleep, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { markedSearch } from "../../platform/process-finder.ts";
import type { Spawn } from "../../platform/process.ts";
import { oneLine } from "../../platform/text.ts";
import type { LocalPaths, MachineFile } from "./local-paths.ts";

/** How long to wait for a process to end: one that waits for a disk cannot be killed. */
const checksMax = 300;
const checkGapMs = 10;
/** The idle process that is a machine; `ps` shows the name of its workspace. */
const idle = (name: string) => ({
  file: "sh",
  args: ["-c", "while :; do sleep 86400; done", `daybook workspace ${oneLine(name, 100)}`],
});
const path = "/usr/local/bin:/usr/bin:/bin";

export interface Processes {
  /** The variables of every process of a workspace. */
  environmentOf(paths: LocalPaths): Readonly<Record<string, string>>;
  isAlive(machine: MachineFile): Promise<boolean>;
  /** Starts an idle process that outlives this one. */
  launch(paths: LocalPaths, name: string): Promise<MachineFile>;
  /** Ends one that was just launched and is not recorded. */
  drop(machine: MachineFile): void;
  /** Ends it, unless its process id was reused, with every process of its workspace. */
  end(paths: LocalPaths, machine: MachineFile | null): Promise<void>;
}

export function localProcesses({ clock, spawn }: { clock: Clock; spawn: Spawn }): Processes {
  const startOf = (pid: number) => startedAt(pid, spawn);

  async function isAlive({ pid, startedAt: since }: MachineFile): Promise<boolean> {
    return (await startOf(pid)) === since;
  }
  async function until(done: () => Promise<boolean>, paths: LocalPaths): Promise<void> {
    for (let checks = 1; checks <= checksMax; checks += 1) {
      if (await done()) return;
      await sleep(clock, checkGapMs);
    }
    const sentence = `A process of the workspace ${paths.id} cannot be killed: check with ps what it waits for, and try again.`;
    throw new DaybookError("busy", sentence);
  }
  return {
    environmentOf,
    isAlive,
    async launch(paths, name) {
      const pid = await launchIdle(paths, name);
      const since = await startOf(pid);
      if (since !== null) return { pid, startedAt: since, name };
      const sentence = `The machine of ${paths.id} ended right after its start: check this user's process limit.`;
      throw new DaybookError("unavailable", sentence, { details: { fault: "ActionFailed" } });
    },
    drop: ({ pid }) => kill(pid),
    async end(paths, machine) {
      if (machine !== null && (await isAlive(machine))) {
        kill(machine.pid);
        await until(async () => !(await isAlive(machine)), paths);
      }
      const search = markedSearch(markOf(paths).join("="), clock);
      await until(async () => ["clear", "blind"].includes(await search()), paths);
    },
  };
}

function environmentOf(paths: LocalPaths): Record<string, string> {
  const [name, value] = markOf(paths);
  return { HOME: paths.home, DAYBOOK_WORKSPACE: paths.id, [name]: value };
}

/** Of the folder and the id: another book on this machine may have a workspace of the same id. */
function markOf({ root }: LocalPaths): [name: string, value: string] {
  return ["DAYBOOK_WORKSPACE_MARK", createHash("sha256").update(root).digest("hex").slice(0, 32)];
}

function launchIdle(paths: LocalPaths, name: string): Promise<number> {
  const { file, args } = idle(name);
  const env = { PATH: path, ...environmentOf(paths) };
  const child = spawnChild(file, args, {
    cwd: paths.home,
    env,
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(cannotStart(cause)));
    child.once("spawn", () => resolve(child.pid ?? 0));
  });
}

function cannotStart(cause: Error): DaybookError {
  const sentence = `Cannot start a machine (${cause.message}): check that the programs sh and sleep are installed, and this user's process limit.`;
  return new DaybookError("unavailable", sentence, { cause, details: { fault: "ActionFailed" } });
}

/** Null: no such process runs. */
async function startedAt(pid: number, spawn: Spawn): Promise<string | null> {
  if (process.platform === "linux") return startedAtOnLinux(pid);
  const { signal } = new AbortController();
  const args = ["-o", "stat=", "-o", "lstart=", "-p", `${pid}`];
  const env = { PATH: path, LC_ALL: "C" };
  const end = await spawn({ file: "ps", args, env, input: "", bytesMax: 1_000, signal });
  if (!end.started) throw new Error(`ps does not run (${end.code})`);
  const [, state = "Z", since = ""] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(end.output) ?? [];
  return state.startsWith("Z") || since === "" ? null : since;
}

/** In ticks since the boot, so with the boot's id. */
async function startedAtOnLinux(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The program's name, in parentheses, may contain anything.
    const [state = "Z", ...facts] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (["Z", "X"].includes(state)) return null;
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "latin1");
    return `${boot.trim()}:${facts[18] ?? ""}`;
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  for (const each of [-pid, pid]) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

import { spawn as spawnChild } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sleep, type Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { markedSearch } from "../../platform/process-search.ts";
import type { Spawn } from "../../platform/process.ts";
import type { LocalPaths, MachineFile } from "./local-paths.ts";

/** What cannot be killed (a disk that does not answer) is not waited for longer. */
const looksMax = 300;
const lookGapMs = 10;
/** Waits for what never comes. */
const waiting = { file: "tail", args: ["-f", "/dev/null"] };
const path = "/usr/local/bin:/usr/bin:/bin";

export interface Processes {
  /** What every process of a workspace has in its environment. */
  environmentOf(place: LocalPaths): Readonly<Record<string, string>>;
  isAlive(machine: MachineFile): Promise<boolean>;
  /** Something that does nothing until it is ended, and that outlives us. */
  launch(place: LocalPaths): Promise<MachineFile>;
  /** Ends one that was just launched, and that nobody knows of. */
  drop(machine: MachineFile): void;
  /** Ends it, if it is still that one, with all that is of its workspace, whoever started it. */
  end(place: LocalPaths, machine: MachineFile | null): Promise<void>;
}

export function localProcesses({ clock, spawn }: { clock: Clock; spawn: Spawn }): Processes {
  const startOf = (pid: number) => startedAt(pid, spawn);

  async function isAlive({ pid, startedAt: since }: MachineFile): Promise<boolean> {
    return (await startOf(pid)) === since;
  }
  async function until(done: () => Promise<boolean>, place: LocalPaths): Promise<void> {
    for (let looks = 1; looks <= looksMax; looks += 1) {
      if (await done()) return;
      await sleep(clock, lookGapMs);
    }
    const sentence = `Something in the workspace ${place.id} cannot be ended: look what it waits for (ps), and try again.`;
    throw new DaybookError("busy", sentence);
  }
  return {
    environmentOf,
    isAlive,
    async launch(place) {
      const pid = await launched(place);
      const since = await startOf(pid);
      if (since !== null) return { pid, startedAt: since };
      const sentence = `The machine of ${place.id} ended as soon as it began: look whether this user may have more processes.`;
      throw new DaybookError("unavailable", sentence, { details: { fault: "ActionFailed" } });
    },
    drop: ({ pid }) => kill(pid),
    async end(place, machine) {
      if (machine !== null && (await isAlive(machine))) {
        kill(machine.pid);
        await until(async () => !(await isAlive(machine)), place);
      }
      const look = markedSearch(markOf(place).join("="), clock);
      await until(async () => ["clear", "blind"].includes(await look()), place);
    },
  };
}

function environmentOf(place: LocalPaths): Record<string, string> {
  const [name, value] = markOf(place);
  return { HOME: place.home, DAYBOOK_WORKSPACE: place.id, [name]: value };
}

/** Of this folder and this id: another book on the same machine may have a workspace of the same. */
function markOf({ root }: LocalPaths): [name: string, value: string] {
  return ["DAYBOOK_WORKSPACE_MARK", createHash("sha256").update(root).digest("hex").slice(0, 32)];
}

function launched(place: LocalPaths): Promise<number> {
  const env = { PATH: path, ...environmentOf(place) };
  const child = spawnChild(waiting.file, waiting.args, {
    cwd: place.home,
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
  const sentence = `No machine can be started here (${cause.message}): look whether the program tail is there, and whether this user may have more processes.`;
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

/** In ticks since the machine was booted, so with which boot that was. */
async function startedAtOnLinux(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in parentheses, may hold anything.
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
      // It is gone.
    }
  }
}

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { sleep, type Clock } from "./clock.ts";

/**
 * It reads from us until we are gone, which ends the reading, and then kills the group, and what left it. It looks
 * ten times: what is killed may have started something since the look before.
 */
const script = `read -r line
kill -s KILL -- "-$0"
for look in 1 2 3 4 5 6 7 8 9 10; do
  for file in $(grep -lsF -- "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}"
  done
done`;

/**
 * Kills the process group when this process is gone, however it went, and every process with the mark in its
 * environment. The answer calls it off. Where there is no `sh`, nobody watches; where there is no `/proc`, the group
 * alone is killed.
 */
export function watchDeath(group: number, mark: string): () => void {
  const watcher = spawn("/bin/sh", ["-c", script, `${group}`, mark], {
    env: {},
    // In a group of its own: what ends ours must not end it too.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  return () => {
    // First the watcher, then its pipe: the end of the pipe is what it waits for.
    watcher.kill("SIGKILL");
    watcher.stdin.destroy();
  };
}

/** How many processes are looked at before others have their turn. */
const atOnce = 100;

/** Kills every process with the mark in its environment. Answers how many there were; undefined: nobody can tell here. */
export async function killMarked(mark: string, clock: Clock): Promise<number | undefined> {
  const pids = processes();
  if (pids.length === 0) return undefined;
  let killed = 0;
  for (const [index, pid] of pids.entries()) {
    if (index % atOnce === atOnce - 1) await sleep(clock, 0);
    // At once after the look: a number that is free may be another's soon.
    if (isMarked(pid, mark) && kill(pid)) killed += 1;
  }
  return killed;
}

function processes(): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    return false; // it is gone, or another user's
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

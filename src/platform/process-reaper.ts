import { spawn } from "node:child_process";

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

import { spawn } from "node:child_process";

/** It reads from us until we are gone, which ends the reading, and then kills the group. */
const script = 'read -r line; kill -s KILL -- "-$0"';

/**
 * Kills the process group when this process is gone, however it went. The answer calls it off. Where
 * there is no `sh`, nobody watches.
 */
export function watchDeath(group: number): () => void {
  const watcher = spawn("/bin/sh", ["-c", script, `${group}`], {
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

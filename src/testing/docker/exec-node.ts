import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { dockerMachines } from "../../adapters/machines/docker.ts";
import { systemClock } from "../../platform/clock.ts";

/** A node that runs a program in a machine and prints its output, to be killed by a test. */
export function execNode(
  host: string,
  id: string,
  script: string,
): ChildProcessByStdio<null, Readable, null> {
  const args = [import.meta.filename, host, id, script];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
}

if (import.meta.main) {
  const [host = "", id = "", script = ""] = process.argv.slice(2);
  await dockerMachines({ clock: systemClock(), host }).exec(id)({
    file: "/bin/sh",
    args: ["-c", script],
    env: { PATH: "/bin" },
    input: "",
    bytesMax: 1_000,
    signal: new AbortController().signal,
    diesWithUs: true,
    onOutput: (text) => void process.stdout.write(text),
  });
}

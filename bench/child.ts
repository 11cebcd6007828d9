import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Another process of the bench, which talks in lines. */
export interface Child {
  /** The next line it says. */
  next(): Promise<string>;
  tell(line: string): void;
  /** As a power failure: it is not asked. */
  kill(): Promise<void>;
}

export function startChild(program: URL, args: readonly string[]): Child {
  const file = fileURLToPath(program);
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async next() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended before it was done.`);
      return value;
    },
    tell: (line) => void child.stdin.write(`${line}\n`),
    kill: () => kill(child),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

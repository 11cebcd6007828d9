import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

/** A process under test. It is killed when its test ends. */
export interface Child {
  readonly pid: number;
  /** Lines so far, of both streams, in the order they came. */
  readonly lines: readonly string[];
  /** The first line that matches, past or to come. Fails if the process ends without one. */
  line(match: RegExp): Promise<string>;
  /** The exit status, or the signal that ended it, when its last line was read. */
  readonly ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs a script with the Node that runs the tests, in the folder that PWD names. */
export function child(
  t: TestContext,
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Child {
  const spawned = spawn(process.execPath, [script, ...args], {
    // A home and a port of its own, so that no two tests meet, nor a test and whoever runs it.
    env: {
      ...process.env,
      DAYBOOK_HOME: env["DAYBOOK_HOME"] ?? folder(t),
      DAYBOOK_PORT: "0",
      ...env,
    },
    cwd: env["PWD"],
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const hear = (line: string): void => {
    lines.push(line);
    for (const look of waiting) look();
  };
  createInterface(spawned.stdout).on("line", hear);
  createInterface(spawned.stderr).on("line", hear);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    spawned.on("close", (code, signal) => resolve(signal ?? code ?? -1));
  });
  atEnd(t, async () => {
    spawned.kill("SIGKILL");
    await ended;
  });
  return {
    pid: spawned.pid ?? -1,
    lines,
    ended,
    kill: (signal) => void spawned.kill(signal),
    line: (match) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = lines.find((line) => match.test(line));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then((how) => {
          reject(new Error(`It ended (${how}) without ${match}:\n${lines.join("\n")}`));
        });
      }),
  };
}

/** A folder that is gone when the test has ended. */
export function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "daybook-test-"));
  atEnd(t, () => rmSync(path, { recursive: true, force: true }));
  return path;
}

const undoing = new WeakMap<TestContext, (() => unknown)[]>();

/**
 * Undoes something when the test ends: the last made first, so that a folder outlives the processes that write in it.
 * Hooks of `t.after` run in the order they were made, and none after one that failed: a child would live on, and its
 * test would never end.
 */
export function atEnd(t: TestContext, undo: () => unknown): void {
  const made = undoing.get(t);
  if (made) return void made.push(undo);
  const all = [undo];
  undoing.set(t, all);
  t.after(async () => {
    const failed: unknown[] = [];
    for (const each of all.toReversed()) {
      try {
        await each();
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0)
      throw new AggregateError(failed, "What the test made could not be undone.");
  });
}

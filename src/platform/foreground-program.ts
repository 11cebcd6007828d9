import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { lastBytes } from "./byte-stream.ts";
import type { Clock } from "./clock.ts";

/** The end of a program that ran in the foreground. */
export interface ForegroundEnd {
  /** As in a shell: 128 and more for a signal, 126 and 127 when it could not be run. */
  readonly exit: number;
  /** The last bytes of its output on both streams, in order. */
  readonly tail: Buffer;
  readonly isCut: boolean;
}

interface ForegroundOptions {
  clock: Clock;
  /** The most bytes of output to keep. */
  tailBytesMax: number;
  out: Writable;
  err: Writable;
}

/** How long orphans of the program may hold its output open. */
const graceMs = 1_000;
const forwarded: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"];

/** Runs a program as if a shell had started it: input, output, signals and status are its own. */
export async function runInForeground(
  [file = "", ...args]: readonly string[],
  { clock, tailBytesMax, out, err }: ForegroundOptions,
): Promise<ForegroundEnd> {
  const tail = lastBytes(tailBytesMax);
  let child: ChildProcess;
  try {
    child = spawn(file, args, { stdio: ["inherit", "pipe", "pipe"] });
  } catch (error) {
    return { exit: exitOf(error), ...tail.all() };
  }
  for (const [from, to] of [
    [child.stdout, out],
    [child.stderr, err],
  ] as const) {
    if (from !== null) pass(from, to, tail.add);
  }
  const stopForwarding = forward(child);
  const { promise, resolve } = Promise.withResolvers<number>();
  let cancelGrace = (): void => undefined;
  child.once("error", (error) => {
    if (child.pid === undefined) resolve(exitOf(error));
  });
  child.once("exit", () => {
    cancelGrace = clock.after(graceMs, () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    });
  });
  child.once("close", (status, signal) => resolve(status ?? 128 + numberOf(signal)));
  try {
    return { exit: await promise, ...tail.all() };
  } finally {
    cancelGrace();
    stopForwarding();
  }
}

function pass(from: Readable, to: Writable, onBytes: (bytes: Buffer) => void): void {
  from.on("data", onBytes);
  from.on("error", () => undefined);
  // The reader of this output has closed it: the program's own output is closed too.
  const stop = (): void => void from.destroy();
  to.once("error", stop);
  from.once("close", () => to.off("error", stop));
  from.pipe(to, { end: false });
}

function forward(child: ChildProcess): () => void {
  const listeners = forwarded.map((signal) => {
    const listener = (): void => {
      // From a keyboard it reaches the complete group, so the program has it already.
      const isTyped = signal === "SIGINT" || signal === "SIGQUIT";
      if (!isTyped || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener);
  };
}

function exitOf(error: unknown): number {
  return (error as NodeJS.ErrnoException).code === "ENOENT" ? 127 : 126;
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { lastBytes } from "./byte-stream.ts";
import type { Clock } from "./clock.ts";

/** What came of a program that ran in our place. */
export interface Passed {
  /** As a shell says it: 128 and more for a signal, 126 and 127 when it could not be run. */
  readonly exit: number;
  /** The end of what it said on both streams, as it came. */
  readonly tail: Buffer;
  readonly isCut: boolean;
}

interface PassOptions {
  clock: Clock;
  /** More of what it says is not kept. */
  tailBytesMax: number;
  out: Writable;
  err: Writable;
}

/** How long what the program left behind may hold its output open. */
const graceMs = 1_000;
const forwarded: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"];

/** Runs a program as if it had been typed itself: input, output, signals and status are its own. */
export async function passThrough(
  [file = "", ...args]: readonly string[],
  { clock, tailBytesMax, out, err }: PassOptions,
): Promise<Passed> {
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
  const callOff = forward(child);
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
    callOff();
  }
}

function pass(from: Readable, to: Writable, onBytes: (bytes: Buffer) => void): void {
  from.on("data", onBytes);
  from.on("error", () => undefined);
  // Who reads us went away: the program hears of it as it would without us.
  const stop = (): void => void from.destroy();
  to.once("error", stop);
  from.once("close", () => to.off("error", stop));
  from.pipe(to, { end: false });
}

function forward(child: ChildProcess): () => void {
  const heard = forwarded.map((signal) => {
    const listener = (): void => {
      // From a keyboard it reaches the whole group, and the program has had it already.
      const isTyped = signal === "SIGINT" || signal === "SIGQUIT";
      if (!isTyped || !process.stdin.isTTY) child.kill(signal);
    };
    process.on(signal, listener);
    return [signal, listener] as const;
  });
  return () => {
    for (const [signal, listener] of heard) process.off(signal, listener);
  };
}

function exitOf(error: unknown): number {
  return (error as NodeJS.ErrnoException).code === "ENOENT" ? 127 : 126;
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { clampMs, type Clock } from "../base/clock.ts";
import type { ProgramEnd, Spawn } from "./process.ts";

/** How long a program that was told to stop may take to say what came of it. */
const graceMs = 1_000;

type Cut = NonNullable<(ProgramEnd & { started: true })["cut"]>;

/** Runs programs as children, each at the head of a process group of its own. */
export function childProcess({ clock }: { clock: Clock }): Spawn {
  return async (run) => {
    if (run.signal.aborted) return { started: false, code: "ABORTED" };
    const { file, args, env, signal } = run;
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(file, args, { env, detached: true, stdio: "pipe" });
    } catch (error) {
      return { started: false, code: codeOf(error) };
    }
    const output = gather(child.stdout, run.bytesMax, () => stop("said too much"));
    const errors = gather(child.stderr, run.bytesMax);
    let cut: Cut | null = null;
    let cancelGrace = (): void => undefined;
    const stop = (why: Cut): void => {
      if (cut !== null) return;
      cut = why;
      killGroup(child, "SIGTERM");
      cancelGrace = clock.after(graceMs, () => {
        killGroup(child, "SIGKILL");
        // What left the group may hold these open for ever.
        child.stdout.destroy();
        child.stderr.destroy();
      });
    };
    const onAbort = (): void => stop("told to stop");
    const cancelTimeout = clock.after(clampMs(run.timeoutMs), () => stop("time is up"));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const ended = await endOf(child, run.input);
      if ("code" in ended) return { started: false, code: ended.code };
      return { started: true, status: ended.status, output: output(), errors: errors(), cut };
    } finally {
      cancelTimeout();
      cancelGrace();
      signal.removeEventListener("abort", onAbort);
    }
  };
}

type Ended = { code: string } | { status: number | null };

function endOf(child: ChildProcessWithoutNullStreams, input: string): Promise<Ended> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: codeOf(error) });
    });
    // What it left behind would hold its output open, and nobody waits for it.
    child.once("exit", () => killGroup(child, "SIGKILL"));
    child.once("close", (status) => resolve({ status }));
    // A program need not read.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** The first bytes of a stream; `over` is called when there are more. */
function gather(
  stream: NodeJS.ReadableStream,
  bytesMax: number,
  over: () => void = () => undefined,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on("data", (chunk: Buffer) => {
    const room = bytesMax - bytes;
    bytes += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (bytes > bytesMax) over();
  });
  stream.on("error", () => undefined);
  return () => Buffer.concat(chunks).toString();
}

function killGroup({ pid }: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "UNKNOWN";
}

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { clampMs, type Clock } from "./clock.ts";
import { markedProcesses, type MarkedProcesses } from "./process-finder.ts";
import type { ProgramEnd, ProgramRun, Spawn } from "./process.ts";

/** How long an aborted program may take to write its result. */
const graceMs = 1_000;

type Cut = NonNullable<(ProgramEnd & { started: true })["cut"]>;
type Child = ChildProcessWithoutNullStreams;

/** Runs programs as children, each the leader of its own process group. */
export function childProcess({ clock }: { clock: Clock }): Spawn {
  return async (run) => {
    if (run.signal.aborted) return { started: false, code: "ABORTED" };
    const rest = run.diesWithUs === true ? markedProcesses(clock) : undefined;
    let child: Child;
    try {
      child = start(run, rest);
    } catch (error) {
      return { started: false, code: codeOf(error) };
    }
    const { signal, onOutput } = run;
    const said = gather(
      child.stdout,
      run.bytesMax,
      onOutput && ((text) => onOutput(text, "output")),
    );
    const errors = gather(
      child.stderr,
      run.bytesMax,
      onOutput && ((text) => onOutput(text, "errors")),
    );
    let cut: Cut | null = null;
    let cancelGrace = (): void => undefined;
    const giveUpLater = (): void => {
      cancelGrace();
      cancelGrace = clock.after(graceMs, () => giveUp(child));
    };
    const stop = (why: Cut): void => {
      if (cut !== null) return;
      cut = why;
      killGroup(child, "SIGTERM");
      giveUpLater();
    };
    const onAbort = (): void => stop("told to stop");
    const { timeoutMs } = run;
    const cancelTimeout =
      timeoutMs === undefined
        ? undefined
        : clock.after(clampMs(timeoutMs), () => stop("time is up"));
    signal.addEventListener("abort", onAbort, { once: true });
    said.onOver(() => stop("said too much"));
    // An unkillable process may hold the output open; the pipe was read long before.
    child.once("exit", giveUpLater);
    try {
      const ended = await endOf(child, run, rest);
      if ("code" in ended) return { started: false, code: ended.code };
      return { started: true, status: ended.status, output: said.all(), errors: errors.all(), cut };
    } finally {
      cancelTimeout?.();
      cancelGrace();
      signal.removeEventListener("abort", onAbort);
      await rest?.end();
    }
  };
}

function start({ file, args, cwd, env }: ProgramRun, rest: MarkedProcesses | undefined): Child {
  const all = { ...env, ...rest?.env };
  return spawn(file, args, { cwd, env: all, detached: true, stdio: "pipe" });
}

function giveUp(child: Child): void {
  killGroup(child, "SIGKILL");
  // A process that left the group may hold these open for ever.
  child.stdout.destroy();
  child.stderr.destroy();
}

type Ended = { code: string } | { status: number | null };

function endOf(
  child: Child,
  { input }: ProgramRun,
  rest: MarkedProcesses | undefined,
): Promise<Ended> {
  if (child.pid !== undefined) rest?.watch(child.pid);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      if (child.pid === undefined) resolve({ code: codeOf(error) });
    });
    child.once("exit", () => {
      // Its orphans would hold the output open, and are not waited for.
      killGroup(child, "SIGKILL");
      void rest?.end();
    });
    child.once("close", (status) => resolve({ status }));
    // A program need not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

interface Gathered {
  all(): string;
  /** Called when the stream exceeds its limit. */
  onOver(over: () => void): void;
}

/** The first bytes of a stream, kept until the end or passed on as they arrive. */
function gather(
  stream: NodeJS.ReadableStream,
  bytesMax: number,
  onBytes?: (text: string) => void,
): Gathered {
  const decoder = new StringDecoder("utf8");
  const texts: string[] = [];
  const take = onBytes ?? ((text: string) => void texts.push(text));
  let bytes = 0;
  let over = (): void => undefined;
  const pass = (text: string): void => {
    if (text !== "") take(text);
  };
  stream.on("data", (chunk: Buffer) => {
    const room = bytesMax - bytes;
    bytes += chunk.length;
    if (room > 0) pass(decoder.write(chunk.subarray(0, room)));
    if (bytes > bytesMax) over();
  });
  // An incomplete character at the end.
  stream.once("close", () => pass(decoder.end()));
  stream.on("error", () => undefined);
  return { all: () => texts.join(""), onOver: (call) => void (over = call) };
}

function killGroup({ pid }: Child, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The complete group has ended.
  }
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "UNKNOWN";
}

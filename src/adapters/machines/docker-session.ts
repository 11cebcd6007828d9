import type { Socket } from "node:net";
import { sleep, type Clock } from "../../platform/clock.ts";
import { hasCode } from "../../platform/errors.ts";
import { type Engine, messageIn } from "./docker-api.ts";
import { findContainer } from "./docker-container.ts";
import { namesOf } from "./docker-names.ts";

/** A program that the engine runs in a machine, and the connection to it. */
export interface Session {
  readonly exec: string;
  readonly socket: Socket;
  readonly head: Uint8Array;
}

/** The reason: a system's code, EHOSTDOWN (no machine runs) or EHOSTUNREACH (no engine answers). */
export interface NoSession {
  readonly code: string;
}

/** The engine's name for the workspace's machine, if it runs. */
export async function runningMachine(
  engine: Engine,
  id: string,
  signal: AbortSignal,
): Promise<string | NoSession> {
  const found = await orNoSession(() => findContainer(engine, namesOf(id).machine, { id, signal }));
  if (found === null || found === "foreign") return { code: "EHOSTDOWN" };
  if ("code" in found) return found;
  return found.State.Status === "running" ? found.Id : { code: "EHOSTDOWN" };
}

interface Command {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Takes no signal: it must be known whether a program runs. */
export async function openSession(
  engine: Engine,
  container: string,
  { argv, env }: Command,
): Promise<Session | NoSession> {
  const { signal } = new AbortController();
  const Env = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true };
  const body = { ...streams, Env, Cmd: [...argv] };
  const path = `/containers/${container}/exec`;
  const created = await orNoSession(() => engine.send({ method: "POST", path, body, signal }));
  if ("code" in created) return created;
  if (created.status !== 201) return { code: codeOf(created.status, messageIn(created)) };
  const exec = (created.body as { Id: string }).Id;
  const start = { Detach: false, Tty: false };
  const started = await orNoSession(() =>
    engine.attach({ method: "POST", path: `/exec/${exec}/start`, body: start, signal }),
  );
  if ("code" in started) return started;
  return "socket" in started
    ? { exec, ...started }
    : { code: codeOf(started.status, messageIn(started)) };
}

async function orNoSession<T>(call: () => Promise<T>): Promise<T | NoSession> {
  try {
    return await call();
  } catch (error) {
    if (hasCode(error, "invalid")) return { code: "EINVAL" };
    const isStopped = hasCode(error, "unknown") && "stopped" in error.details;
    return { code: isStopped ? "ABORTED" : "EHOSTUNREACH" };
  }
}

/** The code for a message of the engine. */
export function codeOf(status: number, message: string): string {
  if (/resource temporarily unavailable/iu.test(message)) return "EAGAIN";
  if (/cannot allocate memory|out of memory/iu.test(message)) return "ENOMEM";
  if (/argument list too long/iu.test(message)) return "E2BIG";
  if (status === 404 || status === 409) return "EHOSTDOWN";
  return "ENOEXEC";
}

/** A program's stream may end a moment before the engine knows its exit status. */
const statusTriesMax = 50;
const statusRetryMs = 20;

/** Null: it cannot be known, as the machine or the engine is gone. */
export async function statusOf(engine: Engine, clock: Clock, exec: string): Promise<number | null> {
  for (let tries = 1; tries <= statusTriesMax; tries += 1) {
    const state = await execState(engine, exec);
    if (state?.Running !== true) return state?.ExitCode ?? null;
    await sleep(clock, statusRetryMs);
  }
  return null;
}

/** As far as that can be known. */
export async function hasEnded(engine: Engine, exec: string): Promise<boolean> {
  return (await execState(engine, exec))?.Running !== true;
}

interface ExecState {
  readonly Running: boolean;
  readonly ExitCode: number | null;
}

async function execState(engine: Engine, exec: string): Promise<ExecState | null> {
  const { signal } = new AbortController();
  const path = `/exec/${exec}/json`;
  const answer = await orNoSession(() => engine.send({ method: "GET", path, signal }));
  return "code" in answer || answer.status !== 200 ? null : (answer.body as ExecState);
}

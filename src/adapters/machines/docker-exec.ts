import { randomUUID } from "node:crypto";
import { clampMs, type Clock } from "../../platform/clock.ts";
import type { ProgramEnd, ProgramRun, Spawn } from "../../platform/process.ts";
import type { Engine } from "./docker-api.ts";
import { termination, killer, type Killer } from "./docker-killer.ts";
import { readOutput } from "./docker-output.ts";
import { hasEnded, openSession, runningMachine, statusOf, type Session } from "./docker-session.ts";

interface ExecOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly id: string;
}

/**
 * Changes to the folder, finds the program, and writes the first line of errors: the number of its process group, which it
 * leads, or the code of why it does not start. Then it becomes the program.
 */
const wrapper = `
fail() { echo "$1" >&2; exit 127; }
cd "$1" 2>/dev/null || fail ENOENT
program=$2
shift 2
case $program in
*/*) ;;
*)
  name=$program program= IFS=:
  set -f
  for folder in $PATH; do
    if [ -f "$folder/$name" ] && [ -x "$folder/$name" ]; then program=$folder/$name; break; fi
  done
  unset IFS
  ;;
esac
[ -e "$program" ] || fail ENOENT
[ -f "$program" ] && [ -x "$program" ] || fail EACCES
echo "$$" >&2
exec "$program" "$@"
`;

/** Runs programs in a machine, each at the head of a process group of its own. */
export function dockerExec(options: ExecOptions): Spawn {
  const { engine, id } = options;
  return async (run) => {
    if (run.signal.aborted) return { started: false, code: "ABORTED" };
    const container = await runningMachine(engine, id, run.signal);
    if (typeof container !== "string") return { started: false, ...container };
    if (run.signal.aborted) return { started: false, code: "ABORTED" };
    const mark = run.diesWithUs === true ? randomUUID() : "";
    const env = { ...run.env, ...(mark !== "" && { DAYBOOK_RUN_MARK: mark }) };
    const argv = ["/bin/sh", "-c", wrapper, "sh", run.cwd ?? ".", run.file, ...run.args];
    const session = await openSession(engine, container, { argv, env });
    if (!("socket" in session)) return { started: false, ...session };
    const killerOf = (group: string): Killer => killer({ ...options, container }, group, mark);
    return await follow(options, run, session, killerOf);
  };
}

async function follow(
  { engine, clock }: ExecOptions,
  run: ProgramRun,
  session: Session,
  killerOf: (group: string) => Killer,
): Promise<ProgramEnd> {
  const { signal, timeoutMs } = run;
  const { socket } = session;
  const end = termination(clock, () => socket.destroy());
  const output = readOutput(run, session, {
    started: (group) => end.attach(killerOf(group)),
    overflow: () => end.stop("said too much"),
  });
  const onAbort = (): void => end.stop("told to stop");
  const cancelTimeout =
    timeoutMs === undefined
      ? undefined
      : clock.after(clampMs(timeoutMs), () => end.stop("time is up"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    socket.end(run.input);
    const unwatched = watchUnread(run.input, { engine, clock }, session);
    await output.closed;
    unwatched();
    const status = await statusOf(engine, clock, session.exec);
    const failed = output.failed();
    if (failed !== null) return { started: false, code: failed };
    return { started: true, status: statusIn(status), ...output.texts(), cut: end.cut() };
  } finally {
    cancelTimeout?.();
    signal.removeEventListener("abort", onAbort);
    await end.end();
  }
}

/** Input that fits into a pipe the engine can always write. */
const pipeBytes = 16 * 1_024;
const unreadPollMs = 500;

/** With unread input left the engine does not report a program's end, so this polls for it. */
function watchUnread(
  input: string,
  { engine, clock }: Pick<ExecOptions, "engine" | "clock">,
  { exec, socket }: Session,
): () => void {
  if (Buffer.byteLength(input) <= pipeBytes) return () => undefined;
  let cancel = (): void => undefined;
  const poll = async (): Promise<void> => {
    const ended = await hasEnded(engine, exec);
    if (socket.destroyed) return;
    // Its last output may still be in flight.
    cancel = clock.after(unreadPollMs, () => (ended ? socket.destroy() : void poll()));
  };
  cancel = clock.after(unreadPollMs, () => void poll());
  return () => cancel();
}

/** The engine reports a signal as a shell does, as 128 and its number; programs rarely exit with these themselves. */
const endedBySignal = [134, 137, 139, 143];

function statusIn(status: number | null): number | null {
  return status !== null && endedBySignal.includes(status) ? null : status;
}

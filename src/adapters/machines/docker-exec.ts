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
 * Goes where it is told, finds the program, and says in the first line of its errors what came of that: the number of its
 * group, which it leads, or why it does not start. Then it becomes the program.
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
    const stand = (group: string): Killer => killer({ ...options, container }, group, mark);
    return await follow(options, run, session, stand);
  };
}

async function follow(
  { engine, clock }: ExecOptions,
  run: ProgramRun,
  session: Session,
  stand: (group: string) => Killer,
): Promise<ProgramEnd> {
  const { signal, timeoutMs } = run;
  const { socket } = session;
  const ending = termination(clock, () => socket.destroy());
  const heard = readOutput(run, session, {
    begun: (group) => ending.over(stand(group)),
    over: () => ending.stop("said too much"),
  });
  const onAbort = (): void => ending.stop("told to stop");
  const cancelTimeout =
    timeoutMs === undefined
      ? undefined
      : clock.after(clampMs(timeoutMs), () => ending.stop("time is up"));
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    socket.end(run.input);
    const unwatched = watchUnread(run.input, { engine, clock }, session);
    await heard.closed;
    unwatched();
    const status = await statusOf(engine, clock, session.exec);
    const failed = heard.failed();
    if (failed !== null) return { started: false, code: failed };
    return { started: true, status: statusIn(status), ...heard.texts(), cut: ending.cut() };
  } finally {
    cancelTimeout?.();
    signal.removeEventListener("abort", onAbort);
    await ending.end();
  }
}

/** What fits into a pipe the engine gets rid of, whether it is read or not. */
const pipeBytes = 16 * 1_024;
const unreadLookMs = 500;

/** A program need not read; but the engine, with input left, does not tell that it ended. So it is asked. */
function watchUnread(
  input: string,
  { engine, clock }: Pick<ExecOptions, "engine" | "clock">,
  { exec, socket }: Session,
): () => void {
  if (Buffer.byteLength(input) <= pipeBytes) return () => undefined;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    const ended = await hasEnded(engine, exec);
    if (socket.destroyed) return;
    // What it said last is on its way.
    cancel = clock.after(unreadLookMs, () => (ended ? socket.destroy() : void look()));
  };
  cancel = clock.after(unreadLookMs, () => void look());
  return () => cancel();
}

/** The engine tells of a signal as a shell does, 128 and its number; a program rarely means one of these itself. */
const endedBySignal = [134, 137, 139, 143];

function statusIn(status: number | null): number | null {
  return status !== null && endedBySignal.includes(status) ? null : status;
}

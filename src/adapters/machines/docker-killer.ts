import { sleep, type Clock } from "../../platform/clock.ts";
import type { ProgramEnd } from "../../platform/process.ts";
import type { Engine } from "./docker-api.ts";
import { openSession } from "./docker-session.ts";

/**
 * The engine cannot end a program in a machine, so a second program does: it sends the signals that it reads. When its input
 * closes, because the program or Daybook ended, it kills the rest of the group, and then every process with the mark.
 */
const script = `
while read -r word; do kill "-$word" "-$1" 2>/dev/null; done
kill -KILL "-$1" 2>/dev/null
[ -n "$2" ] || exit 0
looks=0
while [ $looks -lt 20 ]; do
  found=
  for each in $(grep -lsF "$2" /proc/[0-9]*/environ 2>/dev/null); do
    number=\${each#/proc/}
    kill -KILL "\${number%/environ}" 2>/dev/null && found=1
  done
  [ -n "$found" ] || exit 0
  looks=$((looks+1))
done
`;

export interface Killer {
  /** Sends SIGTERM to the group. */
  terminate(): void;
  /** Kills the rest of the group. Resolves when that is done, or cannot be. */
  end(): Promise<void>;
}

interface KillerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly container: string;
}

/** How long to wait for the killer's end. */
const endMs = 5_000;

/** `mark`: a value in the environment of all processes to end; empty: there is no mark. */
export function killer(options: KillerOptions, group: string, mark: string): Killer {
  const { engine, clock, container } = options;
  const argv = ["/bin/sh", "-c", script, "sh", group, mark];
  const opening = openSession(engine, container, { argv, env: {} });
  const opened = opening.then((session) => {
    if (!("socket" in session)) return undefined;
    session.socket.on("error", () => undefined);
    session.socket.resume();
    return session.socket;
  });
  return {
    terminate: () => void opened.then((socket) => socket?.write("TERM\n")),
    async end() {
      const socket = await opened;
      if (socket === undefined || socket.destroyed) return;
      const over = new AbortController();
      socket.once("close", () => over.abort());
      socket.end();
      await sleep(clock, endMs, over.signal);
      socket.destroy();
    },
  };
}

/** How long a program may take to end after SIGTERM, and its output to close after SIGKILL. */
const graceMs = 1_000;
const giveUpMs = 5_000;

type Cut = NonNullable<(ProgramEnd & { started: true })["cut"]>;

/** Ends a program on request, first with SIGTERM, then with SIGKILL. */
export interface Termination {
  /** Sets its killer, once its group is known. */
  attach(killer: Killer): void;
  stop(reason: Cut): void;
  cut(): Cut | null;
  /** Kills what the program left behind. */
  end(): Promise<void>;
}

export function termination(clock: Clock, giveUp: () => void): Termination {
  let reason: Cut | null = null;
  let its: Killer | undefined;
  let cancel = (): void => undefined;
  const kill = (): void => {
    void its?.end();
    // A process that cannot be killed may hold the output open for ever.
    cancel = clock.after(giveUpMs, giveUp);
  };
  return {
    attach(killer) {
      its = killer;
      if (reason !== null) killer.terminate();
    },
    stop(given) {
      if (reason !== null) return;
      reason = given;
      its?.terminate();
      cancel = clock.after(graceMs, kill);
    },
    cut: () => reason,
    async end() {
      cancel();
      await its?.end();
    },
  };
}

import { sleep, type Clock } from "../../platform/clock.ts";
import type { ProgramEnd } from "../../platform/process.ts";
import type { Engine } from "./docker-api.ts";
import { openSession } from "./docker-session.ts";

/**
 * The engine cannot end a program that it runs in a machine, so a second one stands by: it sends the signals that it
 * reads, and when nobody holds its input any more, because the program ended or because we did, it kills what is left of
 * the group, and then whatever carries the mark.
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
  /** Asks the group to end. */
  ask(): void;
  /** Kills what is left. Resolves when that is done, or cannot be. */
  end(): Promise<void>;
}

interface KillerOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly container: string;
}

/** What cannot be ended is not waited for. */
const endMs = 5_000;

/** `mark`: what the environment of all that is to end has in it; empty: nothing is marked. */
export function killer(options: KillerOptions, group: string, mark: string): Killer {
  const { engine, clock, container } = options;
  const argv = ["/bin/sh", "-c", script, "sh", group, mark];
  const opening = openSession(engine, container, { argv, env: {} });
  const standing = opening.then((session) => {
    if (!("socket" in session)) return undefined;
    session.socket.on("error", () => undefined);
    session.socket.resume();
    return session.socket;
  });
  return {
    ask: () => void standing.then((socket) => socket?.write("TERM\n")),
    async end() {
      const socket = await standing;
      if (socket === undefined || socket.destroyed) return;
      const over = new AbortController();
      socket.once("close", () => over.abort());
      socket.end();
      await sleep(clock, endMs, over.signal);
      socket.destroy();
    },
  };
}

/** How long a program that was told to stop may take to say what came of it, and then its end. */
const graceMs = 1_000;
const giveUpMs = 5_000;

type Cut = NonNullable<(ProgramEnd & { started: true })["cut"]>;

/** How a program is brought to its end, if that is asked for. */
export interface Termination {
  /** From now on this can end it. */
  over(killer: Killer): void;
  stop(why: Cut): void;
  cut(): Cut | null;
  /** Kills what the program left behind. */
  end(): Promise<void>;
}

export function termination(clock: Clock, giveUp: () => void): Termination {
  let why: Cut | null = null;
  let standing: Killer | undefined;
  let cancel = (): void => undefined;
  const kill = (): void => {
    void standing?.end();
    // What cannot be killed may hold its output open for ever.
    cancel = clock.after(giveUpMs, giveUp);
  };
  return {
    over(killer) {
      standing = killer;
      if (why !== null) killer.ask();
    },
    stop(given) {
      if (why !== null) return;
      why = given;
      standing?.ask();
      cancel = clock.after(graceMs, kill);
    },
    cut: () => why,
    async end() {
      cancel();
      await standing?.end();
    },
  };
}

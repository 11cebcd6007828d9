import type { Clock } from "../../platform/clock.ts";
import type { ProgramEnd } from "../../platform/process.ts";
import type { Killer } from "./docker-killer.ts";

/** How long a program that was told to stop may take to say what came of it, and then its end. */
const graceMs = 1_000;
const giveUpMs = 5_000;

type Cut = NonNullable<(ProgramEnd & { started: true })["cut"]>;

/** How a program is brought to its end, if that is asked for. */
export interface Ending {
  /** From now on this can end it. */
  over(killer: Killer): void;
  stop(why: Cut): void;
  cut(): Cut | null;
  /** Kills what the program left behind. */
  end(): Promise<void>;
}

export function endingOf(clock: Clock, giveUp: () => void): Ending {
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

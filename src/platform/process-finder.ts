import { randomUUID } from "node:crypto";
import { sleep, type Clock } from "./clock.ts";
import { watchDeath } from "./process-reaper.ts";
import { markedSearch } from "./process-search.ts";

/** What a program starts inherits its environment, wherever it goes: a mark in there tells whose it is. */
export interface Marked {
  /** What its environment has more. */
  readonly env: Readonly<Record<string, string>>;
  /** From now on the group and all that is marked die with us. */
  watch(group: number): void;
  /** Kills all that is marked, and calls off the watch. Resolves when nothing is left; asked again, it is the same. */
  end(): Promise<void>;
}

/** What cannot be killed (a disk that does not answer) is not waited for. */
const looksMax = 100;
const lookGapMs = 10;

/**
 * The mark is another for each program. The id of a run would not do: its next attempt may be at work on another
 * node of this machine. Where there is no `/proc`, nothing is found.
 */
export function marked(clock: Clock): Marked {
  const [name, value] = ["DAYBOOK_RUN_MARK", randomUUID()];
  const mark = `${name}=${value}`;
  let callOff = (): void => undefined;
  let ending: Promise<void> | undefined;
  return {
    env: { [name]: value },
    watch(group) {
      callOff = watchDeath(group, mark);
    },
    end() {
      ending ??= endAll(mark, clock).finally(() => callOff());
      return ending;
    },
  };
}

async function endAll(mark: string, clock: Clock): Promise<void> {
  const look = markedSearch(mark, clock);
  for (let looks = 1; looks <= looksMax; looks += 1) {
    const seen = await look();
    if (seen === "clear" || seen === "blind") return;
    await sleep(clock, seen === "found" ? lookGapMs : 1);
  }
}

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { sleep, type Clock } from "./clock.ts";

/**
 * What a look found: something with the mark, which is killed now; something that could not be told, so look again;
 * nothing, and all that ran was looked at; or that nobody can tell here.
 */
type SearchResult = "found" | "unsure" | "clear" | "blind";

/** How many processes are looked at before others have their turn. */
const atOnce = 100;

/**
 * A process that starts an heir and ends can be gone, or dead, or between two programs (exec) whenever it is looked
 * at. So a look is clear only if each process of its list was seen to be another's, and one without an environment
 * (a thread of the kernel, a dead one, one inside an exec) counts as that when it is there for the third time: an
 * heir of the dead is in the list that follows.
 */
const looksWithoutEnvironment = 3;

/** Looks through all processes for those with the mark in their environment, time after time, and kills them. */
export function markedSearch(mark: string, clock: Clock): () => Promise<SearchResult> {
  const others = new Set<number>();
  const empty = new Map<number, number>();

  function check(pid: number): Exclude<SearchResult, "blind"> {
    const environment = environmentOf(pid);
    if (environment === "gone") return "unsure";
    if (environment === "") {
      const times = (empty.get(pid) ?? 0) + 1;
      empty.set(pid, times);
      if (times < looksWithoutEnvironment) return "unsure";
    } else if (environment.includes(mark)) {
      kill(pid); // at once after the look: a number that is free may be another's soon
      return "found";
    }
    others.add(pid);
    return "clear";
  }

  return async function scan() {
    const pids = processes();
    if (pids.length === 0) return "blind";
    const seen = new Set<SearchResult>();
    for (const [index, pid] of pids.filter((each) => !others.has(each)).entries()) {
      if (index % atOnce === atOnce - 1) await sleep(clock, 0);
      seen.add(check(pid));
    }
    if (seen.has("found")) return "found";
    return seen.has("unsure") ? "unsure" : "clear";
  };
}

function processes(): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return ""; // how newer kernels say that it is there and has none
    return ["EACCES", "EPERM"].includes(code) ? "another user's" : "gone";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone.
  }
}

/**
 * It reads from us until we are gone, which ends the reading, and then kills the group, and what left it. It looks
 * ten times: what is killed may have started something since the look before.
 */
const script = `read -r line
kill -s KILL -- "-$0"
for look in 1 2 3 4 5 6 7 8 9 10; do
  for file in $(grep -lsF -- "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}"
  done
done`;

/**
 * Kills the process group when this process is gone, however it went, and every process with the mark in its
 * environment. The answer calls it off. Where there is no `sh`, nobody watches; where there is no `/proc`, the group
 * alone is killed.
 */
function killOnExit(group: number, mark: string): () => void {
  const watcher = spawn("/bin/sh", ["-c", script, `${group}`, mark], {
    env: {},
    // In a group of its own: what ends ours must not end it too.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  return () => {
    // First the watcher, then its pipe: the end of the pipe is what it waits for.
    watcher.kill("SIGKILL");
    watcher.stdin.destroy();
  };
}

/** What a program starts inherits its environment, wherever it goes: a mark in there tells whose it is. */
export interface MarkedProcesses {
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
export function markedProcesses(clock: Clock): MarkedProcesses {
  const [name, value] = ["DAYBOOK_RUN_MARK", randomUUID()];
  const mark = `${name}=${value}`;
  let callOff = (): void => undefined;
  let ending: Promise<void> | undefined;
  return {
    env: { [name]: value },
    watch(group) {
      callOff = killOnExit(group, mark);
    },
    end() {
      ending ??= endAll(mark, clock).finally(() => callOff());
      return ending;
    },
  };
}

async function endAll(mark: string, clock: Clock): Promise<void> {
  const scan = markedSearch(mark, clock);
  for (let looks = 1; looks <= looksMax; looks += 1) {
    const seen = await scan();
    if (seen === "clear" || seen === "blind") return;
    await sleep(clock, seen === "found" ? lookGapMs : 1);
  }
}

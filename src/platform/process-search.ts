import { readdirSync, readFileSync } from "node:fs";
import { sleep, type Clock } from "./clock.ts";

/**
 * What a look found: something with the mark, which is killed now; something that could not be told, so look again;
 * nothing, and all that ran was looked at; or that nobody can tell here.
 */
export type Look = "found" | "unsure" | "clear" | "blind";

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
export function markedSearch(mark: string, clock: Clock): () => Promise<Look> {
  const others = new Set<number>();
  const empty = new Map<number, number>();

  function lookAt(pid: number): Exclude<Look, "blind"> {
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

  return async function look() {
    const pids = processes();
    if (pids.length === 0) return "blind";
    const seen = new Set<Look>();
    for (const [index, pid] of pids.filter((each) => !others.has(each)).entries()) {
      if (index % atOnce === atOnce - 1) await sleep(clock, 0);
      seen.add(lookAt(pid));
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

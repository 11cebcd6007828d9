import { readFileSync, readlinkSync } from "node:fs";

/** What tells a process from a later one with its number, and this machine from others. */
export interface ProcessIdentity {
  /** The boot of the machine and the space of process numbers in it: a container may have its own. */
  readonly space: string;
  /** When it started, in the kernel's ticks since the boot. */
  readonly startedAt: string;
}

/** Undefined where there is no `/proc`, or where it shows another space of process numbers. */
export function processIdentity(pid: number = process.pid): ProcessIdentity | undefined {
  const space = spaceOf();
  const stat = space === undefined ? undefined : readStat(pid);
  if (space === undefined || stat === undefined) return undefined;
  return { space, startedAt: stat.startedAt };
}

/**
 * Whether the process is known to be gone. False when nobody can tell here: it was on another machine, before a reboot, or
 * in another container.
 */
export function isProcessGone(pid: number, known: ProcessIdentity): boolean {
  if (spaceOf() !== known.space) return false;
  const stat = readStat(pid);
  if (stat === undefined) return !isThere(pid);
  return stat.isDead || stat.startedAt !== known.startedAt;
}

function spaceOf(): string | undefined {
  try {
    if (readlinkSync("/proc/self") !== String(process.pid)) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

interface Stat {
  readonly startedAt: string;
  /** It has ended, and its parent has not yet asked how. */
  readonly isDead: boolean;
}

function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program stands in brackets, and may have spaces and brackets itself.
    const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const startedAt = fields[18];
    return startedAt === undefined ? undefined : { startedAt, isDead: "ZX".includes(state) };
  } catch {
    return undefined;
  }
}

/** `/proc` may hide the processes of other users; a signal does not. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // Node's errors have a code
  }
}

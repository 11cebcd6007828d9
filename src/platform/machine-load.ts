import { cpus, freemem, totalmem } from "node:os";

/** The load of this machine, in percent. */
export interface MachineLoad {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

interface MachineLoadOptions {
  /** Milliseconds since some start. */
  mono(): number;
  /** The disk to measure, in blocks. */
  disk(): Promise<Disk>;
  /** The text of a file. Throws when it is missing, as outside a container. */
  read(path: string): Promise<string>;
}

/** The fields of `statfs`. */
interface Disk {
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
}

/** The folder of the container's limits. */
const limits = "/sys/fs/cgroup";

/**
 * Measures this machine, or the container's share of it. The processor's load is that since the measurement before: the
 * first one has none to compare with, and counts it as idle.
 */
export function machineLoad(options: MachineLoadOptions): () => Promise<MachineLoad> {
  let before: Used | undefined;
  const read = (name: string): Promise<string> => options.read(`${limits}/${name}`).catch(() => "");
  return async () => {
    const used = (await containerTime(read, options.mono)) ?? machineTime();
    // The start of a program is work itself: it must not stop the work that it is for.
    const cpu = before?.of === used.of ? spent(before, used) : 0;
    before = used;
    const memory = (await containerMemory(read)) ?? machineMemory();
    return { cpu, memory, disk: diskUsed(await options.disk()) };
  };
}

/** Used time and total time, both counted from some start. */
interface Used {
  readonly of: "machine" | "container";
  readonly usedMs: number;
  readonly thereMs: number;
}

function spent(before: Used, now: Used): number {
  const thereMs = now.thereMs - before.thereMs;
  return thereMs <= 0 ? 0 : percent((now.usedMs - before.usedMs) / thereMs);
}

function machineTime(): Used {
  const [usedMs, thereMs] = cpus().reduce(
    ([used, there], { times: { user, nice, sys, irq, idle } }) => {
      const busy = user + nice + sys + irq;
      return [used + busy, there + busy + idle];
    },
    [0, 0],
  );
  return { of: "machine", usedMs, thereMs };
}

type Read = (name: string) => Promise<string>;

/** Only a container with a share of the time: other processes do not count. */
async function containerTime(read: Read, mono: () => number): Promise<Used | undefined> {
  const share = /^(\d+) (\d+)/.exec(await read("cpu.max"));
  const usage = /^usage_usec (\d+)$/m.exec(await read("cpu.stat"));
  if (share === null || usage === null) return undefined;
  const cores = Number(share[1]) / Number(share[2]);
  return { of: "container", usedMs: Number(usage[1]) / 1_000, thereMs: mono() * cores };
}

/** The page cache can be dropped at any time, so it is not counted as used. */
async function containerMemory(read: Read): Promise<number | undefined> {
  const most = Number.parseInt(await read("memory.max"), 10);
  const used = Number.parseInt(await read("memory.current"), 10);
  if (!(most > 0 && most < totalmem()) || Number.isNaN(used)) return undefined;
  const files = /^inactive_file (\d+)$/m.exec(await read("memory.stat"))?.[1] ?? "0";
  return percent((used - Number(files)) / most);
}

function machineMemory(): number {
  // There the free memory is always close to zero, and means nothing.
  if (process.platform === "darwin") return 0;
  return percent(1 - freemem() / totalmem());
}

/** As `df` counts: blocks for root alone are not counted. */
function diskUsed({ blocks, bfree, bavail }: Disk): number {
  const used = blocks - bfree;
  return used + bavail === 0 ? 0 : percent(used / (used + bavail));
}

function percent(share: number): number {
  return Math.min(Math.max(share * 100, 0), 100);
}

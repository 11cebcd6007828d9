import { availableParallelism, cpus, freemem, loadavg, totalmem } from "node:os";

/** How much of this machine is used, in percent. */
export interface MachineLoad {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
}

interface MachineLoadOptions {
  /** Milliseconds since some start. */
  mono(): number;
  /** The disk that fills up, in blocks. */
  disk(): Promise<Disk>;
  /** The text of a file. Throws when there is none, as where no container is. */
  read(path: string): Promise<string>;
}

/** As `statfs` tells it. */
interface Disk {
  readonly blocks: number;
  readonly bfree: number;
  readonly bavail: number;
}

/** Where the limits are that a container has. */
const limits = "/sys/fs/cgroup";

/** Measures this machine, or the part of it that a container has. */
export function machineLoad(options: MachineLoadOptions): () => Promise<MachineLoad> {
  let before: Used | undefined;
  const read = (name: string): Promise<string> => options.read(`${limits}/${name}`).catch(() => "");
  return async () => {
    const used = (await containerTime(read, options.mono)) ?? machineTime();
    const cpu = before?.of === used.of ? spent(before, used) : recently();
    before = used;
    const memory = (await containerMemory(read)) ?? machineMemory();
    return { cpu, memory, disk: diskUsed(await options.disk()) };
  };
}

/** Time that was used, of the time that there was, both counted from some start. */
interface Used {
  readonly of: "machine" | "container";
  readonly usedMs: number;
  readonly thereMs: number;
}

function spent(before: Used, now: Used): number {
  const thereMs = now.thereMs - before.thereMs;
  return thereMs <= 0 ? recently() : percent((now.usedMs - before.usedMs) / thereMs);
}

/** How much waited to run in the last minute: what is known before time has passed between two looks. */
function recently(): number {
  return percent((loadavg()[0] ?? 0) / availableParallelism());
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

/** Only a container that has a share of the time: what others use beside it does not count. */
async function containerTime(read: Read, mono: () => number): Promise<Used | undefined> {
  const share = /^(\d+) (\d+)/.exec(await read("cpu.max"));
  const usage = /^usage_usec (\d+)$/m.exec(await read("cpu.stat"));
  if (share === null || usage === null) return undefined;
  const cores = Number(share[1]) / Number(share[2]);
  return { of: "container", usedMs: Number(usage[1]) / 1_000, thereMs: mono() * cores };
}

/** What was read from files and can be read again at any time is not used. */
async function containerMemory(read: Read): Promise<number | undefined> {
  const most = Number.parseInt(await read("memory.max"), 10);
  const used = Number.parseInt(await read("memory.current"), 10);
  if (!(most > 0 && most < totalmem()) || Number.isNaN(used)) return undefined;
  const files = /^inactive_file (\d+)$/m.exec(await read("memory.stat"))?.[1] ?? "0";
  return percent((used - Number(files)) / most);
}

function machineMemory(): number {
  // There what is free is next to nothing at all times, and says nothing.
  if (process.platform === "darwin") return 0;
  return percent(1 - freemem() / totalmem());
}

/** As `df` counts: what only root may use is not there. */
function diskUsed({ blocks, bfree, bavail }: Disk): number {
  const used = blocks - bfree;
  return used + bavail === 0 ? 0 : percent(used / (used + bavail));
}

function percent(share: number): number {
  return Math.min(Math.max(share * 100, 0), 100);
}

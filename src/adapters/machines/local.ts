import { mkdir, readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import {
  type StartContext,
  type Machines,
  type MachineSpec,
  type Volumes,
  type Observation,
  nothingExists,
} from "../../features/workspaces/index.ts";
import { throwIfStopped } from "../../platform/byte-stream.ts";
import type { Clock } from "../../platform/clock.ts";
import { diskFault, errnoOf } from "../../platform/disk-fault.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { ProgramEnd, Spawn } from "../../platform/process.ts";
import {
  isLocalId,
  localPaths,
  readMachine,
  readVolume,
  writeMachine,
  type LocalPaths,
} from "./local-paths.ts";
import { localProcesses, type Processes } from "./local-process.ts";
import { localVolumes, noVolume, ourVolume } from "./local-volume.ts";

interface LocalOptions {
  /** The folder of the workspaces, an absolute path. Nothing else is kept there. */
  readonly folder: string;
  /** The name of this machine: other nodes do not see its workspaces. */
  readonly node: string;
  readonly clock: Clock;
  readonly spawn: Spawn;
}

const startsMax = 5;
/** Bounds the open files. */
const readsAtOnce = 100;

/**
 * Workspaces as folders of this machine, and machines as idle processes, which outlive the daemon. Programs run as Daybook's
 * user, with the installed software; images and limits have no effect.
 */
export function local(options: LocalOptions): Machines {
  const folder = resolve(options.folder);
  const { spawn, node } = options;
  const processes = localProcesses(options);
  const at = (id: string) => localPaths(folder, id);
  const guarded = <T>(doing: string, signal: AbortSignal, run: () => Promise<T>) =>
    withFaults(folder, doing, signal, run);
  return {
    name: "local",
    location: `local:${node}`,
    list: (signal) => guarded("listing workspaces", signal, () => listAll(folder, processes)),
    inspect: (id, signal) =>
      guarded(`inspecting ${id}`, signal, async () => observe(at(id), processes)),
    start: (spec, context) =>
      guarded(`starting ${spec.id}`, context.signal, () =>
        startMachine({ paths: at(spec.id), processes }, spec, context),
      ),
    remove: (id, signal) =>
      guarded(`removing ${id}`, signal, () => removeMachine(at(id), processes)),
    exec: (id) => execIn({ folder, id, spawn, processes }),
    volumes: volumesWithFaults(localVolumes({ folder, spawn }), guarded),
    check: (signal) =>
      guarded("checking local machines", signal, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await listAll(folder, processes);
        return `workspaces in ${folder}`;
      }),
  };
}

/** The machines of the folder that run, by the names of their workspaces: they outlive the daemon. */
export async function runningLocally(
  options: Pick<LocalOptions, "folder" | "clock" | "spawn">,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const processes = localProcesses(options);
  const found: { id: string; name: string }[] = [];
  for (const id of await idsIn(resolve(options.folder))) {
    const machine = await readMachine(localPaths(resolve(options.folder), id));
    if (machine === null || machine === "unreadable") continue;
    if (await processes.isAlive(machine)) found.push({ id, name: machine.name ?? id });
  }
  return found;
}

type WithFaults = <T>(doing: string, signal: AbortSignal, run: () => Promise<T>) => Promise<T>;

async function withFaults<T>(
  folder: string,
  doing: string,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  throwIfStopped(signal);
  try {
    return await run();
  } catch (error) {
    throw diskFault(error, doing, { endpoint: folder });
  }
}

function volumesWithFaults(volumes: Volumes, guarded: WithFaults): Volumes {
  return {
    provision: (volume, signal) =>
      guarded(`creating the volume of ${volume.id}`, signal, () =>
        volumes.provision(volume, signal),
      ),
    read: (id, signal) =>
      guarded(`reading the volume of ${id}`, signal, () => volumes.read(id, signal)),
    restore: (volume, tar, signal) =>
      guarded(`restoring the volume of ${volume.id}`, signal, () =>
        volumes.restore(volume, tar, signal),
      ),
    remove: (id, signal) =>
      guarded(`removing the volume of ${id}`, signal, () => volumes.remove(id, signal)),
  };
}

async function idsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return []; // no workspace was ever created
    throw error;
  });
  return names.filter(isLocalId);
}

async function listAll(folder: string, processes: Processes): Promise<Map<string, Observation>> {
  const ids = await idsIn(folder);
  const all = new Map<string, Observation>();
  for (let from = 0; from < ids.length; from += readsAtOnce) {
    const some = ids.slice(from, from + readsAtOnce).map(async (id) => {
      const observation = await observe(localPaths(folder, id), processes);
      if (observation.machine !== null || observation.volume !== null) all.set(id, observation);
    });
    await Promise.all(some);
  }
  return all;
}

async function observe(paths: LocalPaths, processes: Processes): Promise<Observation> {
  const volume = await readVolume(paths);
  // A folder without our volume file is not ours.
  if (volume === null || volume === "foreign") return nothingExists;
  return { machine: await machineState(paths, processes), volume: { marker: volume.marker } };
}

async function machineState(
  paths: LocalPaths,
  processes: Processes,
): Promise<Observation["machine"]> {
  const machine = await readMachine(paths);
  if (machine === null) return null;
  return machine !== "unreadable" && (await processes.isAlive(machine)) ? "running" : "stopped";
}

/** When two nodes start it at once, the process that is recorded first stays, and the other is ended. */
async function startMachine(
  { paths, processes }: { paths: LocalPaths; processes: Processes },
  { name }: MachineSpec,
  { signal }: StartContext,
): Promise<void> {
  if ((await ourVolume(paths)) === null) throw noVolume(paths);
  for (let starts = 1; starts <= startsMax; starts += 1) {
    const machine = await machineState(paths, processes);
    if (machine === "running") return;
    if (machine === "stopped") await removeMachine(paths, processes);
    throwIfStopped(signal);
    const created = await processes.launch(paths, name);
    const isOwned = await writeMachine(paths, created).catch((error: unknown) => {
      processes.drop(created);
      throw error;
    });
    if (!isOwned) processes.drop(created);
    else if (signal.aborted) await removeMachine(paths, processes);
  }
  if ((await machineState(paths, processes)) === "running") return;
  const sentence = `The machine of ${paths.id} ends right after each start: check what else starts or ends it.`;
  throw new DaybookError("busy", sentence);
}

async function removeMachine(paths: LocalPaths, processes: Processes): Promise<void> {
  await ourVolume(paths);
  const machine = await readMachine(paths);
  await processes.end(paths, machine === "unreadable" ? null : machine);
  await rm(paths.machineFile, { force: true });
}

interface ExecOptions {
  readonly folder: string;
  readonly id: string;
  readonly spawn: Spawn;
  readonly processes: Processes;
}

function execIn({ folder, id, spawn, processes }: ExecOptions): Spawn {
  return async (run) => {
    if (run.signal.aborted) return { started: false, code: "ABORTED" };
    if (!isLocalId(id)) return { started: false, code: "EINVAL" };
    const paths = localPaths(folder, id);
    const runs = async () => (await machineState(paths, processes).catch(() => null)) === "running";
    const none: ProgramEnd = { started: false, code: "NOT_RUNNING" };
    if (!(await runs())) return none;
    const gone = new AbortController();
    const running = spawn({
      ...run,
      cwd: resolve(paths.home, run.cwd ?? "."),
      env: { ...run.env, ...processes.environmentOf(paths) },
      signal: AbortSignal.any([run.signal, gone.signal]),
    });
    // The machine may have been removed between the check and the start: nothing else would end the program.
    if (!(await runs())) gone.abort();
    return running;
  };
}

import { mkdir, readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type {
  MachineDesk,
  Machines,
  Sighting,
  Volumes,
} from "../../features/workspaces/machines.ts";
import { nothingThere } from "../../features/workspaces/observation.ts";
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
  /** Where the workspaces are; an absolute path. Nobody else keeps anything there. */
  readonly folder: string;
  /** Names this machine: what is here, no other node sees. */
  readonly node: string;
  readonly clock: Clock;
  readonly spawn: Spawn;
}

const startsMax = 5;
/** A process may have only so many files open. */
const readsAtOnce = 100;

/**
 * Workspaces as folders of this machine, and machines as processes that do nothing but live: they outlive us, and are taken up
 * again. Programs run as the user that runs Daybook, on what is installed; images and limits mean nothing here.
 */
export function local(options: LocalOptions): Machines {
  const folder = resolve(options.folder);
  const { spawn, node } = options;
  const processes = localProcesses(options);
  const at = (id: string) => localPaths(folder, id);
  const asked = <T>(doing: string, signal: AbortSignal, run: () => Promise<T>) =>
    withFaults(folder, doing, signal, run);
  return {
    name: "local",
    place: `local:${node}`,
    list: (signal) => asked("listing workspaces", signal, () => listed(folder, processes)),
    look: (id, signal) => asked(`looking at ${id}`, signal, async () => observe(at(id), processes)),
    start: (spec, desk) =>
      asked(`starting ${spec.id}`, desk.signal, () => started(at(spec.id), processes, desk)),
    remove: (id, signal) => asked(`removing ${id}`, signal, () => removed(at(id), processes)),
    exec: (id) => execIn({ folder, id, spawn, processes }),
    volumes: volumesWithFaults(localVolumes({ folder, spawn }), asked),
    check: (signal) =>
      asked("trying local machines", signal, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await listed(folder, processes);
        return `workspaces in ${folder}`;
      }),
  };
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

function volumesWithFaults(volumes: Volumes, asked: WithFaults): Volumes {
  return {
    provision: (volume, signal) =>
      asked(`making the volume of ${volume.id}`, signal, () => volumes.provision(volume, signal)),
    read: (id, signal) =>
      asked(`reading the volume of ${id}`, signal, () => volumes.read(id, signal)),
    restore: (volume, tar, signal) =>
      asked(`restoring the volume of ${volume.id}`, signal, () =>
        volumes.restore(volume, tar, signal),
      ),
    remove: (id, signal) =>
      asked(`removing the volume of ${id}`, signal, () => volumes.remove(id, signal)),
  };
}

async function listed(folder: string, processes: Processes): Promise<Map<string, Sighting>> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === "ENOENT") return []; // nothing was ever made
    throw error;
  });
  const ids = names.filter(isLocalId);
  const all = new Map<string, Sighting>();
  for (let from = 0; from < ids.length; from += readsAtOnce) {
    const some = ids.slice(from, from + readsAtOnce).map(async (id) => {
      const observation = await observe(localPaths(folder, id), processes);
      if (observation.machine !== null || observation.volume !== null) all.set(id, observation);
    });
    await Promise.all(some);
  }
  return all;
}

async function observe(place: LocalPaths, processes: Processes): Promise<Sighting> {
  const volume = await readVolume(place);
  // Without its volume a folder is none of ours, and neither is what else is in it.
  if (volume === null || volume === "foreign") return nothingThere;
  return { machine: await machineState(place, processes), volume: { marker: volume.marker } };
}

async function machineState(place: LocalPaths, processes: Processes): Promise<Sighting["machine"]> {
  const machine = await readMachine(place);
  if (machine === null) return null;
  return machine !== "unreadable" && (await processes.isAlive(machine)) ? "running" : "stopped";
}

/** Two nodes may start it at once: the one whose process is written down first has it, and the other's goes. */
async function started(
  place: LocalPaths,
  processes: Processes,
  { signal }: MachineDesk,
): Promise<void> {
  if ((await ourVolume(place)) === null) throw noVolume(place);
  for (let starts = 1; starts <= startsMax; starts += 1) {
    const machine = await machineState(place, processes);
    if (machine === "running") return;
    if (machine === "stopped") await removed(place, processes);
    throwIfStopped(signal);
    const made = await processes.launch(place);
    const isOurs = await writeMachine(place, made).catch((error: unknown) => {
      processes.drop(made);
      throw error;
    });
    if (!isOurs) processes.drop(made);
    else if (signal.aborted) await removed(place, processes);
  }
  if ((await machineState(place, processes)) === "running") return;
  const sentence = `The machine of ${place.id} ends as soon as it is started: look what else starts or ends it.`;
  throw new DaybookError("busy", sentence);
}

async function removed(place: LocalPaths, processes: Processes): Promise<void> {
  await ourVolume(place);
  const machine = await readMachine(place);
  await processes.end(place, machine === "unreadable" ? null : machine);
  await rm(place.machineFile, { force: true });
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
    const place = localPaths(folder, id);
    const runs = async () => (await machineState(place, processes).catch(() => null)) === "running";
    const none: ProgramEnd = { started: false, code: "NOT_RUNNING" };
    if (!(await runs())) return none;
    const gone = new AbortController();
    const running = spawn({
      ...run,
      cwd: resolve(place.home, run.cwd ?? "."),
      env: { ...run.env, ...processes.environmentOf(place) },
      signal: AbortSignal.any([run.signal, gone.signal]),
    });
    // Its machine may have been removed between the look and the start: nobody would end it then.
    if (!(await runs())) gone.abort();
    return running;
  };
}

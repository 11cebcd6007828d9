import { hostname } from "node:os";
import { type Machines, nothingExists, type Observation } from "../../features/workspaces/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import {
  type Engine,
  bodyOf,
  noAnswer,
  defaultDockerHost,
  engineHost,
  type EngineHost,
} from "./docker-api.ts";
import { findContainer, machineState, ownContainer, removeContainer } from "./docker-container.ts";
import { engine as engineAt } from "./docker-engine.ts";
import { dockerExec } from "./docker-exec.ts";
import { dockerVolumes } from "./docker-helper.ts";
import { isOwned, labels, namesOf, type Labels } from "./docker-names.ts";
import { startMachine } from "./docker-start.ts";
import { findVolume, markerOf, type Volume } from "./docker-volume.ts";

export interface DockerOptions {
  clock: Clock;
  /** As in DOCKER_HOST. */
  host?: string;
  /** The engine's name for all nodes that reach it. Default: its host's. */
  location?: string;
  /** The engine's name of the machines' network. */
  network?: string;
  /** Whether an image that the engine lacks is pulled. Default: false. */
  pull?: boolean;
  /** For one exchange with the engine. */
  timeoutMs?: number;
}

/** Workspaces as containers, each on a volume of its own, of one Docker engine. */
export function dockerMachines(options: DockerOptions): Machines {
  const { clock, network = "bridge", pull = false, timeoutMs = 60_000 } = options;
  const host = engineHost(options.host ?? defaultDockerHost);
  const unversioned = engineAt({ clock, host, timeoutMs, prefix: () => Promise.resolve("") });
  let prefix: string | undefined;
  const fetchPrefix = async (signal: AbortSignal): Promise<string> => {
    prefix ??= `/v${(await fetchVersion(unversioned, signal)).api}`;
    return prefix;
  };
  const engine = engineAt({ clock, host, timeoutMs, prefix: fetchPrefix });
  return {
    name: "docker",
    location: options.location ?? locationOf(host),
    list: (signal) => list(engine, signal),
    inspect: (id, signal) => observe(engine, id, signal),
    start: (spec, context) => startMachine({ engine, clock, network, pull }, spec, context),
    async remove(id, signal) {
      const found = await ownContainer(engine, namesOf(id).machine, { id, signal });
      if (found !== null) await removeContainer(engine, clock, found, signal);
    },
    exec: (id) => dockerExec({ engine, clock, id }),
    volumes: dockerVolumes({ engine, clock }),
    async check(signal) {
      const { version, api } = await fetchVersion(unversioned, signal);
      return `Docker ${version}, API ${api}`;
    },
  };
}

function locationOf(host: EngineHost): string {
  return `docker:${"socketPath" in host ? hostname() : host.host}`.toLowerCase();
}

async function observe(engine: Engine, id: string, signal: AbortSignal): Promise<Observation> {
  const names = namesOf(id);
  const [container, volume] = await Promise.all([
    findContainer(engine, names.machine, { id, signal }),
    findVolume(engine, names.volume, { id, signal }),
  ]);
  return {
    machine: isFound(container)
      ? machineState(container.State.Status, container.State.Health?.Status)
      : null,
    volume: isFound(volume) ? { marker: markerOf(volume) } : null,
  };
}

function isFound<T extends object>(found: T | "foreign" | null): found is T {
  return found !== null && found !== "foreign";
}

interface Listed {
  readonly Names?: readonly string[] | null;
  readonly State: string;
  readonly Status?: string;
  readonly Labels?: Labels;
}

async function list(
  engine: Engine,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Observation>> {
  const filters = JSON.stringify({ label: [labels.workspace] });
  const [containers, volumes] = await Promise.all([
    engine.send({ method: "GET", path: "/containers/json", query: { all: "1", filters }, signal }),
    engine.send({ method: "GET", path: "/volumes", query: { filters }, signal }),
  ]);
  const seen = new Map<string, Observation>();
  const add = (id: string, part: Partial<Observation>): void =>
    void seen.set(id, { ...(seen.get(id) ?? nothingExists), ...part });
  for (const each of listIn(bodyOf(containers, "list its containers", 200)) as Listed[]) {
    const names = each.Names?.map((name) => name.replace("/", ""));
    const id = idOf(each.Labels, names, "machine");
    if (id !== null) add(id, { machine: machineState(each.State, healthIn(each.Status)) });
  }
  const { Volumes } = (bodyOf(volumes, "list its volumes", 200) ?? {}) as { Volumes?: unknown };
  for (const each of listIn(Volumes === null ? [] : Volumes) as Volume[]) {
    const id = idOf(each.Labels, [each.Name], "volume");
    if (id !== null) add(id, { volume: { marker: markerOf(each) } });
  }
  return seen;
}

/** Never an empty list by mistake: every workspace would look missing. */
function listIn(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw noAnswer("its answer is not a list");
  return answer;
}

/** A labelled container under another name (a helper, a copy) belongs to no workspace. */
function idOf(
  found: Labels,
  names: readonly string[] = [],
  what: "machine" | "volume",
): string | null {
  const id = found?.[labels.workspace] ?? "";
  try {
    return isOwned(found, id) && names.includes(namesOf(id)[what]) ? id : null;
  } catch {
    return null;
  }
}

/** A list has the health only in its text: `Up 2 seconds (health: starting)`. */
function healthIn(status = ""): string | undefined {
  return /\((?:health: )?(starting|healthy|unhealthy)\)/u.exec(status)?.[1];
}

/** Older APIs lack calls that are used here; newer engines still speak the second. */
const oldest: ApiVersion = [1, 41];
const preferred: ApiVersion = [1, 44];

type ApiVersion = readonly [major: number, minor: number];

interface EngineVersion {
  readonly version: string;
  /** The API version that both speak. */
  readonly api: string;
}

interface VersionAnswer {
  Version?: string;
  ApiVersion?: string;
  MinAPIVersion?: string;
}

/** Asks without a version which versions an engine speaks. */
async function fetchVersion(unversioned: Engine, signal: AbortSignal): Promise<EngineVersion> {
  const answer = await unversioned.send({ method: "GET", path: "/version", signal });
  const body = bodyOf(answer, "report its version", 200) as VersionAnswer;
  return { version: body.Version ?? "unknown", api: apiOf(body) };
}

function apiOf(answer: VersionAnswer): string {
  const newest = versionOf(answer.ApiVersion);
  if (isBefore(newest, oldest)) {
    const has = answer.ApiVersion ?? "none";
    const toDo = "install Docker 20.10 or newer";
    throw new DaybookError(
      "unsupported",
      `The Docker engine has API ${has}, but ${oldest.join(".")} is required: ${toDo}.`,
      { details: { endpoint: "docker" } },
    );
  }
  const least = versionOf(answer.MinAPIVersion);
  const common = isBefore(newest, preferred) ? newest : preferred;
  return (isBefore(common, least) ? least : common).join(".");
}

function versionOf(text = ""): ApiVersion {
  const [, major = "0", minor = "0"] = /^(\d+)\.(\d+)$/u.exec(text) ?? [];
  return [Number(major), Number(minor)];
}

function isBefore(one: ApiVersion, two: ApiVersion): boolean {
  return one[0] - two[0] < 0 || (one[0] === two[0] && one[1] < two[1]);
}

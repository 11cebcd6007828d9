import { createHash } from "node:crypto";
import type { MachineSpec, Observation } from "../../features/workspaces/index.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";
import { type Engine, bodyOf, inUse, messageIn } from "./docker-api.ts";
import { homePath, isOwned, labels, foreignError, type Labels } from "./docker-names.ts";

/** The engine's view of a container. */
export interface Container {
  readonly Id: string;
  readonly Config: { readonly Labels?: Labels };
  readonly State: {
    readonly Status: string;
    readonly OOMKilled?: boolean;
    readonly ExitCode?: number;
    readonly Error?: string;
    readonly Health?: Health | null;
  };
}

interface Health {
  readonly Status: string;
  readonly Log?: readonly { readonly ExitCode: number; readonly Output: string }[] | null;
}

/** By its name; null: there is none; `foreign`: it is not this workspace's. */
export async function findContainer(
  engine: Engine,
  name: string,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<Container | "foreign" | null> {
  const answer = await engine.send({ method: "GET", path: `/containers/${name}/json`, signal });
  if (answer.status === 404) return null;
  const found = bodyOf(answer, `inspect the container ${name}`, 200) as Container;
  return isOwned(found.Config.Labels, id) ? found : "foreign";
}

/** The same, but throws for a foreign one. */
export async function ownContainer(
  engine: Engine,
  name: string,
  about: { id: string; signal: AbortSignal },
): Promise<Container | null> {
  const found = await findContainer(engine, name, about);
  if (found === "foreign") throw foreignError("container", name);
  return found;
}

/** `status` and `health` are the engine's words. */
export function machineState(status: string, health: string | undefined): Observation["machine"] {
  if (status === "restarting") return "starting";
  if (status !== "running") return "stopped";
  return health === undefined || health === "none" || health === "healthy" ? "running" : "starting";
}

/** Idles in any image that has a shell, and ends on SIGTERM. */
const idle = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done";

export interface MachineOptions {
  /** The engine's name of the machines' network. */
  readonly network: string;
  readonly volumeName: string;
  readonly image: string;
}

/**
 * The body of a container. Only the image and the limits come from the request, so no request can add a privilege. It is root
 * without capabilities: it owns its files, whatever the image, and has none of root's powers (chown, other users, raw sockets,
 * devices).
 */
export function machineBody(spec: MachineSpec, options: MachineOptions): Record<string, Json> {
  const { id, owner, limits } = spec;
  const memory = Math.round(limits.memoryMb * 1_024 * 1_024);
  const body = {
    Image: options.image,
    Entrypoint: ["/bin/sh", "-c", idle],
    Cmd: [],
    User: "0:0",
    WorkingDir: homePath,
    Env: [`HOME=${homePath}`],
    HostConfig: {
      NetworkMode: options.network,
      Memory: memory,
      // No swap: a program over the limit ends instead of slowing down others.
      MemorySwap: memory,
      NanoCpus: Math.round(limits.cpus * 1_000_000_000),
      PidsLimit: limits.pids,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      RestartPolicy: { Name: "no" },
      Init: true,
      Mounts: [homeMount(id, options.volumeName)],
    },
  };
  const hash = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  const ours = { [labels.workspace]: id, [labels.owner]: owner, [labels.spec]: hash };
  return { ...body, Labels: ours };
}

/**
 * The engine creates a missing volume. A lost volume must not come back as a new, complete one, so its label names an archive that
 * does not exist.
 */
export function homeMount(id: string, volumeName: string): Record<string, Json> {
  const lost = { [labels.workspace]: id, [labels.restore]: "lost" };
  const options = { NoCopy: true, Labels: lost };
  return { Type: "volume", Source: volumeName, Target: homePath, VolumeOptions: options };
}

/** How long to wait for another node's removal. */
const removalTriesMax = 100;
const removalRetryMs = 100;

/** Ends and removes a container by its id: its name could be another's by now. */
export async function removeContainer(
  engine: Engine,
  clock: Clock,
  { Id }: Pick<Container, "Id">,
  signal: AbortSignal,
): Promise<void> {
  const path = `/containers/${Id}`;
  for (let tries = 1; tries <= removalTriesMax; tries += 1) {
    const answer = await engine.send({ method: "DELETE", path, query: { force: "1" }, signal });
    if (answer.status !== 409) {
      bodyOf(answer, `remove the container ${Id}`, 204, 404);
      return;
    }
    if (tries === removalTriesMax) throw inUse(`The container ${Id}`, messageIn(answer));
    await sleep(clock, removalRetryMs, signal);
  }
}

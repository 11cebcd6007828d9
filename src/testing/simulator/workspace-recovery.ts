import { collector, collectorMemory } from "../../features/workspaces/garbage-collector.ts";
import { sleep } from "../../platform/clock.ts";
import { chance } from "../chance.ts";
import { startProcess, type ClientPorts } from "./client-process.ts";
import { currentProcess } from "./kernel.ts";
import { owners } from "./targets.ts";
import type { SimulatedBackend } from "./workspace-backend.ts";
import { recover, removeNow, runWorkspaceClient, workspacesOf } from "./workspace-client.ts";
import type { World } from "./world.ts";

/** Whoever has workspaces. */
export function startWorkspaceClients(world: World): void {
  const { backend } = world;
  if (backend === undefined) return;
  const isLong = world.scale.name === "workspaces";
  for (const [index, owner] of owners.entries()) {
    const name = `keeper-${index}`;
    const schedules = world.schedules.get(owner) ?? [];
    world.schedules.set(owner, schedules);
    world.busyClients += 1;
    startProcess(world, { name, salt: 110 + index }, async (parts) => {
      const busy = (): boolean => world.phase === "disruption";
      const pace = isLong ? { count: 25, restMs: 4_000 } : { count: 2, restMs: 8_000 };
      // A schedule in it is for the world that is about them.
      const made = isLong ? schedules : ["", "", ""];
      await runWorkspaceClient({ ...parts, ...pace, name, owner, backend, schedules: made, busy });
      world.busyClients -= 1;
    });
  }
}

const quietMs = 3 * 60_000;
const collectOneIn = 0.25;

/** Waits until every workspace is as it should be, and a while longer: then nothing is done to it. */
export async function awaitConvergence(
  world: World,
  owner: string,
  parts: ClientPorts,
): Promise<void> {
  const { ledger, clock, random } = parts;
  const book = ledger.of(owner, `closer-${owner}`);
  const recoverAll = async (): Promise<void> => {
    for (const record of await workspacesOf(book)) {
      if (record.outcome?.errorInfo?.reason === "DataLost") continue;
      await recover({ book }, record).catch(() => undefined);
    }
  };
  while (world.oracle.unconverged().length > 0 && !world.hasFailed()) {
    await recoverAll().catch(() => undefined);
    await sleep(clock, 2 * world.scale.checkMs);
  }
  await sleep(clock, quietMs);
  if (world.backend === undefined || world.scale.name !== "workspaces") return;
  if (owner === owners[0] && chance(random, collectOneIn))
    await collectAll(world, world.backend, parts);
}

const hourMs = 3_600_000;

/** Most are deleted; what they leave is collected by itself, or when somebody says so. */
async function collectAll(
  world: World,
  backend: SimulatedBackend,
  parts: ClientPorts,
): Promise<void> {
  const { ledger, clock } = parts;
  for (const owner of owners) {
    const book = ledger.of(owner, "closer");
    for (const record of (await workspacesOf(book)).slice(3)) {
      await removeNow({ book, clock }, record).catch(() => undefined);
    }
  }
  await sleep(clock, 3.2 * hourMs);
  const process = currentProcess();
  if (process === undefined) return;
  const collect = collector({ ledger, archives: backend.archivesFor(process) });
  const memory = await collectorMemory(ledger);
  const { signal } = new AbortController();
  await collect({ now: Math.floor(world.clock.now()), memory, signal, isConfirmed: true });
  world.oracle.garbageCollected();
}

import { collector, collectorMemory } from "../../features/workspaces/garbage-collector.ts";
import { sleep } from "../../platform/clock.ts";
import { chance } from "../chance.ts";
import type { Cast } from "./cast.ts";
import { enter, type Visitor } from "./enter.ts";
import type { KeepWorld } from "./keep-world.ts";
import { recover, removeNow, runKeeper, workspacesOf } from "./keepers.ts";
import { currentLife } from "./kernel.ts";
import { owners } from "./targets.ts";

/** Whoever has workspaces. */
export function inviteKeepers(cast: Cast): void {
  const { keep: world } = cast;
  if (world === undefined) return;
  const isLong = cast.scale.name === "always";
  for (const [index, owner] of owners.entries()) {
    const name = `keeper-${index}`;
    const schedules = cast.schedules.get(owner) ?? [];
    cast.schedules.set(owner, schedules);
    cast.plannersBusy += 1;
    enter(cast, { name, salt: 110 + index }, async (parts) => {
      const busy = (): boolean => cast.phase === "wrong";
      const how = isLong ? { count: 25, restMs: 4_000 } : { count: 2, restMs: 8_000 };
      // A schedule in it is for the world that is about them.
      const made = isLong ? schedules : ["", "", ""];
      await runKeeper({ ...parts, ...how, name, owner, world, schedules: made, busy });
      cast.plannersBusy -= 1;
    });
  }
}

const quietMs = 3 * 60_000;
const collectOneIn = 0.25;

/** Waits until every workspace is as it should be, and a while longer: then nothing is done to it. */
export async function endKeeping(cast: Cast, owner: string, parts: Visitor): Promise<void> {
  const { ledger, clock, random } = parts;
  const book = ledger.of(owner, `closer-${owner}`);
  const mend = async (): Promise<void> => {
    for (const record of await workspacesOf(book)) {
      if (record.outcome?.errorInfo?.reason === "DataLost") continue;
      await recover({ book }, record).catch(() => undefined);
    }
  };
  while (cast.oracle.unconverged().length > 0 && !cast.over()) {
    await mend().catch(() => undefined);
    await sleep(clock, 2 * cast.scale.lookMs);
  }
  await sleep(clock, quietMs);
  if (cast.keep === undefined || cast.scale.name !== "always") return;
  if (owner === owners[0] && chance(random, collectOneIn)) await collectAll(cast, cast.keep, parts);
}

const hourMs = 3_600_000;

/** Most are deleted; what they leave is collected by itself, or when somebody says so. */
async function collectAll(cast: Cast, world: KeepWorld, parts: Visitor): Promise<void> {
  const { ledger, clock } = parts;
  for (const owner of owners) {
    const book = ledger.of(owner, "closer");
    for (const record of (await workspacesOf(book)).slice(3)) {
      await removeNow({ book, clock }, record).catch(() => undefined);
    }
  }
  await sleep(clock, 3.2 * hourMs);
  const life = currentLife();
  if (life === undefined) return;
  const collect = collector({ ledger, archives: world.archivesFor(life) });
  const memory = await collectorMemory(ledger);
  const { signal } = new AbortController();
  await collect({ now: Math.floor(cast.clock.now()), memory, signal, isConfirmed: true });
  cast.oracle.collected();
}

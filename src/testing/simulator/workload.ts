import type { Feature } from "../../kernel/feature.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { sleep } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow } from "../chance.ts";
import { startProcess } from "./client-process.ts";
import { contextOf } from "./operation-context.ts";
import { retried } from "./request-retry.ts";
import { owners } from "./targets.ts";
import type { World } from "./world.ts";

/** What clients of one feature do in a simulated world, and what must hold of its records at every moment. */
export interface Workload {
  readonly feature: Feature;
  /** One call of a client; it is repeated while the store is busy or the answer was lost. */
  step(context: Context, random: Random): Promise<unknown>;
  /** What is wrong with the records of one owner. */
  problems(records: readonly AnyRecord[]): readonly string[];
}

const pauseMsMax = 4_000;
const checkMs = 500;

/** A client for each owner, for as long as things go wrong. */
export function startWorkloads(world: World): void {
  const { kernel, oracle, workloads } = world;
  if (workloads.length === 0) return;
  const check = (): void => {
    oracle.checkWorkloads();
    if (world.phase !== "drain") kernel.after(checkMs, "the rules are checked", check, null);
  };
  check();
  for (const [index, { feature, step }] of workloads.entries()) {
    for (const [at, owner] of owners.entries()) {
      const name = `${feature.name}-${owner}`;
      startProcess(world, { name, salt: 200 + 10 * index + at }, async (ports) => {
        const context = { ...contextOf({ ...ports, owner, name }), origin: "sim:a0" };
        while (world.phase === "disruption") {
          await retried({ ...ports, oracle }, () => step(context, ports.random));
          await sleep(ports.clock, intBelow(ports.random, pauseMsMax));
        }
      });
    }
  }
}

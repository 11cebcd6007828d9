import type { Feature } from "../../kernel/feature.ts";
import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { sleep } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { intBelow } from "../chance.ts";
import type { Cast } from "./cast.ts";
import { contextOf } from "./context.ts";
import { enter } from "./enter.ts";
import { persist } from "./persist.ts";
import { owners } from "./targets.ts";

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
export function startWorkloads(cast: Cast): void {
  const { kernel, oracle, workloads } = cast;
  if (workloads.length === 0) return;
  const check = (): void => {
    oracle.checkWorkloads();
    if (cast.phase !== "quiet") kernel.after(checkMs, "the rules are checked", check, null);
  };
  check();
  for (const [index, { feature, step }] of workloads.entries()) {
    for (const [at, owner] of owners.entries()) {
      const name = `${feature.name}-${owner}`;
      enter(cast, { name, salt: 200 + 10 * index + at }, async (visitor) => {
        const context = { ...contextOf({ ...visitor, owner, name }), origin: "sim:a0" };
        while (cast.phase === "wrong") {
          await persist({ ...visitor, oracle }, () => step(context, visitor.random));
          await sleep(visitor.clock, intBelow(visitor.random, pauseMsMax));
        }
      });
    }
  }
}

import type { Job, Ran, Runner } from "../../features/tasks/runner.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow } from "../chance.ts";
import { jobName } from "./schedule-drafts.ts";

export interface ScheduleRunnerOptions {
  clock: Clock;
  random: Random;
  /** How much longer some runs take. */
  stretch: number;
  /** A run begins. */
  started(job: Job): void;
}

/** Runs that take their time, fail, throw, do not listen, and say something or nothing. */
export function scheduleRunner({ clock, random, stretch, started }: ScheduleRunnerOptions): Runner {
  return {
    name: jobName,
    async run(job, fixture): Promise<Ran> {
      started(job);
      const isQuiet = stretch > 1 && chance(random, 0.8);
      if (!isQuiet && chance(random, 0.5))
        fixture.write(`${chance(random, 0.5) ? "[NOTIFY] " : ""}ran ${job.id}`);
      const deaf = chance(random, 0.1);
      const longer = stretch === 1 || chance(random, 0.2) ? stretch : Math.sqrt(stretch);
      await sleep(clock, tookMs(random) * longer, deaf ? undefined : fixture.signal);
      if (chance(random, 0.3)) fixture.progress("nearly there");
      if (chance(random, 0.3)) await sleep(clock, 300, fixture.signal);
      if (!isQuiet) fixture.write(` and done with ${job.id}`);
      if (chance(random, 0.05)) throw new Error("it broke");
      if (chance(random, failsOf(job))) return { result: "failed", reason: "it does not work" };
      return { result: "completed", usage: { turns: 1, cost: 0.1 } };
    },
  };
}

/** Most are short, some outlast their period, a few their time. */
function tookMs(random: Random): number {
  if (chance(random, 0.6)) return intBelow(random, 800);
  return intBelow(random, chance(random, 0.8) ? 6_000 : 20_000);
}

function failsOf({ input }: Job): number {
  const known =
    typeof input === "object" && input !== null && "fails" in input ? input["fails"] : 0;
  return typeof known === "number" ? known : 0;
}

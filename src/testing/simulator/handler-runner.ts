import type { Job, Ran, Runner } from "../../features/tasks/runner.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import type { Json } from "../../platform/json.ts";
import type { Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import { functionName } from "./event-handlers.ts";

export interface HandlerRunnerOptions {
  clock: Clock;
  random: Random;
  started(job: Job): void;
  /** What it says came of it; null: nothing that can be read. */
  answered(job: Job, result: TaskResult | null): void;
}

/** A result as a program writes it. */
export interface TaskResult {
  readonly [name: string]: Json;
}

/** Does what handlers set: with success, in vain, with a question, without a word, or for ever. */
export function handlerRunner({ clock, random, started, answered }: HandlerRunnerOptions): Runner {
  return {
    name: functionName,
    async run(job, fixture): Promise<Ran> {
      started(job);
      const isDeaf = chance(random, 0.05);
      await sleep(clock, tookMs(random), isDeaf ? undefined : fixture.signal);
      if (chance(random, 0.3)) fixture.write(`work on ${job.id}`);
      if (chance(random, 0.05)) {
        answered(job, null);
        throw new Error("it broke");
      }
      const result = drawResult(random, job.id, job.answers.length > 0);
      answered(job, result);
      if (chance(random, 0.7)) return { result: "completed", returned: result };
      const lastLine = JSON.stringify(result);
      // A program that says how it ended is believed, whatever its exit is.
      return chance(random, 0.8)
        ? { result: "completed", lastLine, exit: 0 }
        : { result: "failed", reason: "exit 1", lastLine, exit: 1 };
    },
  };
}

/** What a worker says of a task. Its own name for it may be wrong. */
export function drawResult(random: Random, id: string, isResumed: boolean): TaskResult {
  const base = { task_id: pick(random, [id, "task-of-another"]), summary: `done with ${id}` };
  const at = intBelow(random, isResumed ? 70 : 100);
  if (at < 40) return { ...base, status: "success", ...drawChannels(random) };
  if (at < 50)
    return { ...base, status: "skipped", reason: `no need of ${id}`, ...drawChannels(random) };
  if (at < 64) return { ...base, status: "failed", error: `no way to ${id}` };
  if (at < 67) return { ...base, status: "killed", error: `${id} was killed` };
  const choices = chance(random, 0.5) ? { choices: ["yes", "no"] } : {};
  return { ...base, status: "needs_human", question: `what of ${id}?`, ...choices };
}

/** Where it wants to be told beside: where it may, and where it may not. */
function drawChannels(random: Random): TaskResult {
  const channel = pick(random, ["C2", "C9"]);
  return {
    ...(chance(random, 0.15) ? { notify_channel: channel } : {}),
    ...(chance(random, 0.1) ? { proclamation: { channel, message: "hear, hear" } } : {}),
  };
}

/** Most are short; a few outlast their time. */
function tookMs(random: Random): number {
  if (chance(random, 0.7)) return intBelow(random, 900);
  return intBelow(random, chance(random, 0.8) ? 5_000 : 12_000);
}

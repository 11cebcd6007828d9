import { intBelow } from "../chance.ts";
import type { Kernel } from "./kernel.ts";
import type { Scale } from "./scale.ts";
import type { World } from "./world.ts";

/** One seed in four has schedules: the others stay as quick as they were. */
const schedulesOneIn = 4;
const nagsOneIn = 3;
const eventsOneIn = 20;
const workspacesOneIn = 20;

/** A long world has what it is for; a short one has it now and then. */
export function drawFeatures(
  { randomFor }: Kernel,
  { name, schedules, nags }: Scale,
): Pick<World, "hasSchedules" | "hasNags" | "hasEvents"> {
  const has = (count: number, salt: number, oneIn: number): boolean =>
    count > 0 && (name !== "minute" || intBelow(randomFor(salt), oneIn) === 0);
  return {
    hasSchedules: has(schedules, 8, schedulesOneIn),
    hasNags: has(nags, 11, nagsOneIn),
    hasEvents: has(Number(name === "minute"), 12, eventsOneIn),
  };
}

export function hasWorkspaces({ randomFor }: Kernel, { name }: Scale): boolean {
  if (name !== "minute") return name === "workspaces";
  return intBelow(randomFor(16), workspacesOneIn) === 0;
}

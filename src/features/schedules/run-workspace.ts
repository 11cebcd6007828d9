import type { RunSpec } from "./kind.ts";

/** The workspace that runs happen in, by its name. */
export function placeOf(run: RunSpec): string | undefined {
  return "ping" in run ? undefined : run.in;
}

import type { TaskKind } from "./kind.ts";

/** Who runs it, with what, and the workspace that must run before. */
export type RunBy = Pick<TaskKind["body"], "name" | "input" | "in">;

/** Commands in workspaces have a runner of their own; what else has a place only waits for it. */
const workspaceRunner = "workspace";

export function runnerNamed(name: string, input: RunBy["input"], place: string | undefined): RunBy {
  if (place === undefined) return { name, input };
  return { name: name === "command" ? workspaceRunner : name, input, in: place };
}

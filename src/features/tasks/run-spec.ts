import type { Json } from "../../platform/json.ts";
import type { TaskKind } from "./kind.ts";

/** What a run is: the key says how it runs. */
export type RunSpec =
  | ({ command: readonly string[]; cwd?: string } & InWorkspace)
  | ({ task: string; input: Json } & InWorkspace)
  | ({ http: string; secret: string } & InWorkspace)
  | ({ agent: string } & InWorkspace)
  /** Nothing runs here: somebody pings. Late by more than this, it is missed. */
  | { ping: string; graceMs: number };

/** The workspace that it runs in, by its name; absent: none is waited for. */
interface InWorkspace {
  in?: string;
}

/** Who runs it, with what, and the workspace that must run before. */
export type RunBy = Pick<TaskKind["body"], "name" | "input" | "in">;

/** Commands in workspaces have a runner of their own; what else has a workspace only waits for it. */
const workspaceRunner = "workspace";

/** The run as a task has it. */
export function runBy(run: RunSpec): RunBy {
  if ("ping" in run) return { name: "ping", input: run };
  const { in: workspace, ...rest } = run;
  if ("task" in rest) return runnerNamed(rest.task, rest.input, workspace);
  if ("command" in rest) return runnerNamed("command", rest, workspace);
  if ("http" in rest) return runnerNamed("http", rest, workspace);
  return runnerNamed("agent", rest, workspace);
}

export function runnerNamed(
  name: string,
  input: RunBy["input"],
  workspace: string | undefined,
): RunBy {
  if (workspace === undefined) return { name, input };
  return { name: name === "command" ? workspaceRunner : name, input, in: workspace };
}

/** The workspace that runs happen in, by its name. */
export function workspaceOf(run: RunSpec): string | undefined {
  return "ping" in run ? undefined : run.in;
}

import { feature } from "../../kernel/feature.ts";
import { provide } from "../../kernel/port.ts";
import { explainTask } from "./explain.ts";
import { taskFiles } from "./file.ts";
import { task } from "./kind.ts";
import { cancel, runTask, show } from "./operations.ts";
import { needs } from "./ports.ts";
import { command, namedFunction, runTypes } from "./run-type.ts";

export { makeTask, task, type TaskKind } from "./kind.ts";
export { runners, workspacesPort, type Runner, type Workspaces } from "./ports.ts";
export { decideEnd, readEnd } from "./run-end.ts";
export { runHook, runHooks, type RunAttempt, type RunHook } from "./run-hook.ts";
export { runBy, runSpec, runType, runTypes, type RunSpec } from "./run-type.ts";

export const tasks = feature({
  name: "tasks",
  kinds: [task],
  operations: { runTask, showRun: show, cancelRun: cancel },
  needs,
  controllers: () => import("./controller.ts"),
  provides: [provide(runTypes, {}, () => command), provide(runTypes, {}, () => namedFunction)],
  fileLayouts: [taskFiles],
  explain: [explainTask],
});

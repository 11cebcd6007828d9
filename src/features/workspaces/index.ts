import { feature } from "../../kernel/feature.ts";
import { workspaceActions } from "./actions.ts";
import { explainWorkspace } from "./explain.ts";
import { workspaceKind } from "./kind.ts";
import { deleteWorkspace, recoverWorkspace, setWorkspace } from "./operations/change.ts";
import { collectArchives } from "./operations/collect.ts";
import { createWorkspace } from "./operations/create.ts";
import { archiveWorkspace, restoreWorkspace, touchWorkspace } from "./operations/levels.ts";
import { planWorkspace } from "./operations/plan.ts";
import { listWorkspaces, showWorkspace } from "./operations/show.ts";
import { workspacesOnNode, workspacesProvide } from "./services.ts";

/** ALWAYS: is what was observed what is desired? */
export const workspaces = feature({
  name: "workspaces",
  kinds: [workspaceKind],
  operations: {
    createWorkspace,
    listWorkspaces,
    showWorkspace,
    setWorkspace,
    touchWorkspace,
    archiveWorkspace,
    restoreWorkspace,
    recoverWorkspace,
    planWorkspace,
    deleteWorkspace,
    collectArchives,
  },
  explain: [explainWorkspace],
  actions: [workspaceActions],
  provides: workspacesProvide,
  node: workspacesOnNode,
  routes: async (context) => (await import("./routes.ts")).workspaceRoutes(context),
});

export type { Archives } from "./archives.ts";
export type {
  MachineSpec,
  Machines,
  RestoreSpec,
  StartContext,
  VolumeSpec,
  Volumes,
} from "./machines.ts";
export { type Observation, nothingThere } from "./observation.ts";
export { type WorkspaceBackend, workspaceBackend } from "./ports.ts";
export { inUse } from "./request.ts";
export {
  type WorkspaceOptions,
  archives,
  docker,
  keep,
  machines,
  s3,
  workspaceDefaults,
  workspaceSettings,
} from "./settings.ts";

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

/**
 * ALWAYS: is the observed state the desired one?
 *
 * A workspace (`kind.ts`) is a machine on a volume. Requests edit its desired state (`edits.ts`). The controller
 * (`controller.ts`) observes it (`observer.ts`, `observation.ts`) and plans the next operation (`plan.ts`). An attempt
 * (`attempt.ts`) does its steps (`actuator.ts`) on machines and archives and observes again. The observation decides
 * the verdict (`verdict.ts`, or after an error `error-verdict.ts`), which may also choose to sleep (`sleep.ts`).
 * Archives that no workspace needs are garbage (`garbage.ts`, `garbage-collector.ts`).
 */
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
  errors: () => import("./errors-ko.ts"),
});

export type { ArchivePart, Archives } from "./archives.ts";
export type {
  MachineSpec,
  Machines,
  RestoreSpec,
  StartContext,
  VolumeSpec,
  Volumes,
} from "./machines.ts";
export { type Observation, nothingExists } from "./observation.ts";
export { type WorkspaceBackend, workspaceBackend } from "./ports.ts";
export { inUse } from "./edits.ts";
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

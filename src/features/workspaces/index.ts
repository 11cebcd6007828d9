import { feature } from "../../kernel/feature.ts";
import { workspaceActions } from "./actions.ts";
import { explainWorkspace } from "./explain.ts";
import { workspaceKind } from "./kind.ts";
import { collectArchives } from "./operations/collect.ts";
import { createWorkspace } from "./operations/create.ts";
import { deleteWorkspace } from "./operations/delete.ts";
import { archiveWorkspace, restoreWorkspace, touchWorkspace } from "./operations/levels.ts";
import { listWorkspaces } from "./operations/list.ts";
import { planWorkspace } from "./operations/plan.ts";
import { recoverWorkspace } from "./operations/recover.ts";
import { setWorkspace } from "./operations/set.ts";
import { showWorkspace } from "./operations/show.ts";

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
});

import { recordActions } from "../notifications/index.ts";
import { workspaceKind } from "./kind.ts";
import { liveNamed } from "./operations/find-workspace.ts";

export const workspaceActions = recordActions({
  kind: workspaceKind,
  names: { mayBeIds: false, live: liveNamed },
});

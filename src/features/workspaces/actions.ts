import { kindActions } from "../notifications/index.ts";
import { workspaceKind } from "./kind.ts";
import { liveNamed } from "./operations/find-workspace.ts";

export const workspaceActions = kindActions({
  kind: workspaceKind,
  names: { mayBeIds: false, live: liveNamed },
});

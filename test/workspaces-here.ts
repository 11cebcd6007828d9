import type { WorkspaceDefaults } from "../src/features/workspaces/draft.ts";
import type { WorkspacePorts } from "../src/features/workspaces/ports.ts";
import { checkRunIn } from "../src/features/workspaces/task-workspace.ts";

export const usualWorkspace: WorkspaceDefaults = {
  imageRef: null,
  machine: { memoryMb: 1_024, cpus: 1, pids: 512 },
  standbyTtlSeconds: 300,
  archiveTtlSeconds: 86_400,
  wakeAheadSeconds: 120,
};

/** Two workspaces of an owner may run, three in all; `scratch` is set, and no image for others. */
export function workspacesHere(change: Partial<WorkspacePorts> = {}): WorkspacePorts {
  return {
    location: "here",
    isLocal: false,
    checkRunIn,
    limits: () => ({ perOwner: 2, inAll: 3 }),
    pollMs: () => 60_000,
    defaults: (name) =>
      name === "scratch" ? { ...usualWorkspace, imageRef: "node:24" } : usualWorkspace,
    collect: () => Promise.resolve({ remove: [], orphans: {}, isBraked: false, parts: [] }),
    ...change,
  };
}

import type { WorkspaceView } from "../workspaces/index.ts";
import { id, now } from "./views.ts";

const archiveKey =
  "archives/019a8d3e-7c00-7a52-9b1e-3f4c5d6e7f80/019a8d3e-9d10-7c44-8a5f-6b7c8d9e0f11/home.tar.zst";

const workspace: WorkspaceView = {
  id,
  name: "scratch",
  owner_user_id: "me",
  description: null,
  memo: null,
  image_ref: "node:24",
  status: "PENDING",
  display: "PENDING",
  operation: "NONE",
  desired_state: "RUNNING",
  asked_state: "RUNNING",
  own_choice: null,
  archive_key: null,
  op_id: null,
  error_info: null,
  error_count: 0,
  previous_status: null,
  unseen: null,
  last_access_at: now,
  standby_ttl_seconds: 300,
  archive_ttl_seconds: 86_400,
  wake_ahead_seconds: 120,
  memory_mb: 1_024,
  cpus: 1,
  operation_started_at: null,
  observed_at: null,
  created_at: now,
  updated_at: now,
  deleted_at: null,
  revision: 1,
};

/** It was brought up once, and went to sleep since. */
const asleep: WorkspaceView = {
  ...workspace,
  status: "STANDBY",
  display: "STANDBY",
  desired_state: "STANDBY",
  own_choice: { desired: "STANDBY", because: "idle" },
  observed_at: now,
};

/** One for each operation on workspaces. */
export const workspaceExamples = {
  createWorkspace: {
    input: { name: "scratch", image: "node:24", sleep_after: "10m" },
    output: { ...workspace, standby_ttl_seconds: 600, fresh: true },
  },
  listWorkspaces: { input: {}, output: { workspaces: [asleep], next: null } },
  showWorkspace: { input: { id: "scratch" }, output: asleep },
  setWorkspace: {
    input: { id: "scratch", memo: "for trials", archive_after: "3d" },
    output: {
      ...asleep,
      memo: "for trials",
      archive_ttl_seconds: 259_200,
      revision: 2,
      changed: true,
    },
  },
  touchWorkspace: { input: { id: "scratch" }, output: { ...asleep, changed: false } },
  archiveWorkspace: {
    input: { id: "scratch" },
    output: {
      ...asleep,
      desired_state: "PENDING" as const,
      asked_state: "PENDING" as const,
      own_choice: null,
      revision: 2,
      changed: true,
    },
  },
  restoreWorkspace: {
    input: { id: "scratch" },
    output: {
      ...asleep,
      desired_state: "RUNNING" as const,
      own_choice: null,
      revision: 2,
      changed: true,
    },
  },
  recoverWorkspace: {
    input: { id: "scratch" },
    output: { ...asleep, revision: 2 },
  },
  planWorkspace: {
    input: { id: "scratch" },
    output: {
      workspace: asleep,
      do: null,
      why: "it is STANDBY, and STANDBY is asked for",
      seen: { machine: null, volume: true, looked: false },
      next_look_at: now,
      next_slot_at: null,
    },
  },
  deleteWorkspace: {
    input: { id: "scratch" },
    output: { ...asleep, deleted_at: now, revision: 2, deleted: true },
  },
  collectArchives: {
    input: { apply: true },
    output: {
      applied: true,
      braked: false,
      why: null,
      remove: [
        {
          workspace_id: id,
          op_id: "019a8d3e-9d10-7c44-8a5f-6b7c8d9e0f11",
          keys: [archiveKey, `${archiveKey}.meta`],
          size: 4_096,
        },
      ],
      orphans: [
        {
          archive: archiveKey.slice(0, archiveKey.lastIndexOf("/") + 1),
          since: "2026-11-15T20:00:00Z",
        },
      ],
    },
  },
};

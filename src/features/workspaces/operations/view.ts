import * as z from "zod";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { errorReasons } from "../error-info.ts";
import {
  levels,
  unobservedWorkspace,
  workspaceOperations,
  type WorkspaceOperation,
} from "../kind.ts";
import { desiredOf } from "../plan.ts";
import type { Workspace } from "./find-workspace.ts";

const moment = z.string().meta({ format: "date-time" });
const statuses = ["PENDING", "STANDBY", "RUNNING", "ERROR", "DELETED"] as const;

const errorInfoView = z.object({
  reason: z.enum(errorReasons),
  message: z.string(),
  context: z.record(z.string(), z.unknown()),
  occurred_at: moment,
});

/** A workspace, as every interface shows it. */
export const workspaceView = z.object({
  id: z.string(),
  name: z.string(),
  owner_user_id: z.string(),
  description: z.string().nullable(),
  memo: z.string().nullable(),
  image_ref: z.string(),
  status: z.enum(statuses).describe("the observed state"),
  display: z
    .enum(["PENDING", "ARCHIVED", "STANDBY", "RUNNING", "ERROR", "DELETED"])
    .describe("as status; ARCHIVED: only its archive exists"),
  operation: z.enum(["NONE", ...workspaceOperations]).describe("the current operation"),
  desired_state: z.enum(levels).describe("the desired state now"),
  asked_state: z.enum(levels).describe("the last requested state"),
  own_choice: z
    .object({ desired: z.enum(levels), because: z.enum(["idle", "slot"]) })
    .nullable()
    .describe("the state that was chosen since without a request, and why"),
  archive_key: z.string().nullable(),
  op_id: z.string().nullable(),
  error_info: errorInfoView.nullable(),
  error_count: z.number(),
  previous_status: z.enum(levels).nullable(),
  unseen: z.string().nullable().describe("why the last observation failed"),
  last_access_at: moment,
  standby_ttl_seconds: z.number(),
  archive_ttl_seconds: z.number(),
  wake_ahead_seconds: z.number(),
  memory_mb: z.number(),
  cpus: z.number(),
  operation_started_at: moment.nullable(),
  observed_at: moment.nullable(),
  created_at: moment,
  updated_at: moment,
  deleted_at: moment.nullable(),
  revision: z.number(),
});
export type WorkspaceView = z.infer<typeof workspaceView>;

export function shownWorkspace(record: Workspace): WorkspaceView {
  const { id, owner, body, revision, createdAt, updatedAt } = record;
  const outcome = record.outcome ?? unobservedWorkspace;
  const status = statusOf(record);
  const { operation, own } = outcome;
  return {
    id,
    name: body.name,
    owner_user_id: owner,
    description: body.description,
    memo: body.memo,
    image_ref: body.imageRef,
    status,
    display: displayOf(status, operation, outcome.archiveKey),
    operation: operation ?? "NONE",
    desired_state: desiredOf(body, outcome),
    asked_state: body.desired,
    own_choice: own?.asks === body.asks ? { desired: own.desired, because: own.because } : null,
    archive_key: outcome.archiveKey,
    op_id: outcome.opId,
    ...errorsOf(outcome),
    unseen: outcome.unseen,
    last_access_at: isoOf(body.lastAccessAt),
    standby_ttl_seconds: body.standbyTtlSeconds,
    archive_ttl_seconds: body.archiveTtlSeconds,
    wake_ahead_seconds: body.wakeAheadSeconds,
    memory_mb: body.machine.memoryMb,
    cpus: body.machine.cpus,
    operation_started_at: isoOr(outcome.operationStartedAt),
    observed_at: isoOr(outcome.observedAt),
    created_at: isoOf(createdAt),
    updated_at: isoOf(updatedAt),
    deleted_at: isoOr(body.deletedAt),
    revision,
  };
}

function errorsOf({
  errorInfo: info,
  errorCount,
  previousStatus,
}: NonNullable<Workspace["outcome"]>): Pick<
  WorkspaceView,
  "error_info" | "error_count" | "previous_status"
> {
  return {
    error_info: info && {
      reason: info.reason,
      message: info.message,
      context: { ...info.context },
      occurred_at: isoOf(info.occurredAt),
    },
    error_count: errorCount,
    previous_status: previousStatus,
  };
}

const named = {
  pending: "PENDING",
  standby: "STANDBY",
  running: "RUNNING",
  error: "ERROR",
  deleted: "DELETED",
  cancelled: "DELETED",
} as const;

function statusOf({ state }: Workspace): WorkspaceView["status"] {
  return named[state];
}

/** During an operation it shows the state before it. */
function displayOf(
  status: WorkspaceView["status"],
  operation: WorkspaceOperation | null,
  archiveKey: string | null,
): WorkspaceView["display"] {
  if (status === "ERROR" || status === "DELETED") return status;
  if (operation === "RESTORING") return "ARCHIVED";
  if (operation === "ARCHIVING") return "STANDBY";
  if (operation === "STOPPING") return "RUNNING";
  return status === "PENDING" && archiveKey !== null ? "ARCHIVED" : status;
}

import type { LedgerRecord } from "../../kernel/record.ts";
import {
  unobservedWorkspace,
  type Level,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import { desiredOf } from "./plan.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** The facts that decide whether a workspace sleeps. */
export interface Use {
  readonly now: number;
  /** The next slot of a schedule that runs in it; null: none is known. */
  readonly slotAt: number | null;
}

const hourMs = 60 * 60_000;
/** Before a slot that is further away than this, a workspace is archived early. */
const farMs = 48 * hourMs;
/** Before a slot that is nearer than this, it is not archived. */
const nearMs = hourMs;

/**
 * The level to choose for a reconciled workspace, and why; undefined: it stays. An idle workspace goes one level down, and
 * a slot of a schedule wakes it in time. The choice is valid until the next request.
 */
export function chosenLevel(
  record: Workspace,
  level: Level,
  use: Use,
): NonNullable<WorkspaceOutcome["own"]> | undefined {
  const { body } = record;
  const outcome = record.outcome ?? unobservedWorkspace;
  const desired = desiredOf(body, outcome);
  const choose = (to: Level, because: "idle" | "slot"): NonNullable<WorkspaceOutcome["own"]> => ({
    desired: to,
    asks: body.asks,
    because,
  });
  if (isSlotNear(record, use)) {
    // A slot does not wake a workspace that a person put to sleep.
    const isOwnSleep = desired !== "RUNNING" && body.desired === "RUNNING";
    return isOwnSleep ? choose("RUNNING", "slot") : undefined;
  }
  if (desired !== level || level === "PENDING") return undefined;
  return use.now >= idleAt(record, level, use) ? choose(below(level), "idle") : undefined;
}

function below(level: "STANDBY" | "RUNNING"): Level {
  return level === "RUNNING" ? "STANDBY" : "PENDING";
}

function isSlotNear({ body }: Workspace, { now, slotAt }: Use): boolean {
  return slotAt !== null && now >= slotAt - body.wakeAheadSeconds * 1_000;
}

/** When it will have been idle for so long that it goes one level down. */
function idleAt({ body }: Workspace, level: "STANDBY" | "RUNNING", { now, slotAt }: Use): number {
  const { lastAccessAt, standbyTtlSeconds, archiveTtlSeconds } = body;
  const standbyAt = lastAccessAt + standbyTtlSeconds * 1_000;
  if (level === "RUNNING") return standbyAt;
  const archiveAt = lastAccessAt + archiveTtlSeconds * 1_000;
  if (slotAt === null) return archiveAt;
  if (slotAt - now < nearMs) return Infinity;
  return slotAt - now > farMs
    ? Math.min(archiveAt, Math.max(standbyAt, lastAccessAt + hourMs))
    : archiveAt;
}

/** When a reconciled workspace is observed next: after the poll interval, or earlier if a choice is due. */
export function nextObservationAt(
  record: Workspace,
  level: Level,
  { use, pollMs }: { use: Use; pollMs: number },
): number {
  const { now, slotAt } = use;
  const times = [
    now + pollMs,
    ...(slotAt === null ? [] : [slotAt - record.body.wakeAheadSeconds * 1_000]),
    ...(level === "PENDING" ? [] : [idleAt(record, level, use)]),
  ];
  return Math.min(...times.filter((time) => time > now));
}

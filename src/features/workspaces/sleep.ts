import type { LedgerRecord } from "../../kernel/record.ts";
import {
  unobservedWorkspace,
  type Level,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import { desiredOf } from "./plan.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

/** What decides whether a workspace sleeps. */
export interface Use {
  readonly now: number;
  /** The next slot of a schedule that runs in it; null: none is known. */
  readonly slotAt: number | null;
}

const hourMs = 60 * 60_000;
/** A slot that is further away than this is worth an archive before its time. */
const farMs = 48 * hourMs;
/** One that is nearer is not worth any. */
const nearMs = hourMs;

/**
 * The level that a workspace at the level it should have is to have now, and why; undefined: it stays. Who does not use it
 * does not pay for it; who will, by the book, finds it awake. It counts as long as nobody asks for another.
 */
export function ownLevel(
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
    // What a person put to sleep is woken by nobody else.
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

/** From when on it has not been used for so long that it goes one level down. */
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

/** When a workspace that is as it should be is looked at next: before long in any case. */
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

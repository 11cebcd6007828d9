import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs } from "../../platform/backoff.ts";
import { faultBackoff, isTriedAgain, type ErrorInfo } from "./fault.ts";
import type { Level, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import { errorNotices } from "./notices.ts";
import { placeChange } from "./request.ts";
import { liveOf, outcomeOf, wakesOf, type KeptAbout } from "./surroundings.ts";

type Workspace = Claimed<WorkspaceKind>;

/** In ERROR nothing is done; it is looked at so that it stays in the queue of those that live. */
export const errorLookMs = 24 * 60 * 60_000;

/** In ERROR each attempt at a deletion is a new one, with all its time. */
const nothingInCourse = { operation: null, operationStartedAt: null, progress: null } as const;

/** It is tried again, a few times; then only a person helps, and is told in the same unit. */
export function afterFault(
  record: Workspace,
  fault: ErrorInfo,
  about: KeptAbout,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const before = outcomeOf(record);
  const errorCount = before.errorCount + 1;
  const outcome = { ...before, errorInfo: fault, errorCount };
  const note = `${fault.reason}: ${fault.message}`;
  const wakeAt = facts.now + backoffMs(faultBackoff, errorCount, facts.jitter);
  const again = { state: liveOf(record), outcome, wakeAt, freshStart: true, note };
  if (record.state === "error") return { ...again, outcome: { ...outcome, ...nothingInCourse } };
  if (isTriedAgain(fault.reason, before.errorCount)) return again;
  const failed: WorkspaceOutcome = {
    ...outcome,
    ...nothingInCourse,
    previousStatus: levelNamed(record.state),
    observedAt: facts.now,
  };
  return {
    ...again,
    state: "error",
    outcome: failed,
    // What was deleted is taken down in ERROR too.
    wakeAt: record.body.deletedAt === null ? facts.now + errorLookMs : wakeAt,
    ...placeChange(record, { ...record, state: "error", outcome: failed }, about.limits),
    consequences: {
      append: errorNotices(record, fault, about, facts.now),
      wake: wakesOf(record, about),
    },
  };
}

/** What was seen before stands. */
export function afterBlindness(
  record: Workspace,
  reason: string,
  about: KeptAbout,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const outcome = outcomeOf(record);
  const wakeAt = facts.now + about.pollMs;
  if (outcome.unseen !== null) return { unchanged: wakeAt };
  return {
    state: liveOf(record),
    outcome: { ...outcome, unseen: reason },
    wakeAt,
    freshStart: true,
    note: `it cannot be seen: ${reason}`,
  };
}

function levelNamed(state: LedgerRecord<WorkspaceKind>["state"]): Level {
  return state === "running" ? "RUNNING" : state === "standby" ? "STANDBY" : "PENDING";
}

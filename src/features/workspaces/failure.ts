import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { backoffMs } from "../../platform/backoff.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import { capacityChange } from "./capacity.ts";
import { liveOf, outcomeOf, wakesOf, type WorkspaceFacts } from "./facts.ts";
import { faultBackoff, isTriedAgain, type ErrorInfo } from "./fault.ts";
import type { Level, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

type Workspace = Claimed<WorkspaceKind>;

/** In ERROR nothing is done; it is checked so that it stays in the queue of those that live. */
export const errorCheckMs = 24 * 60 * 60_000;

/** In ERROR each attempt at a deletion is a new one, with all its time. */
const nothingInCourse = { operation: null, operationStartedAt: null, progress: null } as const;

/** Retries a few times; then only a person helps, and is notified in the same unit. */
export function afterFault(
  record: Workspace,
  fault: ErrorInfo,
  about: WorkspaceFacts,
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
    wakeAt: record.body.deletedAt === null ? facts.now + errorCheckMs : wakeAt,
    ...capacityChange(record, { ...record, state: "error", outcome: failed }, about.limits),
    consequences: {
      append: errorNotices(record, fault, about, facts.now),
      wake: wakesOf(record, about),
    },
  };
}

/** The earlier observation stands. */
export function afterUnreachable(
  record: Workspace,
  reason: string,
  about: WorkspaceFacts,
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

/** The notifications of a workspace in ERROR: to its owner, and to the administrators. */
export function errorNotices(
  { owner, body, outcome }: LedgerRecord<WorkspaceKind>,
  fault: ErrorInfo,
  { reader, administrator }: { reader: NoticeReader; administrator: string | null },
  now: number,
): readonly DraftOf<NotificationKind>[] {
  const { name, target } = body;
  const texts = textsOf(reader.language);
  const about = {
    name,
    owner,
    operation: outcome?.operation ?? null,
    reason: fault.reason,
    message: fault.message,
  };
  const notice = (to: string, message: string): DraftOf<NotificationKind> =>
    makeNotification({ message, at: now, atText: "now", target: to, origin: null, type: "notice" });
  const own = notice(target, texts.failed(about));
  // The same target is notified once.
  if (administrator === null || administrator === target) return [own];
  return [own, notice(administrator, texts.failedOf(about))];
}

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
import { errorBackoff, isRetried, type ErrorInfo } from "./error-info.ts";
import type { Level, WorkspaceOutcome, WorkspaceKind } from "./kind.ts";
import { textsOf } from "./texts.ts";
import { liveOf, outcomeOf, wakesOf, type VerdictContext } from "./verdict-context.ts";

type Workspace = Claimed<WorkspaceKind>;

/** In ERROR nothing is done. It is checked daily, so that it stays in the queue of live workspaces. */
export const errorCheckMs = 24 * 60 * 60_000;

/** In ERROR, each attempt at a deletion is a new one, with the full time limit. */
const noOperation = { operation: null, operationStartedAt: null, progress: null } as const;

/** Retries a few times. After that it is in ERROR, and the same unit notifies people. */
export function errorVerdict(
  record: Workspace,
  error: ErrorInfo,
  context: VerdictContext,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const before = outcomeOf(record);
  const errorCount = before.errorCount + 1;
  const outcome = { ...before, errorInfo: error, errorCount };
  const note = `${error.reason}: ${error.message}`;
  const wakeAt = facts.now + backoffMs(errorBackoff, errorCount, facts.jitter);
  const retry = { state: liveOf(record), outcome, wakeAt, freshStart: true, note };
  if (record.state === "error") return { ...retry, outcome: { ...outcome, ...noOperation } };
  if (isRetried(error.reason, before.errorCount)) return retry;
  const failed: WorkspaceOutcome = {
    ...outcome,
    ...noOperation,
    previousStatus: levelNamed(record.state),
    observedAt: facts.now,
  };
  return {
    ...retry,
    state: "error",
    outcome: failed,
    // A deleted workspace is taken down in ERROR too.
    wakeAt: record.body.deletedAt === null ? facts.now + errorCheckMs : wakeAt,
    holds: capacityChange(record, { ...record, state: "error", outcome: failed }, context.limits),
    consequences: {
      append: errorNotices(record, error, context, facts.now),
      wake: wakesOf(record, context),
    },
  };
}

/** The machines did not answer: the earlier observation stays. */
export function unreachableVerdict(
  record: Workspace,
  reason: string,
  context: VerdictContext,
  facts: Facts,
): Verdict<WorkspaceKind> {
  const outcome = outcomeOf(record);
  const wakeAt = facts.now + context.pollMs;
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
  error: ErrorInfo,
  { reader, administrator }: { reader: NoticeReader; administrator: string | null },
  now: number,
): readonly DraftOf<NotificationKind>[] {
  const { name, target } = body;
  const texts = textsOf(reader.language);
  const about = {
    name,
    owner,
    operation: outcome?.operation ?? null,
    reason: error.reason,
    message: error.message,
  };
  const notice = (to: string, message: string): DraftOf<NotificationKind> =>
    makeNotification({ message, at: now, atText: "now", target: to, origin: null, type: "notice" });
  const own = notice(target, texts.failed(about));
  // The same target is notified once.
  if (administrator === null || administrator === target) return [own];
  return [own, notice(administrator, texts.failedOf(about))];
}

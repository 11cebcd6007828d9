import type { LedgerRecord } from "../../kernel/record.ts";
import type { End, Outcome } from "../../kernel/shape.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import type { Facts } from "../../kernel/verdict.ts";
import { oneLine } from "../../platform/text.ts";
import { firesAfter } from "../../time/cadence.ts";
import {
  makeNotification,
  type NotificationKind,
  type NoticeReader,
} from "../notifications/index.ts";
import type { TaskKind } from "../tasks/index.ts";
import { undecidedAt } from "./backlog.ts";
import { spentOn } from "./budget.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";
import { textsOf } from "./texts.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** The records around a run of a schedule at its end. */
export interface RunAround {
  /** Its schedule; undefined: it does not exist, or has ended. */
  readonly schedule: Schedule | undefined;
  /** Other runs of the schedule that have not ended, the oldest first. */
  readonly others: readonly LedgerRecord<TaskKind>[];
  readonly reader: NoticeReader;
}

interface RunEnd {
  readonly state: End<TaskKind>;
  readonly reason: string | null;
  readonly cost: number;
}

interface Counted {
  readonly edit: EditOf<ScheduleKind> | undefined;
  readonly notices: readonly DraftOf<NotificationKind>[];
}

const errorCharsMax = 200;

/** The edit of a schedule at the end of one of its runs, and the notices to its owner. */
export function countRun(run: RunEnd, around: RunAround, facts: Facts): Counted {
  const { schedule } = around;
  if (schedule === undefined) return { edit: undefined, notices: [] };
  const before = outcomeOf(schedule);
  const count = failuresAfter(run, before.consecutiveFailures);
  const ends = isLastRun(schedule, around) ? endOf(schedule, run) : undefined;
  const due = noticesDue(schedule, run, { count, ends });
  const outcome: Outcome<ScheduleKind> = {
    ...before,
    lastRunAt: facts.now,
    lastRunState: run.state,
    consecutiveFailures: count,
    isNotified: run.state !== "completed" && (before.isNotified || due.failing || due.disabled),
    ...spentOf(schedule, run, around.reader.zone, facts),
  };
  // A watch has no slots: the next ping is counted from the last.
  const hasSlots = due.disabled && !("ping" in schedule.body.run);
  const disabling = {
    isDisabled: due.disabled,
    backlog: hasSlots ? undecidedAt(schedule, facts.now) : {},
  };
  const edit = { kind: "schedule", id: schedule.id, ifRevision: schedule.revision } as const;
  return {
    edit: { ...edit, ...stateAfter(outcome, { run, ends, count, ...disabling }) },
    notices: noticesOf(schedule, run, { ...due, count }, { reader: around.reader, facts }),
  };
}

function failuresAfter({ state }: RunEnd, before: number): number {
  if (state === "completed") return 0;
  return isFailure(state) ? before + 1 : before;
}

function isFailure(state: End<TaskKind>): boolean {
  return state === "failed" || state === "interrupted";
}

/** No slot is left, and no other run is live. */
function isLastRun({ state, body, outcome }: Schedule, { others }: RunAround): boolean {
  if (others.length > 0 || outcome === null || outcome.undecided !== undefined) return false;
  // A disabled schedule keeps slots that it does not run; a one-shot is disabled because its only run failed.
  if (state === "disabled") return body.cadence.type === "once";
  return firesAfter(body.cadence, outcome.cursor, 1).length === 0;
}

/** A one-shot that failed is disabled and not ended, so that it stays in lists. */
function endOf({ body }: Schedule, { state }: RunEnd): "completed" | "disabled" {
  return body.cadence.type === "once" && state !== "completed" ? "disabled" : "completed";
}

interface Notices {
  readonly failing: boolean;
  readonly disabled: boolean;
  readonly recovered: boolean;
}

function noticesDue(
  { body, state, outcome }: Schedule,
  run: RunEnd,
  { count, ends }: { count: number; ends: "completed" | "disabled" | undefined },
): Notices {
  const { notifyAfterFailures: notifyAfter, disableAfterFailures: disableAfter } = body;
  const isNotified = outcome?.isNotified === true;
  const failed = isFailure(run.state);
  const isReached = count === notifyAfter || (count > notifyAfter && !isNotified);
  return {
    failing: failed && notifyAfter > 0 && isReached,
    disabled:
      failed &&
      disableAfter > 0 &&
      count >= disableAfter &&
      state !== "disabled" &&
      ends !== "completed",
    recovered: run.state === "completed" && isNotified,
  };
}

interface AfterRun {
  readonly run: RunEnd;
  readonly ends: "completed" | "disabled" | undefined;
  readonly isDisabled: boolean;
  readonly backlog: Pick<Outcome<ScheduleKind>, "undecided">;
  readonly count: number;
}

function stateAfter(
  outcome: Outcome<ScheduleKind>,
  { run, ends, isDisabled, backlog, count }: AfterRun,
):
  | Pick<EditOf<ScheduleKind>, "outcome">
  | { state: "disabled"; wakeAt: number | null; outcome: Outcome<ScheduleKind> }
  | { ends: "completed"; outcome: Outcome<ScheduleKind> } {
  const stopped = { ...outcome, pausedUntil: undefined, nextRunAt: null };
  if (ends === "completed") return { ends: "completed", outcome: { ...stopped, reason: null } };
  if (ends === "disabled" || isDisabled) {
    const reason = isDisabled
      ? `disabled after ${count} consecutive failures`
      : `its run ended ${run.state}: ${run.reason}`;
    const disabled = { ...stopped, ...backlog, reason };
    const wakeAt = disabled.undecided === undefined ? null : disabled.cursor;
    return { state: "disabled", wakeAt, outcome: disabled };
  }
  return { outcome };
}

/** Runs are counted when they are decided; their cost is known at their end. */
function spentOf(
  schedule: Schedule,
  { cost }: RunEnd,
  ownZone: string,
  { now }: Facts,
): Pick<Outcome<ScheduleKind>, "spent"> {
  if (schedule.body.budget === undefined || cost === 0) return {};
  const spent = spentOn(schedule, now, ownZone);
  return { spent: { ...spent, cost: spent.cost + cost } };
}

function noticesOf(
  { body, outcome }: Schedule,
  { reason }: RunEnd,
  { failing, disabled, recovered, count }: Notices & { count: number },
  { reader, facts }: { reader: NoticeReader; facts: Facts },
): readonly DraftOf<NotificationKind>[] {
  const { name, target, origin } = body;
  const texts = textsOf(reader.language);
  const error = oneLine(texts.reason(reason ?? ""), errorCharsMax);
  const failures = outcome?.consecutiveFailures ?? 0;
  const messages = [
    ...(failing ? [texts.keepsFailing({ name, count, error })] : []),
    ...(disabled ? [texts.wasDisabled({ name, count })] : []),
    ...(recovered ? [texts.worksAgain({ name, count: failures })] : []),
  ];
  const notice = { at: facts.now, atText: "now", target, origin, type: "notice" } as const;
  return messages.map((message) => makeNotification({ message, ...notice }));
}

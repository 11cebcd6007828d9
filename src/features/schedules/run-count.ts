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

/** What is true around a run of a schedule at its end. */
export interface RunAbout {
  /** Its schedule; undefined: there is none, or it has ended. */
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

/** What a run's end changes in its schedule, and what its owner hears of that. */
export function countRun(run: RunEnd, about: RunAbout, facts: Facts): Counted {
  const { schedule } = about;
  if (schedule === undefined) return { edit: undefined, notices: [] };
  const before = outcomeOf(schedule);
  const count = failuresAfter(run, before.consecutiveFailures);
  const ends = isLastRun(schedule, about) ? endOf(schedule, run) : undefined;
  const told = noticesDue(schedule, run, { count, ends });
  const outcome: Outcome<ScheduleKind> = {
    ...before,
    lastRunAt: facts.now,
    lastRunState: run.state,
    consecutiveFailures: count,
    isNotified: run.state !== "completed" && (before.isNotified || told.failing || told.disabled),
    ...spentOf(schedule, run, about.reader.zone, facts),
  };
  // A ping is no slot: the next one is counted from it.
  const hasSlots = told.disabled && !("ping" in schedule.body.run);
  const disabling = {
    isDisabled: told.disabled,
    left: hasSlots ? undecidedAt(schedule, facts.now) : {},
  };
  const edit = { kind: "schedule", id: schedule.id, ifRevision: schedule.revision } as const;
  return {
    edit: { ...edit, ...placed(outcome, { run, ends, count, ...disabling }) },
    notices: noticesOf(schedule, run, { ...told, count }, { reader: about.reader, facts }),
  };
}

function failuresAfter({ state }: RunEnd, before: number): number {
  if (state === "completed") return 0;
  return isFailure(state) ? before + 1 : before;
}

function isFailure(state: End<TaskKind>): boolean {
  return state === "failed" || state === "interrupted";
}

/** No slot comes any more, and no other run is under way. */
function isLastRun({ state, body, outcome }: Schedule, { others }: RunAbout): boolean {
  if (others.length > 0 || outcome === null || outcome.undecided !== undefined) return false;
  // A disabled one has slots that it does not run; a one-shot is disabled because its only run failed.
  if (state === "disabled") return body.cadence.type === "once";
  return firesAfter(body.cadence, outcome.cursor, 1).length === 0;
}

/** A one-shot that did not complete stays where it is seen. */
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
  const isTold = outcome?.isNotified === true;
  const failed = isFailure(run.state);
  const isReached = count === notifyAfter || (count > notifyAfter && !isTold);
  return {
    failing: failed && notifyAfter > 0 && isReached,
    disabled:
      failed &&
      disableAfter > 0 &&
      count >= disableAfter &&
      state !== "disabled" &&
      ends !== "completed",
    recovered: run.state === "completed" && isTold,
  };
}

function placed(
  { pausedUntil, ...outcome }: Outcome<ScheduleKind>,
  seen: {
    run: RunEnd;
    ends: string | undefined;
    isDisabled: boolean;
    left: Pick<Outcome<ScheduleKind>, "undecided">;
    count: number;
  },
):
  | Pick<EditOf<ScheduleKind>, "outcome">
  | { state: "disabled"; wakeAt: number | null; outcome: Outcome<ScheduleKind> }
  | { ends: "completed"; outcome: Outcome<ScheduleKind> } {
  const over = { ...outcome, nextRunAt: null };
  if (seen.ends === "completed") return { ends: "completed", outcome: { ...over, reason: null } };
  if (seen.ends === "disabled" || seen.isDisabled) {
    const failures = `disabled after ${seen.count} consecutive failures`;
    const reason = seen.isDisabled
      ? failures
      : `its run ended ${seen.run.state}: ${seen.run.reason}`;
    const left = { ...over, ...seen.left, reason };
    const wakeAt = left.undecided === undefined ? null : left.cursor;
    return { state: "disabled", wakeAt, outcome: left };
  }
  return { outcome: { ...outcome, ...(pausedUntil === undefined ? {} : { pausedUntil }) } };
}

/** Runs are counted when they are decided; what they cost is known at their end. */
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
  const about = { at: facts.now, atText: "now", target, origin, type: "notice" } as const;
  return messages.map((message) => makeNotification({ message, ...about }));
}

import { slotsMax } from "../../kernel/holds.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body, Outcome } from "../../kernel/shape.ts";
import type { Cancel, EditOf, Consequences } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { readInput } from "../../platform/input-path.ts";
import { canonical } from "../../platform/json.ts";
import { type Cadence, checkCadence } from "../../time/cadence.ts";
import { atItsEnd, undecidedAt } from "./backlog.ts";
import { checkSchedule, minGapMsDefault } from "./draft.ts";
import { nameHold, scheduleSlot } from "./holds.ts";
import { type ScheduleKind } from "./kind.ts";
import { madeHolds } from "./made-by-run.ts";
import { rescheduled, laterOf, outcomeOf } from "./next-fire.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** Edits the body. Decided slots stay; a new cadence starts now. */
export function editedSchedule(
  record: Schedule,
  changes: Partial<Body<ScheduleKind>>,
  now: number,
  minGapMs = minGapMsDefault,
): EditOf<ScheduleKind> {
  const { owner } = record;
  const body: Body<ScheduleKind> = { ...record.body, ...changes };
  checkSchedule(body);
  const outcome = outcomeOf(record);
  const isMoved = body.target !== record.body.target && outcome.undelivered !== undefined;
  const delivery = isMoved ? { undelivered: undefined } : {};
  const isRenamed = body.name !== record.body.name;
  const isOther = isRenamed || (body.madeBy !== undefined && changes.run !== undefined);
  const holds = [
    ...madeHolds(owner, body, true),
    scheduleSlot(owner, slotsMax),
    nameHold(owner, body.name),
  ];
  const edit = { ...editOf(record), body, holds: isOther ? holds : undefined };
  if (canonical(body.cadence) === canonical(record.body.cadence)) {
    return isMoved ? { ...edit, outcome: { ...outcome, ...delivery } } : edit;
  }
  readInput("cadence", () => checkCadence(body.cadence, now, minGapMs));
  const cursor = laterOf(record, now);
  return {
    ...edit,
    ...rescheduled(record, body.cadence, {
      cursor,
      ...undecidedAt(record, cursor),
      ...delivery,
    }),
  };
}

/** The same cadence keeps the start that it is counted from, unless the request has another start, which only a rule can. */
export function withSameStart(before: Cadence, request: Cadence, hasStart: boolean): Cadence {
  if (before.type === "interval" && request.type === "interval") {
    return before.everyMs === request.everyMs ? before : request;
  }
  if (before.type !== "rrule" || request.type !== "rrule" || hasStart) return request;
  return before.rule === request.rule && before.zone === request.zone ? before : request;
}

/** Its slots are skipped until it is resumed, or until a time; each gets a row. */
export function pausedSchedule(
  record: Schedule,
  { reason, until }: { reason: string; until?: number | undefined },
  now: number,
): EditOf<ScheduleKind> {
  if (record.state === "disabled") {
    throw new DaybookError(
      "refused",
      "The schedule is disabled and does not run: resume it before you pause it.",
    );
  }
  if (until !== undefined && until <= now) {
    throw new DaybookError("invalid", '"until" is in the past: give a later time, or none.');
  }
  const outcome = { ...outcomeOf(record), reason, pausedUntil: until };
  return { ...editOf(record), ...rescheduled({ state: "paused", outcome }, record.body.cadence) };
}

/** It runs again from now on. Earlier failures are reset, but an owner who was notified of them hears of its recovery. */
export function resumedSchedule(record: Schedule, now: number): EditOf<ScheduleKind> {
  const before = outcomeOf(record);
  // Slots of the pause are not run later.
  const cursor = record.state === "active" ? before.cursor : laterOf(record, now);
  const outcome: Outcome<ScheduleKind> = {
    ...before,
    cursor,
    ...undecidedAt(record, cursor),
    pausedUntil: undefined,
    undelivered: undefined,
    consecutiveFailures: 0,
    reason: null,
  };
  const active = rescheduled({ state: "active", outcome }, record.body.cadence);
  if (active.outcome.nextRunAt === null && record.state !== "active") {
    throw new DaybookError(
      "refused",
      "The schedule has no time left to run at: edit its time first.",
    );
  }
  return { ...editOf(record), ...active };
}

/** Ends it and cancels its waiting runs, in one unit that is bound to the revision that was read. */
export function deletedSchedule(
  record: Schedule,
  { reason, waiting = [] }: { reason?: string | undefined; waiting?: readonly string[] },
  now: number,
): { edit: EditOf<ScheduleKind>; consequences: Consequences } {
  const { outcome, rows } = atItsEnd(record, now, "the schedule was deleted");
  const runs = waiting.map((id): Cancel => ({ id, reason: "its schedule was deleted" }));
  const own: Cancel = { id: record.id, reason };
  // An edit that ends it would be refused while a node has leased it.
  const edit = { ...editOf(record), outcome, note: "deleted" };
  return { edit, consequences: { append: rows, cancel: [own, ...runs] } };
}

function editOf({ id, revision }: Schedule): { kind: "schedule"; id: string; ifRevision: number } {
  return { kind: "schedule", id, ifRevision: revision };
}

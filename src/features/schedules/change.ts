import { slotsMax } from "../../kernel/holds.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body, Outcome } from "../../kernel/shape.ts";
import type { Cancel, EditOf, Consequences } from "../../kernel/unit.ts";
import { atPath } from "../../platform/at-path.ts";
import { DaybookError } from "../../platform/errors.ts";
import { canonical } from "../../platform/json.ts";
import { type Cadence, checkCadence } from "../../time/cadence.ts";
import { atItsEnd, undecidedAt } from "./backlog.ts";
import { nameHold, scheduleSlot } from "./holds.ts";
import { type ScheduleKind } from "./kind.ts";
import { checkSchedule, minGapMsDefault } from "./make-schedule.ts";
import { rescheduled, laterOf, outcomeOf } from "./next-fire.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** Changes what was asked. What is decided stays; another cadence begins now. */
export function editedSchedule(
  record: Schedule,
  changes: Partial<Body<ScheduleKind>>,
  now: number,
  minGapMs = minGapMsDefault,
): EditOf<ScheduleKind> {
  const { owner } = record;
  const body: Body<ScheduleKind> = { ...record.body, ...changes };
  checkSchedule(body);
  const renamed = body.name !== record.body.name;
  const holds = [scheduleSlot(owner, slotsMax), nameHold(owner, body.name)];
  const edit = { ...editOf(record), body, ...(renamed ? { holds } : {}) };
  if (canonical(body.cadence) === canonical(record.body.cadence)) return edit;
  atPath("cadence", () => checkCadence(body.cadence, now, minGapMs));
  const cursor = laterOf(record, now);
  return {
    ...edit,
    ...rescheduled(record, body.cadence, { cursor, ...undecidedAt(record, cursor) }),
  };
}

/** The same cadence asked again goes on from where it was counted; unless another start is said, which only a rule has. */
export function countedOn(before: Cadence, request: Cadence, saysStart: boolean): Cadence {
  if (before.type === "interval" && request.type === "interval") {
    return before.everyMs === request.everyMs ? before : request;
  }
  if (before.type !== "rrule" || request.type !== "rrule" || saysStart) return request;
  return before.rule === request.rule && before.zone === request.zone ? before : request;
}

/** No slot runs until it is resumed, or until then; each is a row that says so. */
export function pausedSchedule(
  record: Schedule,
  { reason, until }: { reason: string; until?: number },
  now: number,
): EditOf<ScheduleKind> {
  if (record.state === "disabled") {
    throw new DaybookError("refused", "It is disabled already, and does not run: resume it first.");
  }
  if (until !== undefined && until <= now) {
    throw new DaybookError("invalid", "That time is over: say a later one, or none.");
  }
  const { pausedUntil: _, ...before } = outcomeOf(record);
  const outcome = { ...before, reason, ...(until === undefined ? {} : { pausedUntil: until }) };
  return { ...editOf(record), ...rescheduled({ state: "paused", outcome }, record.body.cadence) };
}

/** It runs again from now on; what failed before no longer counts, but who was told of it hears when it works. */
export function resumedSchedule(record: Schedule, now: number): EditOf<ScheduleKind> {
  const { pausedUntil: _, ...before } = outcomeOf(record);
  // What it did not run meanwhile is not made up for.
  const cursor = record.state === "active" ? before.cursor : laterOf(record, now);
  const outcome: Outcome<ScheduleKind> = {
    ...before,
    cursor,
    ...undecidedAt(record, cursor),
    consecutiveFailures: 0,
    reason: null,
  };
  const active = rescheduled({ state: "active", outcome }, record.body.cadence);
  if (active.outcome.nextRunAt === null && record.state !== "active") {
    throw new DaybookError("refused", "It has no time left to run at: give it another one first.");
  }
  return { ...editOf(record), ...active };
}

/** It runs no more, and neither do those of its runs that wait; only the unit on what was read ends it. */
export function deletedSchedule(
  record: Schedule,
  { reason, waiting = [] }: { reason?: string | undefined; waiting?: readonly string[] },
  now: number,
): { edit: EditOf<ScheduleKind>; consequences: Consequences } {
  const { outcome, rows } = atItsEnd(record, now, "the schedule was deleted");
  const runs = waiting.map((id): Cancel => ({ id, reason: "its schedule was deleted" }));
  const own: Cancel = { id: record.id, ...(reason === undefined ? {} : { reason }) };
  // An edit that ends it would be refused while somebody is at work on it.
  const edit = { ...editOf(record), outcome, note: "deleted" };
  return { edit, consequences: { append: rows, cancel: [own, ...runs] } };
}

function editOf({ id, revision }: Schedule): { kind: "schedule"; id: string; ifRevision: number } {
  return { kind: "schedule", id, ifRevision: revision };
}

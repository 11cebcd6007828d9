import type { Claimed, LedgerRecord } from "../../kernel/record.ts";
import type { Live, Outcome } from "../../kernel/shape.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Facts, Verdict } from "../../kernel/verdict.ts";
import { firesBetween } from "../../time/cadence.ts";
import type { TaskKind } from "../tasks/index.ts";
import { dueSlots, unitMax } from "./due-slots.ts";
import type { ScheduleKind, Undecided } from "./kind.ts";
import { pausedUntilOf } from "./misfire.ts";
import { laterOf, outcomeOf, cadenceOf } from "./next-fire.ts";
import { type PassedSlots, passedTasks } from "./slot.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** The due slots without a decision, which a change at this time must keep. */
export function undecidedAt(
  record: Schedule,
  until: number,
): Pick<Outcome<ScheduleKind>, "undecided"> {
  const { cursor: after, undecided = [] } = outcomeOf(record);
  // A disabled schedule has no slots.
  if (record.state === "disabled") return {};
  const cadence = cadenceOf(record.body, after);
  if (firesBetween(cadence, after, until, 1).fires.length === 0) return {};
  const pausedUntil = Math.min(pausedUntilOf(record), until + 1);
  const paused = pausedUntil === -Infinity ? undefined : pausedUntil;
  return { undecided: [...undecided, { cadence, after, until, pausedUntil: paused }] };
}

/** Writes the rows of slots from before a change, oldest first; undefined: there are none. */
export function decideBacklog(
  record: Claimed<ScheduleKind>,
  facts: Facts,
): Verdict<ScheduleKind> | undefined {
  const { undecided: [first, ...others] = [], ...before } = outcomeOf(record);
  if (first === undefined) return undefined;
  const due = dueSlots(first.cadence, first.after, first.until);
  const passed = passedBy(first, changed, record.lease.claimedAt);
  const rest = due.cutAt === undefined ? [] : [{ ...first, after: due.cutAt }];
  const undecided = [...rest, ...others];
  const isDone = undecided.length === 0;
  // A resume under an earlier clock must not decide these slots again.
  const cursor = Math.max(before.cursor, due.cutAt ?? first.until);
  return {
    state: record.state as Live<ScheduleKind>,
    outcome: { ...before, cursor, undecided: isDone ? undefined : undecided },
    consequences: { append: passedTasks(record, due, passed) },
    freshStart: true,
    // Later slots are decided next.
    wakeAt: isDone && record.state === "disabled" ? undefined : facts.now,
  };
}

/** The outcome of a schedule that ends, and the rows of its undecided slots. */
export function atItsEnd(
  record: Schedule,
  now: number,
  reason: string,
  rowsMax: number = unitMax,
): { outcome: Outcome<ScheduleKind>; rows: readonly DraftOf<TaskKind>[] } {
  const cursor = laterOf(record, now);
  const outcome = { ...outcomeOf(record), undecided: undefined, cursor, nextRunAt: null };
  return { outcome, rows: undecidedRows(record, cursor, { reason, rowsMax }) };
}

/** A row for each of the newest undecided slots. Earlier slots share one row for each change of the schedule. */
function undecidedRows(
  record: Schedule,
  until: number,
  { reason, rowsMax }: { reason: string; rowsMax: number },
): readonly DraftOf<TaskKind>[] {
  const { undecided = [] } = { ...outcomeOf(record), ...undecidedAt(record, until) };
  let rows: readonly DraftOf<TaskKind>[] = [];
  for (const each of undecided.toReversed()) {
    const rowsLeft = Math.max(rowsMax - rows.length, 0);
    const due = dueSlots(each.cadence, each.after, each.until, rowsLeft);
    rows = [...passedTasks(record, due, passedBy(each, reason, until)), ...rows];
  }
  return rows;
}

const changed = "the schedule was changed";

function passedBy(
  { pausedUntil = -Infinity }: Undecided,
  reason: string,
  decidedAt: number,
): PassedSlots {
  return { pausedUntil, decidedAt, reasonFor: () => reason };
}

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

/** What a change at this time must not lose: slots that came, and that nobody has decided. */
export function undecidedAt(
  record: Schedule,
  until: number,
): Pick<Outcome<ScheduleKind>, "undecided"> {
  const { cursor: after, undecided = [] } = outcomeOf(record);
  // A disabled one has no slots.
  if (record.state === "disabled") return {};
  const cadence = cadenceOf(record.body, after);
  if (firesBetween(cadence, after, until, 1).fires.length === 0) return {};
  const pausedUntil = Math.min(pausedUntilOf(record), until + 1);
  const paused = pausedUntil === -Infinity ? {} : { pausedUntil };
  return { undecided: [...undecided, { cadence, after, until, ...paused }] };
}

/** Gives what came before a change its rows, oldest first; undefined: there is nothing of the kind. */
export function decideBacklog(
  record: Claimed<ScheduleKind>,
  facts: Facts,
): Verdict<ScheduleKind> | undefined {
  const { undecided: [first, ...others] = [], ...before } = outcomeOf(record);
  if (first === undefined) return undefined;
  const came = dueSlots(first.cadence, first.after, first.until);
  const passed = passedBy(first, changed, record.lease.claimedAt);
  const rest = came.cutAt === undefined ? [] : [{ ...first, after: came.cutAt }];
  const left = [...rest, ...others];
  const isDone = left.length === 0;
  // What is decided is not decided again by whoever resumes it under an earlier clock.
  const cursor = Math.max(before.cursor, came.cutAt ?? first.until);
  return {
    state: record.state as Live<ScheduleKind>,
    outcome: { ...before, cursor, ...(isDone ? {} : { undecided: left }) },
    consequences: { append: passedTasks(record, came, passed) },
    freshStart: true,
    // What came since is decided next.
    ...(isDone && record.state === "disabled" ? {} : { wakeAt: facts.now }),
  };
}

/** What its end leaves of a schedule: no slot that came is without a row. */
export function atItsEnd(
  record: Schedule,
  now: number,
  words: string,
  rowsMax: number = unitMax,
): { outcome: Outcome<ScheduleKind>; rows: readonly DraftOf<TaskKind>[] } {
  const cursor = laterOf(record, now);
  const { undecided: _, ...before } = outcomeOf(record);
  const outcome = { ...before, cursor, nextRunAt: null };
  return { outcome, rows: rowsLeft(record, cursor, { words, rowsMax }) };
}

/** The newest that nobody has decided have a row each; what lies before, one for each time it was changed. */
function rowsLeft(
  record: Schedule,
  until: number,
  { words, rowsMax }: { words: string; rowsMax: number },
): readonly DraftOf<TaskKind>[] {
  const { undecided = [] } = { ...outcomeOf(record), ...undecidedAt(record, until) };
  let rows: readonly DraftOf<TaskKind>[] = [];
  for (const each of undecided.toReversed()) {
    const left = Math.max(rowsMax - rows.length, 0);
    const came = dueSlots(each.cadence, each.after, each.until, left);
    rows = [...passedTasks(record, came, passedBy(each, words, until)), ...rows];
  }
  return rows;
}

const changed = "the schedule was changed";

function passedBy(
  { pausedUntil = -Infinity }: Undecided,
  words: string,
  decidedAt: number,
): PassedSlots {
  return { pausedUntil, decidedAt, reasonFor: () => words };
}

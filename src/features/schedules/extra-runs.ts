import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { DaybookError } from "../../platform/errors.ts";
import { firesBetween } from "../../time/cadence.ts";
import type { TaskKind } from "../tasks/kind.ts";
import { runHold } from "./holds.ts";
import type { ScheduleKind } from "./kind.ts";
import { outcomeOf } from "./next-fire.ts";
import { slotKey, slotTask } from "./slot.ts";

type Schedule = LedgerRecord<ScheduleKind>;

/** A run that somebody asked for. Refused as `held` while another is at work, unless they may overlap. */
export function runNow(record: Schedule, now: number): DraftOf<TaskKind> {
  if ("ping" in record.body.run) {
    throw new DaybookError("refused", "Nothing runs here: it waits to be pinged.");
  }
  const holds = record.body.overlap === "allow" ? [] : [runHold(record.id)];
  return slotTask(record, { at: now, because: "run now", holds, wakeAt: now });
}

/** Slots that lie back, to be run one after another. One that has a row already stays as it is. */
export function backfillSlots(
  record: Schedule,
  from: number,
  to: number,
  limit: number,
): readonly DraftOf<TaskKind>[] {
  if (from > to) throw new DaybookError("invalid", "It ends before it begins: swap the two times.");
  const { id, body } = record;
  // What is not decided yet comes by itself.
  const until = Math.min(to, outcomeOf(record).cursor);
  const { fires, earlier } = firesBetween(body.cadence, from - 1, until, limit);
  if (earlier > 0) {
    const count = earlier + fires.length;
    const sentence = `These are ${count} slots, more than ${limit} at once: choose a shorter time.`;
    throw new DaybookError("too_large", sentence, { details: { count, limit } });
  }
  const turns = body.overlap === "allow" ? {} : { turns: [runHold(id)] };
  return fires.map((at) =>
    slotTask(record, { at, because: "backfill", key: slotKey(id, at), ...turns }),
  );
}

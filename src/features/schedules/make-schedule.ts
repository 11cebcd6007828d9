import type { DraftOf } from "../../kernel/unit.ts";
import { atPath } from "../../platform/at-path.ts";
import { checkCadence } from "../../time/cadence.ts";
import { checkSchedule } from "./check.ts";
import { nameHold, scheduleSlot } from "./holds.ts";
import type { ScheduleKind } from "./kind.ts";
import { aim } from "./next-fire.ts";

type Body = ScheduleKind["body"];

/** Between two runs, unless a setting says otherwise. */
export const minGapMsDefault = 60_000;

export interface Making {
  owner: string;
  now: number;
  /** The most schedules an owner may have at once. */
  limit: number;
  minGapMs?: number;
}

/** Every schedule is made here, whoever asks for it. */
export function makeSchedule(body: Body, facts: Making): DraftOf<ScheduleKind> {
  const { owner, now, limit, minGapMs = minGapMsDefault } = facts;
  checkSchedule(body);
  atPath("cadence", () => checkCadence(body.cadence, now, minGapMs));
  const { nextRunAt, wakeAt } = aim("active", body.cadence, { cursor: now });
  return {
    kind: "schedule",
    body,
    state: "active",
    outcome: {
      cursor: now,
      nextRunAt,
      lastRunAt: null,
      lastRunState: null,
      consecutiveFailures: 0,
      isTold: false,
      reason: null,
    },
    holds: [scheduleSlot(owner, limit), nameHold(owner, body.name)],
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

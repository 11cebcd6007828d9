import { feature } from "../../kernel/feature.ts";
import { scheduleActions } from "./actions.ts";
import { explainSchedule } from "./explain.ts";
import { scheduleKind } from "./kind.ts";
import { applySchedules } from "./operations/apply.ts";
import { backfillSchedule } from "./operations/backfill.ts";
import { createSchedule } from "./operations/create.ts";
import { editSchedule } from "./operations/edit.ts";
import { deleteSchedule, pauseSchedule, resumeSchedule } from "./operations/lifecycle.ts";
import { pingWatch } from "./operations/ping.ts";
import { runScheduleNow, scheduleRuns } from "./operations/runs.ts";
import { previewSchedule, searchSchedules, showSchedule } from "./operations/schedules.ts";
import { createWatch } from "./operations/watch.ts";

/** AGAIN: which slots are due, and what becomes of those that were missed? */
export const schedules = feature({
  name: "schedules",
  kinds: [scheduleKind],
  operations: {
    createSchedule,
    searchSchedules,
    showSchedule,
    editSchedule,
    deleteSchedule,
    pauseSchedule,
    resumeSchedule,
    runScheduleNow,
    backfillSchedule,
    previewSchedule,
    scheduleRuns,
    applySchedules,
    createWatch,
    pingWatch,
  },
  explain: [explainSchedule],
  actions: [scheduleActions],
});

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
import { previewSchedule, showSchedule } from "./operations/schedules.ts";
import { searchSchedules } from "./operations/search.ts";
import { createWatch } from "./operations/watch.ts";
import { schedulesOnNode, schedulesProvide } from "./services.ts";
import { transferSchedule } from "./transfer.ts";

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
  transfers: [transferSchedule],
  provides: schedulesProvide,
  node: schedulesOnNode,
  routes: async (context) => (await import("./routes.ts")).pingRoutes(context),
  chat: async () => (await import("./chat.ts")).schedulesChat,
  errors: () => import("./errors-ko.ts"),
});

export { scheduler } from "./controller.ts";
export { type PauseView, pauseLines, pauseView } from "./history.ts";
export { type ScheduleKind, scheduleKind } from "./kind.ts";
export { nextFire, nextFires, outcomeOf } from "./next-fire.ts";
export { takenUp } from "./operations/apply.ts";
export { applyDeclared } from "./declared/apply.ts";
export { schedulesIn } from "./operations/find-schedule.ts";
export {
  type DeclaredEntry,
  type DeclaredSchedules,
  type MadeSchedules,
  type Reloaded,
  declaredSchedules,
  reloadSettings,
  scheduleLimits,
  writtenSettings,
} from "./ports.ts";
export {
  isPingSecret,
  pingHash,
  pingSecret,
  pingSecretBytes,
  pingToken,
  readPingToken,
} from "./ping-token.ts";
export { scheduleRuns } from "./run-hook.ts";
export { length, lengthForm, onlyOneTime, recurs } from "./settings-times.ts";
export { type SchedulesOption, scheduleSettings } from "./settings.ts";
export { slotTask } from "./slot.ts";
export { slotsAhead } from "./slots-ahead.ts";
export { isWatch } from "./watch.ts";

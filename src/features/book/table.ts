import type { Operation } from "../../kernel/operation.ts";
import { link } from "../accounts/operations/link.ts";
import { people, unlink } from "../accounts/operations/people.ts";
import { setProfile } from "../accounts/operations/set-profile.ts";
import { createToken, listTokens, revokeToken } from "../accounts/operations/tokens.ts";
import { answerQuestion } from "../events/operations/answer-question.ts";
import { cancelEvent } from "../events/operations/cancel-event.ts";
import { cancelQuestion } from "../events/operations/cancel-question.ts";
import { claimTask } from "../events/operations/claim.ts";
import { emitEvent } from "../events/operations/emit.ts";
import { listEvents } from "../events/operations/events.ts";
import { heartbeatTask } from "../events/operations/heartbeat.ts";
import { listQuestions } from "../events/operations/questions.ts";
import { queueEdit } from "../events/operations/queue-edit.ts";
import { queueLs } from "../events/operations/queue-ls.ts";
import { queueMv } from "../events/operations/queue-mv.ts";
import { queueShow } from "../events/operations/queue-show.ts";
import { queueStats } from "../events/operations/queue-stats.ts";
import { retryTask } from "../events/operations/redrive.ts";
import { resultTask } from "../events/operations/result.ts";
import { retry } from "../events/operations/retry-notification.ts";
import { showEvent } from "../events/operations/show-event.ts";
import { showQuestion } from "../events/operations/show-question.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  resumeSubscription,
  subscribe,
} from "../events/operations/subscriptions.ts";
import { listTasks } from "../events/operations/tasks.ts";
import { nag } from "../nags/operations/create.ts";
import { deleteNag } from "../nags/operations/delete.ts";
import { doneNag } from "../nags/operations/done.ts";
import { listNags } from "../nags/operations/list.ts";
import { deletePage, listPages, putPage, showPage } from "../nags/operations/pages.ts";
import { pauseNag, resumeNag } from "../nags/operations/pause.ts";
import { showNag } from "../nags/operations/show.ts";
import { snoozeNag } from "../nags/operations/snooze.ts";
import { syncPull } from "../nags/sync/pull.ts";
import { syncPush } from "../nags/sync/push.ts";
import { importNotifications } from "../notifications/operations/import.ts";
import { list } from "../notifications/operations/list.ts";
import { remind } from "../notifications/operations/remind.ts";
import { show } from "../notifications/operations/show.ts";
import { update } from "../notifications/operations/update.ts";
import {
  deleteWebhook,
  listWebhooks,
  registerWebhook,
} from "../notifications/operations/webhooks.ts";
import { applySchedules } from "../schedules/operations/apply.ts";
import { backfillSchedule } from "../schedules/operations/backfill.ts";
import { createSchedule } from "../schedules/operations/create.ts";
import { deleteSchedule } from "../schedules/operations/delete.ts";
import { editSchedule } from "../schedules/operations/edit.ts";
import { pauseSchedule, resumeSchedule } from "../schedules/operations/pause.ts";
import { pingWatch } from "../schedules/operations/ping.ts";
import { previewSchedule } from "../schedules/operations/preview.ts";
import { runScheduleNow } from "../schedules/operations/run-now.ts";
import { scheduleRuns } from "../schedules/operations/runs.ts";
import { searchSchedules } from "../schedules/operations/search.ts";
import { showSchedule } from "../schedules/operations/show.ts";
import { createWatch } from "../schedules/operations/watch.ts";
import { answerRun } from "../tasks/operations/answer.ts";
import { cancelRun } from "../tasks/operations/cancel.ts";
import { runOutput } from "../tasks/operations/output.ts";
import { resendRun } from "../tasks/operations/resend.ts";
import { runTask } from "../tasks/operations/run.ts";
import { showRun } from "../tasks/operations/show.ts";
import { collectArchives } from "../workspaces/operations/collect.ts";
import { createWorkspace } from "../workspaces/operations/create.ts";
import { deleteWorkspace } from "../workspaces/operations/delete.ts";
import {
  archiveWorkspace,
  restoreWorkspace,
  touchWorkspace,
} from "../workspaces/operations/levels.ts";
import { listWorkspaces } from "../workspaces/operations/list.ts";
import { planWorkspace } from "../workspaces/operations/plan.ts";
import { recoverWorkspace } from "../workspaces/operations/recover.ts";
import { setWorkspace } from "../workspaces/operations/set.ts";
import { showWorkspace } from "../workspaces/operations/show.ts";
import { cancel } from "./cancel.ts";
import { done } from "./done.ts";
import { explain } from "./explain/explain.ts";
import { next } from "./next.ts";
import { pauseEverything, resumeEverything } from "./pauses.ts";
import { reloadConfig } from "./reload-config.ts";
import { simulate } from "./simulate.ts";
import { snooze } from "./snooze.ts";
import { whoami } from "./whoami.ts";

/** Everything that can be asked, by its name in the library, in the order people read it. */
export const operations = {
  remind,
  update,
  snooze,
  done,
  cancel,
  retry,
  importNotifications,
  nag,
  listNags,
  showNag,
  snoozeNag,
  doneNag,
  pauseNag,
  resumeNag,
  deleteNag,
  putPage,
  listPages,
  showPage,
  deletePage,
  syncPush,
  syncPull,
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
  runOutput,
  showRun,
  cancelRun,
  runTask,
  answerRun,
  resendRun,
  applySchedules,
  createWatch,
  pingWatch,
  emitEvent,
  listEvents,
  showEvent,
  cancelEvent,
  listTasks,
  claimTask,
  heartbeatTask,
  resultTask,
  listQuestions,
  showQuestion,
  answerQuestion,
  cancelQuestion,
  queueLs,
  queueStats,
  queueShow,
  queueMv,
  queueEdit,
  retryTask,
  subscribe,
  listSubscriptions,
  deleteSubscription,
  resumeSubscription,
  replaySubscription,
  createWorkspace,
  listWorkspaces,
  showWorkspace,
  setWorkspace,
  touchWorkspace,
  archiveWorkspace,
  restoreWorkspace,
  recoverWorkspace,
  planWorkspace,
  deleteWorkspace,
  collectArchives,
  simulate,
  pauseEverything,
  resumeEverything,
  list,
  show,
  next,
  explain,
  whoami,
  setProfile,
  registerWebhook,
  listWebhooks,
  deleteWebhook,
  createToken,
  listTokens,
  revokeToken,
  link,
  people,
  unlink,
  reloadConfig,
} as const;

/** The same without their own types, for the faces: each input is checked by the operation's schema. */
export const table: readonly Operation[] = Object.values(operations);

import { cancel } from "./cancel.ts";
import { done } from "./done.ts";
import { explain } from "./explain/explain.ts";
import { importNotifications } from "./import.ts";
import { link } from "./link.ts";
import { list } from "./list.ts";
import { nag } from "./nags/create.ts";
import { deleteNag } from "./nags/delete.ts";
import { doneNag } from "./nags/done.ts";
import { listNags } from "./nags/list.ts";
import { deletePage, listPages, putPage, showPage } from "./nags/pages.ts";
import { pauseNag, resumeNag } from "./nags/pause.ts";
import { showNag } from "./nags/show.ts";
import { snoozeNag } from "./nags/snooze.ts";
import { next } from "./next.ts";
import type { Operation } from "./operation.ts";
import { pauseEverything, resumeEverything } from "./pauses.ts";
import { people, unlink } from "./people.ts";
import { pingWatch } from "./ping.ts";
import { reloadConfig } from "./reload-config.ts";
import { remind } from "./remind.ts";
import { retry } from "./retry.ts";
import { answerRun } from "./runs/answer.ts";
import { runTask } from "./runs/ask-task.ts";
import { cancelRun } from "./runs/cancel.ts";
import { runOutput } from "./runs/output.ts";
import { resendRun } from "./runs/resend.ts";
import { showRun } from "./runs/show.ts";
import { applySchedules } from "./schedules/apply.ts";
import { backfillSchedule } from "./schedules/backfill.ts";
import { createSchedule } from "./schedules/create.ts";
import { deleteSchedule } from "./schedules/delete.ts";
import { editSchedule } from "./schedules/edit.ts";
import { pauseSchedule, resumeSchedule } from "./schedules/pause.ts";
import { previewSchedule } from "./schedules/preview.ts";
import { runScheduleNow } from "./schedules/run-now.ts";
import { scheduleRuns } from "./schedules/runs.ts";
import { searchSchedules } from "./schedules/search.ts";
import { showSchedule } from "./schedules/show.ts";
import { setProfile } from "./set-profile.ts";
import { show } from "./show.ts";
import { simulate } from "./simulate.ts";
import { snooze } from "./snooze.ts";
import { syncPull } from "./sync/pull.ts";
import { syncPush } from "./sync/push.ts";
import { createToken, listTokens, revokeToken } from "./tokens.ts";
import { update } from "./update.ts";
import { createWatch } from "./watch.ts";
import { deleteWebhook, listWebhooks, registerWebhook } from "./webhooks.ts";
import { answerQuestion } from "./when/answer-question.ts";
import { cancelEvent } from "./when/cancel-event.ts";
import { cancelQuestion } from "./when/cancel-question.ts";
import { claimTask } from "./when/claim.ts";
import { emitEvent } from "./when/emit.ts";
import { listEvents } from "./when/events.ts";
import { heartbeatTask } from "./when/heartbeat.ts";
import { listQuestions } from "./when/questions.ts";
import { queueEdit } from "./when/queue-edit.ts";
import { queueLs } from "./when/queue-ls.ts";
import { queueMv } from "./when/queue-mv.ts";
import { queueShow } from "./when/queue-show.ts";
import { queueStats } from "./when/queue-stats.ts";
import { retryTask } from "./when/redrive.ts";
import { resultTask } from "./when/result.ts";
import { showEvent } from "./when/show-event.ts";
import { showQuestion } from "./when/show-question.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  resumeSubscription,
  subscribe,
} from "./when/subscriptions.ts";
import { listTasks } from "./when/tasks.ts";
import { whoami } from "./whoami.ts";
import { collectArchives } from "./workspaces/collect.ts";
import { createWorkspace } from "./workspaces/create.ts";
import { deleteWorkspace } from "./workspaces/delete.ts";
import { archiveWorkspace, restoreWorkspace, touchWorkspace } from "./workspaces/levels.ts";
import { listWorkspaces } from "./workspaces/list.ts";
import { planWorkspace } from "./workspaces/plan.ts";
import { recoverWorkspace } from "./workspaces/recover.ts";
import { setWorkspace } from "./workspaces/set.ts";
import { showWorkspace } from "./workspaces/show.ts";

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

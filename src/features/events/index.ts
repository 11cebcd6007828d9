import { feature } from "../../kernel/feature.ts";
import { explainEvent, explainQuestion } from "./explain.ts";
import { eventLayout } from "./file.ts";
import { eventKind } from "./kind.ts";
import { answerQuestion, cancelQuestion } from "./operations/answer-question.ts";
import { claimTask } from "./operations/claim.ts";
import { emitEvent } from "./operations/emit.ts";
import { cancelEvent, listEvents, showEvent } from "./operations/events.ts";
import { listQuestions, showQuestion } from "./operations/questions.ts";
import { queueEdit, queueMv } from "./operations/queue-change.ts";
import { queueLs, queueShow } from "./operations/queue-list.ts";
import { queueStats } from "./operations/queue-stats.ts";
import { retryTask } from "./operations/redrive.ts";
import { retry } from "./operations/retry-notification.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  resumeSubscription,
  subscribe,
} from "./operations/subscriptions.ts";
import { listTasks } from "./operations/tasks.ts";
import { heartbeatTask, resultTask } from "./operations/work-report.ts";
import { questionKind } from "./question.ts";
import { eventsOnNode, eventsProvide } from "./services.ts";
import { sourceKind } from "./source.ts";
import { subscriptionKind } from "./subscription.ts";
import { transferEvent, transferQuestion } from "./transfer.ts";

/** WHEN: who handles it, and what follows from the result? */
export const events = feature({
  name: "events",
  kinds: [eventKind, questionKind, sourceKind, subscriptionKind],
  operations: {
    retry,
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
  },
  fileLayouts: [eventLayout],
  explain: [explainEvent, explainQuestion],
  transfers: [transferEvent, transferQuestion],
  provides: eventsProvide,
  node: eventsOnNode,
  routes: async (context) => (await import("./routes.ts")).hookRoutes(context),
  chat: async () => (await import("./chat.ts")).eventsChat,
  errors: () => import("./errors-ko.ts"),
});

export {
  githubName,
  jiraName,
  slackMentionName,
  slackMessageName,
  slackReplyName,
} from "./catalogue.ts";
export { eventFile, eventFromFile, fileWorker, taskFile, taskFromFile } from "./file.ts";
export { handlerSchedules } from "./handler-schedules.ts";
export { type HandlersOption, handlers } from "./handler-settings.ts";
export { type Handler, isHandlerName } from "./handler.ts";
export { type Condition, type Load, health } from "./health.ts";
export { type EventHook, eventHooks } from "./hook.ts";
export { checkEvent, eventKind } from "./kind.ts";
export { draftOf, isWanted } from "./poll-result.ts";
export {
  type EventRules,
  type OwnedSource,
  eventOwners,
  eventRules,
  eventSources,
  folderSweep,
  machine,
  routesEvents,
  workerEnds,
} from "./ports.ts";
export { handlerRuns } from "./run-hook.ts";
export {
  type SourceSettings,
  canSign,
  hooks,
  noSigning,
  sourceSettings,
} from "./source-settings.ts";
export {
  type PollContext,
  type Polled,
  type Source,
  type SourceEvent,
  sourceKind,
} from "./source.ts";

import { feature } from "../../kernel/feature.ts";
import { explainEvent, explainQuestion } from "./explain.ts";
import { eventLayout } from "./file.ts";
import { eventKind } from "./kind.ts";
import { answerQuestion } from "./operations/answer-question.ts";
import { cancelEvent } from "./operations/cancel-event.ts";
import { cancelQuestion } from "./operations/cancel-question.ts";
import { claimTask } from "./operations/claim.ts";
import { emitEvent } from "./operations/emit.ts";
import { listEvents } from "./operations/events.ts";
import { heartbeatTask } from "./operations/heartbeat.ts";
import { listQuestions } from "./operations/questions.ts";
import { queueEdit } from "./operations/queue-edit.ts";
import { queueLs } from "./operations/queue-ls.ts";
import { queueMv } from "./operations/queue-mv.ts";
import { queueShow } from "./operations/queue-show.ts";
import { queueStats } from "./operations/queue-stats.ts";
import { retryTask } from "./operations/redrive.ts";
import { resultTask } from "./operations/result.ts";
import { retry } from "./operations/retry-notification.ts";
import { showEvent } from "./operations/show-event.ts";
import { showQuestion } from "./operations/show-question.ts";
import {
  deleteSubscription,
  listSubscriptions,
  replaySubscription,
  resumeSubscription,
  subscribe,
} from "./operations/subscriptions.ts";
import { listTasks } from "./operations/tasks.ts";
import { questionKind } from "./question.ts";
import { sourceKind } from "./source.ts";
import { subscriptionKind } from "./subscription.ts";

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
});

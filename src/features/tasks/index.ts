import { feature } from "../../kernel/feature.ts";
import { explainRun } from "./explain.ts";
import { taskLayout } from "./file.ts";
import { taskKind } from "./kind.ts";
import { answerRun } from "./operations/answer.ts";
import { cancelRun } from "./operations/cancel.ts";
import { runOutput, resendRun } from "./operations/output.ts";
import { runTask } from "./operations/run.ts";
import { showRun } from "./operations/show.ts";
import { permitKind } from "./rate.ts";
import { tasksOnNode, tasksProvide } from "./services.ts";
import { transferTask } from "./transfer.ts";

/**
 * What runs, and how did it end?
 *
 * A task is one run (`kind.ts`, `outcome.ts`): a slot of a schedule, the work on an event, or a request. Its name chooses
 * the runner (`run-spec.ts`, `runner.ts`). The controller (`controller.ts`) claims it when it is due, waits for capacity
 * (`capacity.ts`) and its workspace (`workspace-wait.ts`), makes one attempt (`run-attempt.ts`), which writes output
 * (`output.ts`), may ask a person (`question.ts`) or end by a callback (`callback.ts`), and settles its end
 * (`run-end.ts`): the verdict of the task itself (`verdict.ts`), then the hooks of features above (`run-hook.ts`).
 */
export const tasks = feature({
  name: "tasks",
  kinds: [taskKind, permitKind],
  operations: { runTask, showRun, runOutput, cancelRun, answerRun, resendRun },
  fileLayouts: [taskLayout],
  explain: [explainRun],
  transfers: [transferTask],
  provides: tasksProvide,
  node: tasksOnNode,
  routes: async (context) => (await import("./routes.ts")).callbackRoutes(context),
  chat: async () => (await import("./chat.ts")).tasksChat,
  errors: () => import("./errors-ko.ts"),
});

export { readMarker } from "./notify-marker.ts";

// A task, what it runs and for which event.
export {
  type Slot,
  type TaskKind,
  attemptOf,
  makeTask,
  sameAttempt,
  taskKind,
  taskQueue,
} from "./kind.ts";
export {
  type RunAttempt,
  type RunOutput,
  type RunResult,
  type TaskOutcome,
  emptyOutcome,
  timedOutMark,
  usageOf,
} from "./outcome.ts";
export {
  type RunSpec,
  type RunTemplate,
  handlerRunner,
  retryMsOf,
  retryOf,
  runSpec,
  runnerInput,
  workspaceOf,
} from "./run-spec.ts";
export {
  type Payload,
  type TaskEvent,
  isEventType,
  payload,
  taskEvent,
  taskJson,
  typeCharsMax,
  typeShape,
} from "./task-event.ts";

// Runners, and functions as runners.
export type { Job, Ran, RunContext, Runner, Usage } from "./runner.ts";
export {
  type TaskContext,
  type RunArguments,
  type TaskDefinition,
  type TaskOptions,
  isTask,
  task,
} from "./function.ts";
export { functionRunner } from "./function-runner.ts";
export { type Allow, allowedProgram } from "./allowed-program.ts";
export { rate, type Rate } from "./rate.ts";
export { progressEveryMs, progressOf, progressText } from "./progress.ts";

// A run, from its start to its end.
export { taskController } from "./controller.ts";
export {
  holdsWhileWaiting,
  isInLine,
  nextStep,
  takeTurn,
  takesCapacity,
  waitForTurn,
  waitsForEnd,
} from "./capacity.ts";
export { handlerCapacity } from "./holds.ts";
export type { TaskWorkspaces, WorkspaceReadiness } from "./workspace-wait.ts";
export { callbackOf } from "./callback.ts";
export { answerRun } from "./operations/answer.ts";
export { repliedRun } from "./replied-run.ts";
export { decideEnd, runEndReader } from "./run-end.ts";
export {
  type RunEnd,
  type RunHook,
  type StartFacts,
  endOf,
  runHook,
  withConsequences,
} from "./run-hook.ts";

// What it needs from elsewhere.
export {
  type HandledTasks,
  type LocalRunners,
  type MissingWorkspace,
  type RunWorkspaces,
  failureNotices,
  handledTasks,
  localRunners,
  noWorkspaces,
  nodeRunners,
  runHooks,
  runWorkspaces,
  runWorkspacesIn,
  taskWorkspaces,
  waitingHolds,
  workerNames,
} from "./ports.ts";
export { limits, runners } from "./settings.ts";

// Inputs and views of operations on runs.
export {
  type RunInput,
  length,
  missingWorkspace,
  revision,
  runId,
  runInput,
  targetBecause,
  targetInput,
  timeoutInput,
} from "./operations/inputs.ts";
export type { Runnable } from "./operations/run-types.ts";
export { runnable, timeoutOf } from "./operations/runnable.ts";
export { type RunOutlook, forecastOf as forecastOfRun, runOutlookOf } from "./forecast.ts";
export { cancelTask } from "./operations/cancel.ts";
export {
  type RunView,
  originView,
  originViewOf,
  type RunLine,
  runLine,
  runLineOf,
  runView,
  runViewOf,
  statusLabel,
  withoutSecret,
} from "./operations/view.ts";
export { taskResult, taskLayout } from "./file.ts";

// Messages and explanations.
export { summaryOf } from "./notice.ts";
export { questionPrompt } from "./question.ts";
export { type HandlerTask, startMessage, threadMessage } from "./thread-message.ts";
export { type RunCauseView, recentRuns, runCause, runLines } from "./run-cause.ts";
export { endReason } from "./explain.ts";
export { runNotes } from "./operations/run-notes.ts";
export { textsOf } from "./texts.ts";

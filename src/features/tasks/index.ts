import { feature } from "../../kernel/feature.ts";
import { explainRun } from "./explain.ts";
import { taskLayout } from "./file.ts";
import { taskKind } from "./kind.ts";
import { answerRun } from "./operations/answer.ts";
import { cancelRun } from "./operations/cancel.ts";
import { runOutput, resendRun } from "./operations/output.ts";
import { runTask } from "./operations/run.ts";
import { showRun } from "./operations/show.ts";
import { tasksOnNode } from "./services.ts";

/** What runs, and how did it end? */
export const tasks = feature({
  name: "tasks",
  kinds: [taskKind],
  operations: { runTask, showRun, runOutput, cancelRun, answerRun, resendRun },
  fileLayouts: [taskLayout],
  explain: [explainRun],
  node: tasksOnNode,
});

export { type Allow, allowedProgram } from "./allowed-program.ts";
export { callbackOf, receiveCallback } from "./callback.ts";
export {
  awaitsEnd,
  awaitsTurn,
  holdsWhileWaiting,
  isInLine,
  startOf,
  takesCapacity,
  takesTurn,
} from "./capacity.ts";
export { taskController } from "./controller.ts";
export { endReason } from "./explain.ts";
export { taskResult, taskView } from "./file.ts";
export { functionRunner } from "./function-runner.ts";
export {
  type TaskContext,
  type TaskDefinition,
  type TaskOptions,
  isTask,
  task,
} from "./function.ts";
export { handlerCapacity } from "./holds.ts";
export {
  type Answered,
  type Slot,
  type TaskKind,
  attemptOf,
  makeTask,
  sameAttempt,
  taskKind,
  taskQueue,
} from "./kind.ts";
export { summaryOf } from "./notice.ts";
export { cancelTask } from "./operations/cancel.ts";
export { handlerFields, handlerFieldsOf } from "./operations/handler-view.ts";
export {
  type RunInput,
  length,
  revision,
  runId,
  runInput,
  targetBecause,
  targetInput,
  timeoutInput,
} from "./operations/inputs.ts";
export { returnedBy, type RunHandle, type RunOptions } from "./operations/run-handle.ts";
export type { Runnable } from "./operations/run-types.ts";
export { type AwaitRun, type Ends, type Runs, awaitRunWith, runsFor } from "./operations/run.ts";
export { runnable, timeoutOf } from "./operations/runnable.ts";
export {
  type RunView,
  originView,
  runLine,
  runLineOf,
  runView,
  shownOrigin,
  shownRunOf,
  standingOf,
  withoutSecret,
} from "./operations/view.ts";
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
  type HandledTasks,
  type LocalRunners,
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
  workerNames,
} from "./ports.ts";
export { progressOf } from "./progress.ts";
export { questionPrompt } from "./question.ts";
export { type RunCauseView, recentRuns, runLines } from "./run-cause.ts";
export { decideEnd, runFacts } from "./run-end.ts";
export {
  type RunEnd,
  type RunHook,
  type StartFacts,
  endOf,
  followedBy,
  runHook,
} from "./run-hook.ts";
export {
  type RunSpec,
  type RunTemplate,
  retryMs,
  retryOf,
  runBy,
  runSpec,
  runnerOf,
  workspaceOf,
} from "./run-spec.ts";
export type { Job, Ran, RunContext, Runner, Usage } from "./runner.ts";
export { limits, runners } from "./settings.ts";
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
export { textsOf } from "./texts.ts";
export { type HandlerTask, said, startMessage } from "./thread-message.ts";
export type { TaskWorkspaces, WorkspaceSeen } from "./workspace-wait.ts";

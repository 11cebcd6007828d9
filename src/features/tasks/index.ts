import { feature } from "../../kernel/feature.ts";
import { explainRun } from "./explain.ts";
import { taskLayout } from "./file.ts";
import { taskKind } from "./kind.ts";
import { answerRun } from "./operations/answer.ts";
import { cancelRun } from "./operations/cancel.ts";
import { runOutput, resendRun } from "./operations/output.ts";
import { runTask } from "./operations/run.ts";
import { showRun } from "./operations/show.ts";

/** What runs, and how did it end? */
export const tasks = feature({
  name: "tasks",
  kinds: [taskKind],
  operations: { runTask, showRun, runOutput, cancelRun, answerRun, resendRun },
  fileLayouts: [taskLayout],
  explain: [explainRun],
});

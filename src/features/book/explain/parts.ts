import { explainEvent, explainQuestion } from "../../events/explain.ts";
import { handledTasks } from "../../events/operations/handled-tasks.ts";
import { explainNag } from "../../nags/explain.ts";
import { explainNotification } from "../../notifications/explain.ts";
import { explainSchedule, scheduledRun } from "../../schedules/explain.ts";
import { explainRun } from "../../tasks/explain.ts";
import { explainWorkspace } from "../../workspaces/explain.ts";

/** What the features show of their kinds, in the order of the answer. No other file of the book lists kinds. */
export const parts = [
  explainNotification,
  explainRun({ ...scheduledRun, handled: handledTasks }),
  explainSchedule,
  explainNag,
  explainEvent,
  explainQuestion,
  explainWorkspace,
] as const;

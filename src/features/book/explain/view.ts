import * as z from "zod";
import { explainedEvent, explainedQuestion } from "../../events/explain.ts";
import { explainedNag } from "../../nags/explain.ts";
import { partViews } from "../../notifications/operations/long-texts.ts";
import { notificationView } from "../../notifications/operations/view.ts";
import { scheduleView } from "../../schedules/operations/view.ts";
import { saidView } from "../../tasks/operations/said-view.ts";
import { runView } from "../../tasks/operations/view.ts";
import { explainedWorkspace } from "../../workspaces/explain.ts";
import { budgetView } from "./budget.ts";
import { causeView } from "./causes.ts";
import { changeView } from "./history.ts";
import { restView } from "./pause.ts";

const explainedRun = runView.extend({
  number: z.number().nullable().describe("which of its schedule's runs; null: not known"),
  notify: z.enum(["always", "conditional", "never"]).nullable(),
  notify_after_failures: z.number().nullable().describe("failures in a row until they are told"),
  said: z.array(saidView).describe("what was said because of it, the oldest first"),
  unknown_task: z.string().optional().describe("a task that nobody here runs: it waits"),
  run_before: causeView.nullable().describe("what was at work when it was skipped for overlap"),
});

const explainedSchedule = scheduleView.extend({
  runs: z.array(causeView).describe("its newest runs"),
});

/** Everything that is known of why something did, did not, or will happen. */
export const explainedView = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  created_at: z.string(),
  created_by: z.string(),
  ended_at: z.string().nullable(),
  notification: notificationView
    .extend({
      origin: z.string().nullable().describe("where it was asked for"),
      at_text: z.string().describe("the words its time was asked in"),
    })
    .nullable(),
  run: explainedRun.nullable().describe("null: it is no run"),
  schedule: explainedSchedule.nullable().describe("null: it is no schedule"),
  nag: explainedNag.nullable().describe("null: it is nothing that is said until it is done"),
  event: explainedEvent.nullable().describe("null: it is nothing that happened"),
  question: explainedQuestion.nullable().describe("null: it is nothing that a task asked"),
  workspace: explainedWorkspace.nullable().describe("null: it is no workspace"),
  because: z.array(causeView).describe("what caused it, nearest first"),
  quiet: z
    .object({ from: z.string(), to: z.string(), in_force: z.boolean() })
    .nullable()
    .describe("quiet hours, and whether they are in force at its time"),
  budget: budgetView.nullable(),
  paused: restView.nullable().describe("why a schedule is, or a slot's was, paused"),
  held_back: restView.nullable().describe("what it waits for with much else"),
  history: z.array(changeView),
  history_cut: z.boolean().describe("earlier changes are left out"),
  waits: z
    .object({
      at: z.string().nullable().describe("when it is looked at next"),
      holder: z.string().nullable().describe("who is, or was last, at work on it"),
      parked: z.boolean().describe("others to the same place come first"),
      listener: z.boolean().describe("it is said when somebody listens"),
      cancelling: z.boolean(),
    })
    .nullable()
    .describe("null: it has ended"),
  ...partViews,
});
export type Explained = z.infer<typeof explainedView>;

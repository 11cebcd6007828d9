import * as z from "zod";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import type { QuestionKind } from "../question.ts";

const moment = z.string().describe("a moment in UTC, as ISO 8601");

export const whichQuestion = z
  .string()
  .min(1)
  .describe("which question, by its id or the last letters of that");

/** What a task that has ended asked a person. */
export const questionView = z.object({
  id: z.string(),
  state: z.string().describe("open, answered, expired or cancelled"),
  status: z
    .enum(["input_required", "completed", "cancelled"])
    .describe("input_required: a person must answer, and then it goes on"),
  handler: z.string(),
  text: z.string(),
  choices: z.array(z.string()),
  task_id: z.string().describe("what asked it"),
  event_id: z.string().nullable(),
  target: z.string().describe("where it is asked"),
  answer: z.string().nullable(),
  answered_by: z.string().nullable(),
  resumed: z.string().nullable().describe("the task that goes on with the answer"),
  asked_at: moment,
  expires_at: moment.nullable().describe("until then an answer is waited for"),
});
export type QuestionView = z.infer<typeof questionView>;

export function shownQuestion(record: LedgerRecord<QuestionKind>): QuestionView {
  const { id, body, outcome, state, createdAt } = record;
  return {
    id,
    state,
    status: statuses[state],
    handler: body.handler,
    text: body.text,
    choices: [...body.choices],
    task_id: body.task,
    event_id: body.event,
    target: body.target,
    answer: outcome?.answer ?? null,
    answered_by: outcome?.by ?? null,
    resumed: outcome?.resumed ?? null,
    asked_at: isoOf(createdAt),
    expires_at: isoOr(body.expiresAt),
  };
}

const statuses: Readonly<Record<LedgerRecord<QuestionKind>["state"], QuestionView["status"]>> = {
  open: "input_required",
  answered: "completed",
  expired: "cancelled",
  cancelled: "cancelled",
};

import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { count, json, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { type HandlerTask, taskEvent, type TaskEvent } from "../tasks/index.ts";

/** A question of a task that has ended; the answer makes a task that resumes the work. */
export const questionKind = defineKind({
  name: "question",
  body: z.strictObject({
    task: z.string(),
    event: z.string().nullable(),
    handler: z.string(),
    text: z.string(),
    choices: z.array(z.string()).readonly(),
    /** Where it is sent, and answered. */
    target,
    origin: z.string().nullable(),
    /** State of the task for the one that resumes: stored and returned, never read. */
    context: json,
    sessionId: z.string().nullable(),
    /** The person or program that the task works for. In a chat, only this person may answer. */
    askedBy: z.string(),
    /** The event of the task, which is also the event of the task that resumes. */
    about: taskEvent,
    /** No answer is accepted after this. */
    expiresAt: moment.exactOptional(),
  }),
  outcome: z.strictObject({
    answer: z.string().nullable(),
    by: z.string().nullable(),
    resumed: z.string().nullable(),
    /** How many reminders were sent that it is still open. */
    nags: count.exactOptional(),
  }),
  states: { open: ["answered", "expired"] },
});
export interface QuestionKind extends KindOf<typeof questionKind> {}

export type Question = LedgerRecord<QuestionKind>;

/** A question expires after this. */
const answerMsMax = 7 * 86_400_000;

/** The first reminder that a question is still open. */
export const firstReminderMs = 60 * 60_000;

/** `q-20260207-001` for the question of `task-20260207-001`: short enough to be typed. */
export function questionId(taskId: string): string {
  return `q-${taskId.replace(/^task-/, "")}`;
}

/** What the program that resumes needs, under the names that the seed's programs know. */
export function replyContext(
  { handler, repo }: TaskEvent,
  sessionId: string | null,
): { readonly [name: string]: Json } {
  return { general: handler, session_id: sessionId, repo };
}

export function makeQuestion(
  task: HandlerTask,
  { text, choices, sessionId }: Pick<QuestionKind["body"], "text" | "choices" | "sessionId">,
  now: number,
): DraftOf<QuestionKind> {
  const { event, target, origin } = task.body;
  const expiresAt = now + answerMsMax;
  return {
    kind: "question",
    id: questionId(task.id),
    state: "open",
    wakeAt: now + firstReminderMs,
    priority: "high",
    body: {
      task: task.id,
      event: event.id,
      handler: event.handler,
      text,
      choices,
      target,
      origin,
      context: replyContext(event, sessionId),
      sessionId,
      askedBy: task.by,
      about: event,
      expiresAt,
    },
  };
}

const openMax = 1_000;
/** Late answers find the newest of these. */
const endedMax = 100;

/** The newest questions first: those that are open, or those that have ended. */
export function questionsIn(book: Book, isOpen: boolean): AsyncGenerator<Question, void> {
  const query = { kind: questionKind, live: isOpen, order: "newest" } as const;
  return recordsIn(book, query, isOpen ? openMax : endedMax);
}

import * as z from "zod";
import { defineKind, type KindOf } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { count, json, moment } from "../../kernel/schemas.ts";
import { target } from "../../kernel/target.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { distanceMs, type Curve } from "../nags/index.ts";
import { type TaskKind, taskEvent, type TaskEvent } from "../tasks/index.ts";
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
    /** What the task that resumes needs: kept and given back unread. */
    context: json,
    sessionId: z.string().nullable(),
    /** On whose behalf the task works. In a chat, only they may answer. */
    askedBy: z.string(),
    /** What the task was about: the task that resumes is about the same. */
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
type Task = Pick<LedgerRecord<TaskKind>, "id" | "by" | "body">;

/** So long an answer is waited for. */
const answerMs = 7 * 86_400_000;

/** How far apart it is said that an answer is waited for; nobody is woken. */
export const waitCurve: Curve = {
  base: { count: 1, unit: "hours" },
  factor: 2,
  cap: { count: 72, unit: "hours" },
  sleep: { from: "22:00", to: "07:00" },
};

export interface Input {
  readonly text: string;
  readonly choices: readonly string[];
  readonly sessionId: string | null;
}

/** `q-20260207-001` for what `task-20260207-001` asks: short enough to be typed. */
export function questionId(taskId: string): string {
  return `q-${taskId.replace(/^task-/, "")}`;
}

/** What whoever goes on with the answer needs, as the seed's programs know it. */
export function replyContext(
  { handler, repo }: TaskEvent,
  sessionId: string | null,
): { readonly [name: string]: Json } {
  return { general: handler, session_id: sessionId, repo };
}

export function makeQuestion(
  task: Task & { body: { event: TaskEvent } },
  { text, choices, sessionId }: Input,
  now: number,
): DraftOf<QuestionKind> {
  const { event, target, origin } = task.body;
  const expiresAt = now + answerMs;
  return {
    kind: "question",
    id: questionId(task.id),
    state: "open",
    wakeAt: Math.min(now + distanceMs(waitCurve, 1), expiresAt),
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

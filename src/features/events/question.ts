import { defineKind, type Kind } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import type { Json } from "../../platform/json.ts";
import { distanceMs, type Curve } from "../nags/curve.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { TaskEvent } from "../tasks/task-event.ts";
import { handlerTask } from "./event-task.ts";
import type { Handler } from "./handler.ts";

/** What a task that has ended asked a person; the answer makes a task that goes on. */
export interface QuestionKind {
  name: "question";
  body: {
    task: string;
    event: string | null;
    handler: string;
    text: string;
    choices: readonly string[];
    /** Where it is asked, and answered. */
    target: string;
    origin: string | null;
    /** What whoever goes on needs: kept and given back unread. */
    context: Json;
    sessionId: string | null;
    /** For whom the work is done that asks. Somebody in a chat answers for themself. */
    askedBy: string;
    /** What the task was about: the one that goes on is about the same. */
    about: TaskEvent;
    /** After this nobody is waited for. */
    expiresAt?: number;
  };
  outcome: {
    answer: string | null;
    by: string | null;
    resumed: string | null;
    /** How often it was said that it still waits. */
    nags?: number;
  };
  live: "open";
  end: "answered" | "expired" | "cancelled";
}

export const questionKind: Kind<QuestionKind> = defineKind({
  name: "question",
  states: { open: ["answered", "expired"] },
});

type Question = LedgerRecord<QuestionKind>;
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

/** Why an answer is not taken. */
export type Refusal =
  /** Another answer was first. */
  | "answered"
  /** Nobody waits for it any more. */
  | "late"
  /** Somebody else was asked. */
  | "not yours"
  /** It is none of the choices. */
  | "no choice";

export interface Answering {
  readonly answer: string;
  readonly by: string;
  readonly now: number;
  /** Who goes on: as it is set now. */
  readonly handler: Handler;
  /** `task-20260207-002`, of the task that goes on. */
  readonly taskId: string;
  readonly places: number | null;
  /** The event that brought the answer, if one did. */
  readonly event?: { readonly id: string; readonly name: string; readonly hops: number };
}

/** The answer and the task that goes on with it, to be written in one unit; or why it is not taken. */
export function answered(
  question: Question,
  answering: Answering,
): { edit: EditOf<QuestionKind>; resume: DraftOf<TaskKind> } | { refused: Refusal } {
  const refused = refusalOf(question, answering);
  const choice = chosen(answering.answer, question.body.choices);
  if (refused !== undefined) return { refused };
  if (choice === undefined) return { refused: "no choice" };
  const { id, revision } = question;
  return {
    edit: {
      kind: "question",
      id,
      ifRevision: revision,
      ends: "answered",
      outcome: { answer: choice, by: answering.by, resumed: answering.taskId },
    },
    resume: resumeTask(question, choice, answering),
  };
}

/** In the person's own book every answer is theirs; in a chat, only who asked for the work may say how it goes on. */
export function refusalOf(
  { state, body, owner, cancelling }: Question,
  { by, now }: Pick<Answering, "by" | "now">,
): Refusal | undefined {
  if (state === "answered") return "answered";
  if (state !== "open" || cancelling || now >= (body.expiresAt ?? Infinity)) return "late";
  const isPerson = body.askedBy.includes(":");
  return isPerson && by.includes(":") && by !== body.askedBy && by !== owner
    ? "not yours"
    : undefined;
}

/** One of the choices as it was offered, however its letters were typed. */
function chosen(answer: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return answer;
  const same = answer.trim().toLowerCase();
  return choices.find((choice) => choice.trim().toLowerCase() === same);
}

function resumeTask(
  { id, body }: Question,
  answer: string,
  { now, handler, taskId, places, event }: Answering,
): DraftOf<TaskKind> {
  const { about, sessionId, target, origin, text } = body;
  const resumed: TaskEvent = {
    ...about,
    ...(event === undefined ? {} : event),
    payload: {
      ...about.payload,
      human_response: answer,
      session_id: sessionId,
      reply_context: body.context,
    },
    taskType: "resume",
    channels: handler.channels,
    answer,
    ...(sessionId === null ? {} : { sessionId }),
  };
  const making = { id: taskId, now, target, thread: about.thread, places, origin };
  const answers = [{ question: text, answer }];
  const key = `resume:${id}`;
  return {
    ...handlerTask(resumed, handler, { ...making, answers }),
    key: { name: key, asked: key },
    priority: "high",
    parent: id,
  };
}

import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import type { TaskKind, TaskEvent } from "../tasks/index.ts";
import { handlerTask } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import type { QuestionKind, Question } from "./question.ts";

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

export interface AnswerFacts {
  readonly answer: string;
  readonly by: string;
  readonly now: number;
  /** Who goes on: as it is set now. */
  readonly handler: Handler;
  /** `task-20260207-002`, of the task that goes on. */
  readonly taskId: string;
  readonly capacity: number | null;
  /** The event that brought the answer, if one did. */
  readonly event?: { readonly id: string; readonly name: string; readonly hops: number };
}

/** The answer and the task that goes on with it, to be written in one unit; or why it is not taken. */
export function answered(
  question: Question,
  answering: AnswerFacts,
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
  { by, now }: Pick<AnswerFacts, "by" | "now">,
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
  { now, handler, taskId, capacity, event }: AnswerFacts,
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
  const making = { id: taskId, now, target, thread: about.thread, capacity, origin };
  const answers = [{ question: text, answer }];
  const key = `resume:${id}`;
  return {
    ...handlerTask(resumed, handler, { ...making, answers }),
    key: { name: key, asked: key },
    priority: "high",
    parent: id,
  };
}

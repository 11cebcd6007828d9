import type { DraftOf, EditOf } from "../../kernel/unit.ts";
import { present } from "../../platform/json.ts";
import type { TaskKind, TaskEvent } from "../tasks/index.ts";
import { handlerTask, type TaskFacts } from "./event-task.ts";
import type { Handler } from "./handler.ts";
import type { QuestionKind, Question } from "./question.ts";

/** Why an answer is refused. */
export type Refusal =
  /** The question has an answer. */
  | "answered"
  /** The question has expired or was cancelled. */
  | "late"
  /** The task works for another person. */
  | "not yours"
  /** The answer is not one of the choices. */
  | "no choice";

export interface AnswerFacts extends Pick<TaskFacts, "now" | "capacity"> {
  readonly answer: string;
  readonly by: string;
  /** The handler of the question in the current settings. */
  readonly handler: Handler;
  /** `task-20260207-002`, the id of the task that resumes. */
  readonly taskId: string;
  /** The event that brought the answer, if one did. */
  readonly event?: Pick<TaskEvent, "id" | "name" | "hops">;
}

/** The answer and the task that resumes with it, to be written as one unit; or why the answer is refused. */
export function answerUnit(
  question: Question,
  facts: AnswerFacts,
): { edit: EditOf<QuestionKind>; resume: DraftOf<TaskKind> } | { refused: Refusal } {
  const refused = refusalOf(question, facts);
  if (refused !== undefined) return { refused };
  const answer = matchingChoice(facts.answer, question.body.choices);
  if (answer === undefined) return { refused: "no choice" };
  const { id, revision } = question;
  return {
    edit: {
      kind: "question",
      id,
      ifRevision: revision,
      ends: "answered",
      outcome: { answer, by: facts.by, resumed: facts.taskId },
    },
    resume: resumeTask(question, answer, facts),
  };
}

/** In their own book the owner may answer everything; in a chat, only the person whom the task works for. */
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

/** One of the choices as it was offered, without regard to case. */
function matchingChoice(answer: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return answer;
  const same = answer.trim().toLowerCase();
  return choices.find((choice) => choice.trim().toLowerCase() === same);
}

function resumeTask(
  { id, body }: Question,
  answer: string,
  { now, handler, taskId, capacity, event }: AnswerFacts,
): DraftOf<TaskKind> {
  const { about, sessionId, target, origin, text, context } = body;
  const resumed: TaskEvent = {
    ...about,
    ...event,
    payload: {
      ...about.payload,
      human_response: answer,
      session_id: sessionId,
      reply_context: context,
    },
    taskType: "resume",
    channels: handler.channels,
    answer,
    ...present({ sessionId: sessionId ?? undefined }),
  };
  const answers = [{ question: text, answer }];
  const facts = { id: taskId, now, target, thread: about.thread, capacity, origin, answers };
  const key = `resume:${id}`;
  return {
    ...handlerTask(resumed, handler, facts),
    key: { name: key, asked: key },
    priority: "high",
    parent: id,
  };
}

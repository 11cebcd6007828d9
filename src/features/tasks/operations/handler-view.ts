import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { TaskKind } from "../kind.ts";
import type { HandledTasks } from "../ports.ts";

type Task = LedgerRecord<TaskKind>;

/** The further fields of a handler's task; null for other tasks. */
export const handlerFields = {
  event: z
    .object({ id: z.string(), name: z.string(), type: z.string() })
    .nullable()
    .describe("the event that it handles"),
  handler: z.string().nullable().describe("the handler of the event"),
  task_type: z
    .string()
    .nullable()
    .describe("the type of the event, resume, or the type that a schedule sets"),
  session_id: z.string().nullable().describe("the session that it resumes"),
};
type HandlerFields = {
  [Name in keyof typeof handlerFields]: z.infer<(typeof handlerFields)[Name]>;
};

/** The open question of a run, under the name that agents know. */
export const inputRequired = z
  .object({ id: z.string(), question: z.string(), choices: z.array(z.string()) })
  .nullable()
  .describe("the question that a person must answer before it continues: answer it by this id");
type InputRequired = z.infer<typeof inputRequired>;

/** What to type to answer: a run is answered by its own id, the task of a handler by that of its question. */
export function answerCommand(runId: string, { id }: NonNullable<InputRequired>): string {
  return `${id === runId ? "run" : "question"} answer ${id}`;
}

export function handlerFieldsOf({ event }: Task["body"]): HandlerFields {
  if (event === undefined) return { event: null, handler: null, task_type: null, session_id: null };
  const { id, name, type, handler, taskType, sessionId = null } = event;
  return { event: { id, name, type }, handler, task_type: taskType, session_id: sessionId };
}

/** Its own open question, or the one that it left when it ended. */
export async function inputRequiredOf(
  book: Book,
  record: Task,
  handled: HandledTasks | undefined,
): Promise<InputRequired> {
  const { id, state, outcome, endedAt } = record;
  if (endedAt === null) {
    const request = state === "needs_human" ? (outcome?.question ?? null) : null;
    return request && { id, question: request.text, choices: [...request.choices] };
  }
  const open = (await handled?.openQuestion(book, record)) ?? null;
  return open && { id: open.id, question: open.text, choices: [...open.choices] };
}

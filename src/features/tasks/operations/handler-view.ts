import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { TaskKind } from "../kind.ts";
import type { HandledTasks } from "../ports.ts";

type Task = LedgerRecord<TaskKind>;

/** What a task of a handler has beside; null in all others. */
export const handlerFields = {
  event: z
    .object({ id: z.string(), name: z.string(), type: z.string() })
    .nullable()
    .describe("what happened, for which it is done"),
  handler: z.string().nullable().describe("who handles that"),
  task_type: z.string().nullable().describe("the event's type, resume, or a schedule's own word"),
  session_id: z.string().nullable().describe("what it goes on from"),
};
type HandlerFields = {
  [Name in keyof typeof handlerFields]: z.infer<(typeof handlerFields)[Name]>;
};

/** As agents know it: a person's word is needed. */
export const inputRequired = z
  .object({ id: z.string(), question: z.string(), choices: z.array(z.string()) })
  .nullable()
  .describe("what a person must answer before it goes on: answer it by this id");
type InputRequired = z.infer<typeof inputRequired>;

export function handlerFieldsOf({ event }: Task["body"]): HandlerFields {
  if (event === undefined) return { event: null, handler: null, task_type: null, session_id: null };
  const { id, name, type, handler, taskType, sessionId = null } = event;
  return { event: { id, name, type }, handler, task_type: taskType, session_id: sessionId };
}

/** What it waits for itself, or what it asked when it ended. */
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

import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { TaskKind } from "../../tasks/kind.ts";
import { handlerFields, handlerFieldsOf } from "../../tasks/operations/handler-view.ts";
import { runLine, runLineOf } from "../../tasks/operations/view.ts";

type Task = LedgerRecord<TaskKind>;

/** A task in a list. */
export const taskLine = runLine.extend({
  id: z.string().describe("the same as run_id: what claim and cancel take"),
  name: z.string().describe("its schedule's name, or who runs it"),
  ...handlerFields,
  priority: z.enum(["low", "normal", "high"]),
});
export type TaskLine = z.infer<typeof taskLine>;

export async function taskLineOf(book: Book, record: Task): Promise<TaskLine> {
  const { body, priority } = record;
  return {
    ...(await runLineOf(book, record)),
    id: record.id,
    name: body.slot?.name ?? body.event?.handler ?? body.name,
    ...handlerFieldsOf(body),
    priority,
  };
}

import { recordOf } from "../../kernel/book.ts";
import type { ChatTurn } from "../../kernel/chat.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { notificationKind } from "../notifications/index.ts";
import { type TaskKind, taskKind } from "./kind.ts";

/** The run whose output or question a chat message replies to. */
export async function repliedRun(turn: ChatTurn): Promise<LedgerRecord<TaskKind> | undefined> {
  const replied = await turn.replied();
  if (!is(notificationKind, replied)) return undefined;
  const { body, parent } = replied;
  return recordOf(turn.book, taskKind, body.type === "question" ? body.relatedTaskId : parent);
}

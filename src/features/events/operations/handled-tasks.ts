import { is } from "../../../kernel/kind.ts";
import type { HandledTasks } from "../../tasks/ports.ts";
import { eventKind } from "../kind.ts";
import { questionId, questionKind } from "../question.ts";
import { endsEvent } from "../task-end.ts";

/** Tasks of handlers: their events end with them, and what they asked waits as a question. */
export const handledTasks: HandledTasks = {
  async cancels(book, { id, body, endedAt }, reason) {
    if (body.event === undefined || endedAt !== null) return {};
    const event = await book.get(body.event.id);
    const isOurs = is(eventKind, event) && event.outcome?.task === id;
    if (!isOurs || event.endedAt !== null) return {};
    return { edit: [endsEvent(event, "cancelled", reason)] };
  },
  async cancelsLater(book, { body }) {
    const event = body.event && (await book.get(body.event.id));
    return is(eventKind, event) ? { wake: [{ id: event.id }] } : {};
  },
  async openQuestion(book, { id, body }) {
    if (body.event === undefined) return null;
    const found = await book.get(questionId(id));
    if (!is(questionKind, found) || found.state !== "open" || found.body.task !== id) return null;
    return { id: found.id, text: found.body.text, choices: found.body.choices };
  },
};

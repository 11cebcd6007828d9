import * as z from "zod";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import { oneLine } from "../../../platform/text.ts";
import { fields } from "../../notifications/operations/fields.ts";
import { sentView, shownSent } from "../../notifications/operations/view.ts";
import { eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import { messagesOf, questionsOf, tasksOfEvent } from "./event-tasks.ts";
import { eventView, sayEvent, shownEvent } from "./event-view.ts";
import { questionView, shownQuestion } from "./question-view.ts";
import { taskLine, taskLineOf } from "./task-view.ts";

const output = eventView.extend({
  tasks: z.array(taskLine).describe("what was done for it, the oldest first"),
  questions: z.array(questionView).describe("what that asked people"),
  messages: z.array(sentView).describe("what was said of it"),
});

export const showEvent = operation({
  name: "get_event",
  summary: "Show one event, with what is done for it and what was said of that.",
  input: z.strictObject({ id: fields.id }),
  output,
  aliases: { event_id: "id" },
  scope: "read",
  effect: "none",
  route: { method: "GET", path: "/v1/events/{id}" },
  command: { name: "show-event", positionals: ["id"] },
  tool: "on request",
  async run({ id }, context): Promise<z.infer<typeof output>> {
    const book = bookOf(context);
    const record = await find(book, eventKind, id);
    const tasks = await tasksOfEvent(book, record);
    const lines = [];
    for (const task of tasks) lines.push(await taskLineOf(book, task));
    return {
      ...shownEvent(record),
      tasks: lines,
      questions: (await questionsOf(book, tasks)).map(shownQuestion),
      messages: (await messagesOf(book, tasks)).map(shownSent),
    };
  },
  render({ tasks, questions, messages, ...event }, reader) {
    const texts = textsOf(reader.language);
    return [
      sayEvent(event, reader),
      ...tasks.map(({ run_id: id, status }) => texts.handledBy({ id, state: status })),
      ...questions.map(({ id, handler, text, state }) =>
        texts.questionIs({ id, handler, text: oneLine(text, 80), state: texts.state(state) }),
      ),
      ...messages.map(({ id, state, target }) =>
        texts.headline({ kind: "notification", id, state, when: null, target }),
      ),
    ].join("\n");
  },
});

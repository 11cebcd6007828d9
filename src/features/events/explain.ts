import * as z from "zod";
import { bookOf } from "../../kernel/book.ts";
import { explainPart, type Subject } from "../../kernel/explain.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/index.ts";
import { sentLine } from "../notifications/index.ts";
import { type EventKind, eventKind } from "./kind.ts";
import {
  eventState,
  eventView,
  shownEvent,
  shownWork,
  tasksOfEvent,
  workFields,
} from "./operations/event-view.ts";
import { questionView, shownQuestion } from "./operations/questions.ts";
import { eventContext } from "./ports.ts";
import { questionKind } from "./question.ts";
import { textsOf } from "./texts.ts";

const charsMax = 200;

const view = eventView.extend({
  subscriber: z
    .string()
    .nullable()
    .describe("the handler that subscribes to such events in the current settings"),
  ...workFields,
});
type View = z.infer<typeof view>;

export const explainEvent = explainPart({
  key: "event",
  kind: eventKind,
  view,
  nullMeaning: "null: it is not an event.",
  build,
  cause: {
    schema: z.object({ name: z.string(), type: z.string() }),
    build: async ({ body: { name, type } }) => ({ name, type }),
    lines: (event, { id, state }, { language }) => [
      textsOf(language).becauseEvent({ ...event, state, id }),
    ],
  },
  lines: {
    headline: (event, head, { language }) =>
      textsOf(language).headline({ ...head, state: eventState(event) }),
    message: ({ type, repo }) => `${type}${repo === null ? "" : ` (${repo})`}`,
    time: ({ at }, reader) => [`${localTime(at, reader)} ${reader.zone}`],
    rules: (event, _story, { reader }) => rules(event, reader),
    runs: ({ tasks }, { language }) =>
      tasks.map(({ id, status: state, at_work: isAtWork }) =>
        textsOf(language).handledBy({ id, state: isAtWork ? "in_progress" : state }),
      ),
    sent: ({ messages }, reader) => messages.map((each) => sentLine(each, reader)),
    next({ state, tasks }, _waits, { language }) {
      const task = state === "dispatched" ? tasks.at(-1) : undefined;
      if (task === undefined) return undefined;
      return textsOf(language).handledBy({
        id: task.id,
        state: task.at_work ? "in_progress" : task.status,
      });
    },
  },
});

async function build(record: LedgerRecord<EventKind>, { context }: Subject): Promise<View> {
  const book = bookOf(context);
  const tasks = await tasksOfEvent(book, record);
  const handlers = context.use(eventContext)?.handlers ?? [];
  const first = handlers.find(({ subscribes }) => subscribes.includes(record.body.type));
  return {
    ...shownEvent(record),
    subscriber: first?.name ?? null,
    ...(await shownWork(tasks, context)),
  };
}

/** Why the event goes to its handler, or to none. */
function rules({ type, hops, reason, ...event }: View, { language }: Reader): string[] {
  const texts = textsOf(language);
  const handler = event.handler ?? event.subscriber;
  return [
    handler === null ? texts.nobodySubscribes(type) : texts.subscribes({ handler, type }),
    ...(hops === 0 ? [] : [texts.hopsOf(hops)]),
    ...(reason === null ? [] : [oneLine(texts.reason(reason), charsMax)]),
  ];
}

export const explainQuestion = explainPart({
  key: "question",
  kind: questionKind,
  view: questionView,
  nullMeaning: "null: it is not a question of a task.",
  build: async (record) => shownQuestion(record),
  cause: {
    schema: z.object({ text: z.string() }),
    build: async ({ body: { text } }) => ({ text }),
    lines: ({ text }, { id, state }, { language }) => [
      textsOf(language).becauseQuestion({ text: oneLine(text, 100), id, state }),
    ],
  },
  lines: {
    message: ({ text, choices }) =>
      choices.length === 0 ? text : `${text} (${choices.join(" / ")})`,
    rules({ answer, answered_by: by, resumed }, _story, { reader: { language } }) {
      if (answer === null || by === null || resumed === null) return [];
      return [textsOf(language).answeredBy({ answer: oneLine(answer, charsMax), by, resumed })];
    },
    next({ id, expires_at: end }, _waits, reader) {
      const until = end === null ? null : localTime(end, reader);
      return textsOf(reader.language).waitsForAnswer({ id, until });
    },
  },
});

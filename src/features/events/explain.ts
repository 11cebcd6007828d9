import * as z from "zod";
import type { Context, Reader } from "../../kernel/operation.ts";
import { bookOf } from "../../kernel/own-book.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { fromIso } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { inWords } from "../../time/times.ts";
import type { Explained } from "../book/explain/view.ts";
import { saidLine } from "../schedules/explain.ts";
import { saidView, shownSaid } from "../tasks/operations/said-view.ts";
import type { Texts } from "../texts/shape.ts";
import type { EventKind } from "./kind.ts";
import { messagesOf, tasksOfEvent } from "./operations/event-tasks.ts";
import { eventView, shownEvent } from "./operations/event-view.ts";
import { questionView } from "./operations/question-view.ts";
import { taskLine, taskLineOf } from "./operations/task-view.ts";

const charsMax = 200;

export const explainedEvent = eventView.extend({
  subscriber: z
    .string()
    .nullable()
    .describe("who has something to do for such events, as it is set now"),
  tasks: z.array(taskLine).describe("what was done for it, the oldest first"),
  messages: z.array(saidView).describe("what was said of it"),
});
export const explainedQuestion = questionView;
type ExplainedEvent = z.infer<typeof explainedEvent>;

export async function aboutEvent(
  record: LedgerRecord<EventKind>,
  context: Context,
): Promise<ExplainedEvent> {
  const book = bookOf(context);
  const tasks = await tasksOfEvent(book, record);
  const lines = [];
  for (const task of tasks) lines.push(await taskLineOf(book, task));
  const handlers = context.when?.handlers ?? [];
  const first = handlers.find(({ subscribes }) => subscribes.includes(record.body.type));
  return {
    ...shownEvent(record),
    subscriber: first?.name ?? null,
    tasks: lines,
    messages: (await messagesOf(book, tasks)).map(shownSaid),
  };
}

/** What it is about, in a line. */
export function whenMessage({ event, question }: Explained): string | null {
  if (question !== null) {
    const { text, choices } = question;
    return choices.length === 0 ? text : `${text} (${choices.join(" / ")})`;
  }
  return event && `${event.type}${event.repo === null ? "" : ` (${event.repo})`}`;
}

export function whenTime({ event }: Explained, { zone, language }: Reader): string[] {
  return event === null ? [] : [`${inWords(fromIso(event.at), zone, language)} ${zone}`];
}

/** Why it goes to whom, or why it does not; and what was answered. */
export function whenRules({ event, question }: Explained, texts: Texts): string[] {
  if (event !== null) {
    const { type, hops, reason } = event;
    const handler = event.handler ?? event.subscriber;
    return [
      handler === null ? texts.nobodySubscribes(type) : texts.subscribes({ handler, type }),
      ...(hops === 0 ? [] : [texts.hopsOf(hops)]),
      ...(reason === null ? [] : [oneLine(reason, charsMax)]),
    ];
  }
  const { answer = null, answered_by: by = null, resumed = null } = question ?? {};
  if (answer === null || by === null || resumed === null) return [];
  return [texts.answeredBy({ answer: oneLine(answer, charsMax), by, resumed })];
}

export function whenRuns({ event }: Explained, texts: Texts): string[] {
  return (event?.tasks ?? []).map(({ run_id: id, status: state, at_work: isAtWork }) =>
    texts.handledBy({ id, state: isAtWork ? "in_progress" : state }),
  );
}

export function whenSaid({ event }: Explained, texts: Texts, reader: Reader): string[] {
  return (event?.messages ?? []).map((each) => saidLine(each, texts, reader));
}

/** What it waits for; undefined when that is for its wake time to say. */
export function whenNext(story: Explained, texts: Texts, reader: Reader): string | undefined {
  const { event, question } = story;
  if (question !== null) {
    const { id, expires_at: end } = question;
    const until = end === null ? null : inWords(fromIso(end), reader.zone, reader.language);
    return texts.waitsForAnswer({ id, until });
  }
  const task = event?.state === "dispatched" ? event.tasks.at(-1) : undefined;
  if (task !== undefined) return texts.handledBy({ id: task.run_id, state: task.status });
  return workerNext(story, texts, reader);
}

/** Nobody here works on it: somebody outside must. */
function workerNext({ run, waits }: Explained, texts: Texts, { now }: Reader): string | undefined {
  if (run === null || run.handler === null || run.task !== run.handler) return undefined;
  const at = waits?.holder === null ? waits.at : null;
  if (at === null || fromIso(at) > now) return undefined;
  return texts.waitsForWorker({ handler: run.handler });
}

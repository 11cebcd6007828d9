import * as z from "zod";
import { is } from "../../../kernel/kind.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { pageWhere } from "../../../kernel/list-all.ts";
import { operation } from "../../../kernel/operation.ts";
import { bookOf, find } from "../../../kernel/own-book.ts";
import type { ListQuery } from "../../../kernel/reading.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import { oneLine } from "../../../platform/text.ts";
import { fields, sentView, shownSent } from "../../notifications/index.ts";
import { taskKind, cancelTask } from "../../tasks/index.ts";
import { type EventKind, eventKind } from "../kind.ts";
import { textsOf } from "../texts.ts";
import {
  messagesOf,
  questionsOf,
  tasksOfEvent,
  eventLine,
  eventLineOf,
  renderEvent,
  eventView,
  shownEvent,
} from "./event-view.ts";
import { questionView, shownQuestion } from "./questions.ts";
import { handledTasks, taskLine, taskLineOf } from "./tasks.ts";

const states = ["pending", "dispatched", "completed", "failed", "cancelled"] as const;

const listed = z.object({
  events: z.array(eventLine),
  next: z.string().nullable().describe("where the next page starts; null on the last"),
});

export const listEvents = operation({
  name: "list_events",
  summary: "Show what happened, the newest first.",
  input: z.strictObject({
    state: z.enum(states).optional().describe("only what is in this state"),
    type: z.string().optional().describe("only events of this type"),
    handler: z.string().optional().describe("only what this handler has to do"),
    limit: fields.limit,
    after: fields.after,
  }),
  output: listed,
  aliases: { status: "state" },
  example: { state: "dispatched" },
  route: { method: "GET", path: "/v1/events" },
  command: { name: "events", positionals: [] },
  async run({ state, type, handler, limit, after }, context): Promise<z.infer<typeof listed>> {
    const query: ListQuery<EventKind> = {
      kind: eventKind,
      order: "newest",
      limit,
      after,
      ...(state === undefined ? {} : { state }),
    };
    const { records, next } = await pageWhere(
      bookOf(context),
      query,
      ({ body, outcome }) =>
        (type ?? body.type) === body.type &&
        (handler === undefined || outcome?.handler === handler),
    );
    return { events: records.map(eventLineOf), next };
  },
  render({ events, next }, reader) {
    const texts = textsOf(reader.language);
    if (events.length === 0 && next === null) return texts.noEvents();
    const lines = events.map((event) => renderEvent(event, reader));
    return [...lines, ...(next === null ? [] : [texts.more(next)])].join("\n");
  },
});

const shown = eventView.extend({
  tasks: z.array(taskLine).describe("what was done for it, the oldest first"),
  questions: z.array(questionView).describe("what that asked people"),
  messages: z.array(sentView).describe("what was said of it"),
});

export const showEvent = operation({
  name: "get_event",
  summary: "Show one event, with what is done for it and what was said of that.",
  input: z.strictObject({ id: fields.id }),
  output: shown,
  aliases: { event_id: "id" },
  example: { id: "evt-jira-OPS-7" },
  route: { method: "GET", path: "/v1/events/{id}" },
  command: { name: "show-event", positionals: ["id"] },
  async run({ id }, context): Promise<z.infer<typeof shown>> {
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
      renderEvent(event, reader),
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

const cancelled = eventView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: what is done for it is being stopped; ended: it was over before"),
});

export const cancelEvent = operation({
  name: "cancel_event",
  summary: "Let nothing be done for an event, or stop what is.",
  input: z.strictObject({
    id: fields.id,
    reason: z.string().max(1_000).optional().describe("why; kept with it"),
  }),
  output: cancelled,
  aliases: { event_id: "id" },
  effect: "ends",
  example: { id: "evt-jira-OPS-7", reason: "done by hand" },
  route: { method: "POST", path: "/v1/events/{id}/cancel" },
  command: { name: "cancel-event", positionals: ["id"] },
  async run({ id, reason }, context): Promise<z.infer<typeof cancelled>> {
    const book = bookOf(context);
    const cancel = await stopEvent(book, await find(book, eventKind, id), {
      reason,
      now: context.now(),
    });
    return { ...shownEvent(await find(book, eventKind, id)), cancel };
  },
  render({ cancel, name, state }, { language }) {
    const texts = textsOf(language);
    if (cancel === "cancelled") return texts.eventCancelled(name);
    if (cancel === "cancelling") return texts.eventStopping(name);
    return texts.eventEnded({ name, state: texts.state(state) });
  },
});

/** One that waits ends; one that has a task ends with that. */
export async function stopEvent(
  book: Book,
  event: LedgerRecord<EventKind>,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<Cancelled["result"]> {
  const task = await book.get(event.outcome?.task ?? "");
  const isAtWork = event.state === "dispatched" && is(taskKind, task) && task.endedAt === null;
  if (isAtWork) return cancelTask(book, task, { reason, now, handled: handledTasks });
  const { id } = event;
  return (await book.cancel({ id, ...(reason === undefined ? {} : { reason }) })).result;
}

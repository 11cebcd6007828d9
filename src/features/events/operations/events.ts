import * as z from "zod";
import { bookOf, findRecord, recordOf } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import { operation } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import type { Cancelled } from "../../../kernel/unit.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import { fields } from "../../notifications/index.ts";
import { taskKind, cancelTask } from "../../tasks/index.ts";
import { type EventKind, eventKind } from "../kind.ts";
import { questionKind } from "../question.ts";
import { textsOf } from "../texts.ts";
import {
  childrenOfTasks,
  eventLine,
  eventLineOf,
  eventState,
  eventView,
  shownEvent,
  shownWork,
  tasksOfEvent,
  workFields,
} from "./event-view.ts";
import { questionView, shownQuestion } from "./questions.ts";
import { renderShownEvent } from "./sheet.ts";
import { handledTasks } from "./tasks.ts";

const states = ["pending", "dispatched", "completed", "failed", "cancelled"] as const;

const columns: readonly Column<z.infer<typeof eventLine>>[] = [
  idColumn(({ id }) => id),
  stateColumn(eventState),
  ...timeColumns<z.infer<typeof eventLine>>("when", ({ ended_at: end, at }) => end ?? at),
  nameColumn("type", ({ type }) => type),
  nameColumn("handler", ({ handler }) => handler),
  textColumn("name", ({ id, name }) => (name === id ? null : name)),
  noteColumn(({ reason }, { language }) => reason && textsOf(language).reason(reason)),
];

export const listEvents = listOperation(eventKind, {
  plural: "events",
  summary: "List events, the newest first.",
  filters: {
    state: z.enum(states).optional().describe("only events in this state"),
    type: z.string().optional().describe("only events of this type"),
    handler: z.string().optional().describe("only events that went to this handler"),
  },
  aliases: { status: "state" },
  example: { state: "dispatched" },
  view: eventLine,
  query: ({ state }) => ({ state }),
  matching:
    ({ type, handler }) =>
    ({ body, outcome }) =>
      (type ?? body.type) === body.type && (handler === undefined || outcome?.handler === handler),
  show: eventLineOf,
  columns,
  empty: ({ language }) => textsOf(language).noEvents(),
  more: (next, { language }) => textsOf(language).more(next),
});

const shown = eventView.extend({
  tasks: workFields.tasks,
  questions: z.array(questionView).describe("the questions of its tasks"),
  messages: workFields.messages,
});

export const showEvent = operation({
  name: "show_event",
  oldNames: ["get_event"],
  summary: "Show an event with its tasks, questions and messages.",
  input: z.strictObject({ id: fields.id }),
  output: shown,
  aliases: { event_id: "id" },
  example: { id: "evt-jira-OPS-7" },
  route: { method: "GET", path: "/v1/events/{id}" },
  command: { name: "event show", aliases: ["show-event"], positionals: ["id"] },
  async run({ id }, context): Promise<z.infer<typeof shown>> {
    const book = bookOf(context);
    const record = await findRecord(book, eventKind, id);
    const tasks = await tasksOfEvent(book, record);
    const questions = await childrenOfTasks(book, questionKind, tasks);
    return {
      ...shownEvent(record),
      ...(await shownWork(tasks, context)),
      questions: questions.map(shownQuestion),
    };
  },
  render: (view, reader) => renderShownEvent(view, reader),
});

const cancelled = eventView.extend({
  cancel: z
    .enum(["cancelled", "cancelling", "ended"])
    .describe("cancelling: its task is being stopped; ended: it had ended before"),
});

export const cancelEvent = operation({
  name: "cancel_event",
  summary: "Cancel an event, or stop its task.",
  input: z.strictObject({
    id: fields.id,
    reason: z.string().max(1_000).optional().describe("the reason, kept in the history"),
  }),
  output: cancelled,
  aliases: { event_id: "id" },
  effect: "ends",
  example: { id: "evt-jira-OPS-7", reason: "done by hand" },
  route: { method: "POST", path: "/v1/events/{id}/cancel" },
  command: { name: "event cancel", aliases: ["cancel-event"], positionals: ["id"] },
  async run({ id, reason }, context): Promise<z.infer<typeof cancelled>> {
    const book = bookOf(context);
    const event = await findRecord(book, eventKind, id);
    const cancel = await stopEvent(book, event, { reason, now: context.now() });
    return { ...shownEvent(await findRecord(book, eventKind, event.id)), cancel };
  },
  render({ cancel, name, ...event }, { language }) {
    const texts = textsOf(language);
    if (cancel === "cancelled") return texts.eventCancelled(name);
    if (cancel === "cancelling") return texts.eventStopping(name);
    return texts.eventEnded({ name, state: texts.state(eventState(event)) });
  },
});

/** An event that waits is cancelled; one with a task ends with the task. */
export async function stopEvent(
  book: Book,
  { id, state, outcome }: LedgerRecord<EventKind>,
  { reason, now }: { reason: string | undefined; now: number },
): Promise<Cancelled["result"]> {
  const task = await recordOf(book, taskKind, outcome?.task);
  if (state === "dispatched" && task !== undefined && task.endedAt === null) {
    return cancelTask(book, task, { reason, now, handled: handledTasks });
  }
  return (await book.cancel({ id, reason })).result;
}

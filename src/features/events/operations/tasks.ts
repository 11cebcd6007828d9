import * as z from "zod";
import { bookOf, recordOf } from "../../../kernel/book.ts";
import { findById } from "../../../kernel/id-prefix.ts";
import { is } from "../../../kernel/kind.ts";
import { listOperation } from "../../../kernel/list-operation.ts";
import type { Column } from "../../../kernel/list-table.ts";
import {
  idColumn,
  nameColumn,
  noteColumn,
  stateColumn,
  textColumn,
  timeColumns,
} from "../../accounts/index.ts";
import {
  taskKind,
  type RunLine,
  runLine,
  runLineOf,
  runOutlookOf,
  type HandledTasks,
} from "../../tasks/index.ts";
import { eventKind } from "../kind.ts";
import { questionId, questionKind } from "../question.ts";
import { endsEvent } from "../task-end.ts";
import { textsOf } from "../texts.ts";

/** A pending task under a lease, as it is shown and as its folder is called. */
export const atWork = "in_progress";

const columns: readonly Column<RunLine>[] = [
  idColumn(({ id }) => id),
  stateColumn(({ status, at_work: isAtWork }) =>
    isAtWork && status === "pending" ? atWork : status,
  ),
  ...timeColumns<RunLine>("when", (task) => task.finished_at ?? task.started_at ?? task.slot),
  nameColumn("name", ({ name }) => name),
  textColumn("result", (task) => task.progress ?? task.output_summary),
  noteColumn(({ waiting, reason }, { language }) =>
    waiting === null ? reason && textsOf(language).reason(reason) : waiting.text,
  ),
];

export const listTasks = listOperation(taskKind, {
  plural: "tasks",
  summary: "List tasks of schedules, handlers and callers, the newest first.",
  filters: {
    state: z
      .enum([...runLine.shape.status.options, atWork])
      .optional()
      .describe("only tasks in this state"),
    handler: z.string().optional().describe("only tasks of this handler"),
    event: z
      .string()
      .optional()
      .describe("only tasks of this event: its id, the start of it, or its name"),
    at_work: z.boolean().optional().describe("only tasks that are running now"),
  },
  aliases: { status: "state", event_id: "event" },
  example: { handler: "gen-docs" },
  view: runLine,
  query: ({ state }) => ({ state: state === atWork ? "pending" : state }),
  async withWholeIds({ event, ...rest }, book) {
    const found = event === undefined ? undefined : await findById(book, event, [eventKind]);
    return { ...rest, event: found?.id ?? event };
  },
  matching:
    ({ state, handler, event, at_work: isAtWork }) =>
    ({ body, lease }) => {
      if (state === atWork && lease === null) return false;
      if (handler !== undefined && body.event?.handler !== handler) return false;
      if (event !== undefined && ![body.event?.id, body.event?.name].includes(event)) return false;
      return isAtWork === undefined || (lease !== null) === isAtWork;
    },
  share: (context) => runOutlookOf(context),
  show: (record, context, outlook) => runLineOf(bookOf(context), record, outlook),
  columns,
  empty: ({ language }) => textsOf(language).noTasks(),
  more: (next, { language }) => textsOf(language).more(next),
});

/** Tasks of handlers: their events end with them, and their questions are records of their own. */
export const handledTasks: HandledTasks = {
  async cancels(book, { id, body, endedAt }, reason) {
    if (body.event === undefined || endedAt !== null) return {};
    const event = await recordOf(book, eventKind, body.event.id);
    const isItsTask = event !== undefined && event.outcome?.task === id;
    if (!isItsTask || event.endedAt !== null) return {};
    return { edit: [endsEvent(event, "cancelled", reason)] };
  },
  async cancelsLater(book, { body }) {
    const event = await recordOf(book, eventKind, body.event?.id);
    return event === undefined ? {} : { wake: [{ id: event.id }] };
  },
  async openQuestion(book, { id, body }) {
    if (body.event === undefined) return null;
    const found = await book.get(questionId(id));
    if (!is(questionKind, found) || found.state !== "open" || found.body.task !== id) return null;
    return { id: found.id, text: found.body.text, choices: found.body.choices };
  },
};

import * as z from "zod";
import { makeNotification } from "../../src/features/notifications/kind.ts";
import { checkedRoute } from "../../src/features/notifications/operations/target.ts";
import { bookOf, findRecord } from "../../src/kernel/book.ts";
import { crud } from "../../src/kernel/crud.ts";
import { explainPart } from "../../src/kernel/explain.ts";
import { feature } from "../../src/kernel/feature.ts";
import { defineKind, type KindOf } from "../../src/kernel/kind.ts";
import { operation, type Context, type Reader } from "../../src/kernel/operation.ts";
import type { LedgerRecord } from "../../src/kernel/record.ts";
import { fields, moment } from "../../src/kernel/schemas.ts";
import type { Consequences } from "../../src/kernel/unit.ts";
import { isoOf } from "../../src/platform/iso-time.ts";
import { parseTime } from "../../src/time/times.ts";

/** Something to do, with a reminder when it is due. */
export const todoKind = defineKind({
  name: "todo",
  wakeTimeOptional: true,
  body: z.strictObject({ text: z.string().min(1), dueAt: moment.nullable() }),
  outcome: z.null(),
  states: { open: ["done"] },
});
interface TodoKind extends KindOf<typeof todoKind> {}

const view = z.object({
  id: z.string(),
  state: z.enum(["open", "done", "cancelled"]),
  text: z.string(),
  due: z.string().nullable().describe("when its reminder is sent; null: it has none"),
});
type Todo = z.infer<typeof view>;

function show({ id, state, body }: LedgerRecord<TodoKind>): Todo {
  return { id, state, text: body.text, due: body.dueAt === null ? null : isoOf(body.dueAt) };
}

const labels = {
  en: { open: "open", done: "done", cancelled: "cancelled", due: "due" },
  ko: { open: "할 일", done: "완료", cancelled: "취소됨", due: "기한" },
};

function line({ id, state, text, due }: Todo, { language }: Reader): string {
  const texts = labels[language];
  return `${id}  ${texts[state]}  ${text}${due === null ? "" : `  (${texts.due} ${due})`}`;
}

const todo = operation({
  name: "todo",
  summary: "Add something to do, with a reminder when it is due.",
  input: z.strictObject({
    text: z.string().min(1).describe("what is to be done"),
    due: z.string().optional().describe('when, such as "friday 17:00" or "내일 오후 3시"'),
    key: fields.key,
  }),
  output: view,
  effect: "adds",
  route: { method: "POST", path: "/v1/todos" },
  command: { name: "todo", positionals: ["text"] },
  async run({ text, due, key }, context) {
    const book = bookOf(context);
    const { zone } = context.profile;
    const dueAt = due === undefined ? null : parseTime(due, { now: context.now(), zone }).at;
    const { target } = await checkedRoute(undefined, context);
    const { origin } = context;
    const reminder =
      dueAt === null
        ? []
        : [makeNotification({ message: text, at: dueAt, atText: due ?? "", target, origin })];
    const draft = { kind: "todo", body: { text, dueAt }, outcome: null, state: "open" } as const;
    // The todo and its reminder are one unit: there is never one without the other.
    const named = key === undefined ? draft : { ...draft, key: { name: key } };
    const { id } = await book.append(named, { append: reminder });
    return show(await findRecord(book, todoKind, id));
  },
  render: line,
});

/** A todo that has ended needs no reminder. */
async function cancelReminder({ id }: { id: string }, context: Context): Promise<Consequences> {
  const { records } = await bookOf(context).list({ parent: id, live: true });
  return { cancel: records.map((each) => ({ id: each.id, reason: "the todo has ended" })) };
}

const columns = ["id", "state", "text"] as const;
const options = { plural: "todos", view, show, line, columns, onCancel: cancelReminder } as const;
const { list, show: showTodo, cancel } = crud(todoKind, options);

const doneTodo = operation({
  name: "done_todo",
  summary: "Mark a todo as done. Its reminder is not sent any more.",
  input: z.strictObject({ id: fields.id }),
  output: view,
  effect: "ends",
  route: { method: "POST", path: "/v1/todos/{id}/done" },
  command: { name: "todo done", positionals: ["id"] },
  async run({ id }, context) {
    const book = bookOf(context);
    await findRecord(book, todoKind, id);
    await book.edit({ kind: "todo", id, ends: "done" }, await cancelReminder({ id }, context));
    return show(await findRecord(book, todoKind, id));
  },
  render: line,
});

const explainTodo = explainPart({
  key: "todo",
  kind: todoKind,
  view,
  build: async (record) => show(record),
  lines: { message: ({ text }) => text },
});

export const todos = feature({
  name: "todos",
  kinds: [todoKind],
  operations: { todo, listTodos: list, showTodo, doneTodo, cancelTodo: cancel },
  explain: [explainTodo],
});

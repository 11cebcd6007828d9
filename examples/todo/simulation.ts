import { notificationKind } from "../../src/features/notifications/kind.ts";
import { is } from "../../src/kernel/kind.ts";
import type { Workload } from "../../src/testing/simulator/workload.ts";
import { todoKind, todos } from "./todo.ts";

/** Adds todos, and finishes or cancels some of them, while nodes and the store fail. */
export const todoWorkload: Workload = {
  feature: todos,
  async step(context, random) {
    const { todo, listTodos, doneTodo, cancelTodo } = todos.operations;
    const chance = random.bits() % 4;
    if (chance < 2) return todo.run({ text: "water the plants", due: `+${chance + 1}m` }, context);
    const { todos: open } = await listTodos.run({ all: false, limit: 20 }, context);
    const { id } = open[random.bits() % open.length] ?? {};
    if (id === undefined) return undefined;
    return (chance === 2 ? doneTodo : cancelTodo).run({ id }, context);
  },
  problems: (records) =>
    records
      .filter((record) => is(todoKind, record))
      .flatMap(({ id, state }) => {
        const reminders = records.filter(
          (each) => is(notificationKind, each) && each.parent === id,
        );
        const waiting = reminders.filter(({ endedAt }) => endedAt === null);
        if (reminders.length > 1) return [`todo ${id} has ${reminders.length} reminders`];
        return state !== "open" && waiting.length > 0 ? [`todo ${id} is ${state}`] : [];
      }),
};

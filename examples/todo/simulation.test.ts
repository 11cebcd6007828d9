import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOf } from "../../src/kernel/book.ts";
import { sampleSize } from "../../src/testing/depth.ts";
import { runMany } from "../../src/testing/simulator/run-many.ts";
import type { Workload } from "../../src/testing/simulator/workload.ts";
import { todoWorkload } from "./simulation.ts";
import { todos } from "./todo.ts";

const all = 40;
const sample = { size: 6, of: "seeds" };

test("the rules of todos hold in simulated lives full of crashes", async (t) => {
  const count = sampleSize(t, all, sample);
  const { failed } = await runMany({ from: 1, count, workloads: [todoWorkload] });
  assert.deepEqual(
    failed.map(({ seed, violation }) => [seed, violation]),
    [],
  );
});

test("the simulator finds a todo whose reminder is cancelled by a second write", async () => {
  const { doneTodo } = todos.operations;
  const run: typeof doneTodo.run = async ({ id }, context) => {
    const book = bookOf(context);
    const { records } = await book.list({ parent: id, live: true });
    await book.edit({ kind: "todo", id, ends: "done" });
    for (const each of records) await book.cancel({ id: each.id });
    return todos.operations.showTodo.run({ id }, context);
  };
  const planted: Workload = {
    ...todoWorkload,
    step: async (context, random) => {
      const { todos: open } = await todos.operations.listTodos.run(
        { all: false, limit: 1 },
        context,
      );
      const [first] = open;
      if (first !== undefined && random.bits() % 2 === 0) return run({ id: first.id }, context);
      return todoWorkload.step(context, random);
    },
  };
  const { failed } = await runMany({ from: 1, count: all, workloads: [planted], failuresMax: 1 });
  assert.match(failed[0]?.violation?.detail ?? "", /todo .* is done/);
});

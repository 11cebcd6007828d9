import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { is } from "../../kernel/kind.ts";
import type { StandardSchemaV1 } from "../../platform/standard-schema.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";
import { functionRunner } from "./function-runner.ts";
import { plainJson, readInput, task, type TaskDefinition } from "./function.ts";
import { makeTask, taskKind } from "./kind.ts";

const order = z.object({
  lines: z.array(z.object({ price: z.number() })),
  note: z.string().optional(),
});
const invoice = task({ name: "invoice.send", input: order, run: ({ lines }) => lines.length });

async function ask(at: RunFixture, definition: TaskDefinition, input: unknown): Promise<string> {
  const { name, timeoutMs, retry } = definition;
  const request = { at: at.kernel.now(), target: "fake:a", origin: "fake:me" };
  const draft = makeTask({ name, input: plainJson(input) ?? null, timeoutMs, retry, ...request });
  return (await at.ledger.of("mina", "mina").append(draft)).id;
}
async function run(
  definition: TaskDefinition,
  input: unknown,
): Promise<{ at: RunFixture; id: string }> {
  const at = runFixture();
  const id = await ask(at, definition, input);
  await at.node(functionRunner(definition, { now: at.kernel.now }));
  await at.pass(600_000);
  return { at, id };
}

describe("a function", () => {
  test("gets the parsed input, and its result is stored", async () => {
    const input = z.object({ n: z.string().transform(Number) });
    const double = task({ name: "double", input, run: ({ n }) => ({ twice: n * 2 }) });
    const { at, id } = await run(double, { n: "21" });
    const { state, outcome } = await at.task(id);
    assert.deepEqual([state, outcome?.result], ["completed", { twice: 42 }]);
  });
  test("does not run with a wrong input: the task fails at once, with the path", async () => {
    const { at, id } = await run(invoice, { lines: [{ price: 1 }, { price: "2" }] });
    const { state, outcome, attempt } = await at.task(id);
    assert.deepEqual([state, attempt], ["failed", 1]);
    assert.match(
      String(outcome?.reason),
      /^The input of invoice\.send is wrong at lines\[1\]\.price: ./,
    );
    await assert.rejects(readInput(invoice, {}), { code: "invalid", details: { path: "lines" } });
  });
  test("takes any Standard Schema, also an asynchronous one", async () => {
    const even: StandardSchemaV1<number> = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: async (value) =>
          Promise.resolve(
            typeof value === "number" && value % 2 === 0
              ? { value }
              : { issues: [{ message: "odd" }] },
          ),
      },
    };
    const half = task({ name: "half", input: even, run: (n) => n / 2 });
    assert.equal(await readInput(half, 4), 4);
    await assert.rejects(readInput(half, 3), { message: "The input of half is wrong: odd" });
  });
  test("that throws is attempted three times, at most one and two seconds apart", async () => {
    const attempts: number[] = [];
    const broken = task({
      name: "broken",
      input: z.null(),
      run(_input, { attempt }) {
        attempts.push(attempt);
        throw new Error("no luck");
      },
    });
    const { at, id } = await run(broken, null);
    assert.deepEqual(attempts, [1, 2, 3]);
    const { state, outcome } = await at.task(id);
    assert.deepEqual([state, outcome?.reason], ["failed", "no luck"]);
    assert.deepEqual(
      [broken.retry, broken.timeoutMs],
      [{ attempts: 3, firstMs: 1_000, factor: 2, maxMs: 300_000 }, 600_000],
    );
  });
  test("that returns what cannot be stored fails without a retry", async () => {
    const loop: Record<string, unknown> = {};
    loop["self"] = loop;
    for (const value of [1n, loop, () => 1, "x".repeat(200_000)]) {
      const odd = task({ name: "odd", input: z.null(), run: () => value });
      const { at, id } = await run(odd, null);
      const { state, outcome, attempt } = await at.task(id);
      assert.deepEqual([state, attempt], ["failed", 1]);
      assert.match(String(outcome?.reason), /^what it returned is/);
    }
  });
  test('ctx.progress(0.4, "3 of 5 files") is in the history', async () => {
    const count = task({
      name: "count",
      input: z.null(),
      run: (_input, ctx) => ctx.progress(0.4, "3 of 5 files"),
    });
    const { at, id } = await run(count, null);
    const { changes } = await at.ledger.of("mina", "mina").changes({ id });
    const kept = changes.filter(({ what }) => what === "kept");
    assert.deepEqual(
      kept.map(({ note }) => note),
      ["40 %: 3 of 5 files"],
    );
  });
  test("logs lines, sends its text result, and reports progress", async () => {
    const talk = task({
      name: "talk",
      input: z.null(),
      run(_input, { log, progress }) {
        progress("half");
        log("one");
        log("two");
        return "done";
      },
    });
    const { at, id } = await run(talk, null);
    assert.equal(await at.output(id), "one\ntwo\n");
    assert.equal((await at.task(id)).outcome?.summary, "done");
  });
});

describe("a function without an input", () => {
  const sweep = task({ name: "sweep", run: (input, { id }) => [String(input), id] });

  for (const nothing of [{}, null]) {
    test(`runs with ${JSON.stringify(nothing)} and gets undefined`, async () => {
      const { at, id } = await run(sweep, nothing);
      assert.deepEqual((await at.task(id)).outcome?.result, ["undefined", id]);
    });
  }
  test("does not run with an input: the task fails at once, and says why", async () => {
    for (const given of [{ n: 1 }, [], 0, ""]) {
      const { at, id } = await run(sweep, given);
      const { state, outcome, attempt } = await at.task(id);
      assert.deepEqual([state, attempt], ["failed", 1]);
      assert.match(outcome?.reason ?? "", /^The input of sweep is wrong: it takes none\. Leave it/);
    }
  });
  test("is requested by another without one", async () => {
    const tidy = task({ name: "tidy", run: (_, ctx) => ctx.run(sweep) });
    const { at, id } = await run(tidy, {});
    const { records } = await at.ledger.of("mina", "mina").list({ kind: taskKind, parent: id });
    assert.deepEqual(
      records.map(({ body }) => [body.name, body.input]),
      [["sweep", {}]],
    );
  });
  test("cannot subscribe to events, which are inputs", () => {
    const options = { name: "x", subscribes: ["a.b"], run: () => null };
    // @ts-expect-error an input is needed
    assert.throws(() => task(options), {
      message: /^The task x handles events, so it needs an "i/,
    });
  });
});

describe("the consequences of a function", () => {
  const child = task({ name: "child", input: z.object({ n: z.number() }), run: ({ n }) => n });
  const parent = task({
    name: "parent",
    input: z.object({ fails: z.boolean() }),
    retry: { attempts: 1 },
    run({ fails }, { notify, run }) {
      notify({ message: "said" });
      notify({ message: "elsewhere", target: "fake:b", at: 4_000_000_000_000 });
      run(child, { n: 1 }, { key: "once" });
      run(child, { n: 1 }, { key: "once" });
      if (fails) throw new Error("no");
    },
  });
  const made = async (at: RunFixture): Promise<unknown[]> => {
    const { records } = await at.ledger.of("mina", "mina").list({ limit: 500 });
    return records.flatMap(({ kind, parent, body }) =>
      parent === null || kind === "profile" ? [] : [[kind, (body as { target: string }).target]],
    );
  };
  test("are written with its end, at its target, and once for a key", async () => {
    const { at, id } = await run(parent, { fails: false });
    assert.equal((await at.task(id)).state, "completed");
    assert.deepEqual(await made(at), [
      ["notification", "fake:a"],
      ["notification", "fake:b"],
      ["task", "fake:a"],
    ]);
    const { records } = await at.ledger.of("mina", "mina").list({ kind: taskKind, parent: id });
    const [asked] = records;
    assert.ok(is(taskKind, asked));
    assert.deepEqual(
      [asked.queue, asked.body.origin, asked.body.input, asked.body.retry],
      ["task@child", "fake:me", { n: 1 }, child.retry],
    );
  });
  test("are not written when it fails", async () => {
    const { at, id } = await run(parent, { fails: true });
    assert.equal((await at.task(id)).state, "failed");
    assert.deepEqual(await made(at), []);
  });
});

describe("a function that asks a question", () => {
  test("fails without an answer within its time", async () => {
    const deploy = task({
      name: "deploy",
      input: z.null(),
      run: (_, { ask }) => ask("Now?", { withinMs: 3_600_000 }),
    });
    const { at, id } = await run(deploy, null);
    assert.equal((await at.task(id)).state, "needs_human");
    await at.pass(3_700_000);
    const { state, outcome } = await at.task(id);
    assert.equal(state, "failed");
    assert.match(outcome?.reason ?? "", /nobody answered/);
  });
  test("gets an error for an invalid time limit", async () => {
    for (const withinMs of [0, -1, 1.5, NaN, Infinity]) {
      const retry = { attempts: 1 };
      const asks = task({
        name: "asks",
        input: z.null(),
        retry,
        run: (_, { ask }) => ask("?", { withinMs }),
      });
      const { at, id } = await run(asks, null);
      const { state, outcome } = await at.task(id);
      assert.equal(state, "failed");
      assert.match(outcome?.reason ?? "", /withinMs/);
    }
  });
  test("ends there, even if it catches the error, and continues with the answer", async () => {
    const seen: unknown[] = [];
    const deploy = task({
      name: "deploy",
      input: z.null(),
      run(_input, { ask, answer, answers, notify }) {
        notify({ message: "not yet" });
        seen.push([answer, answers.length]);
        try {
          return `went ${ask("Which\u0007 way?", { choices: ["left", "right"] })}`;
        } catch {
          return "swallowed";
        }
      },
    });
    const { at, id } = await run(deploy, null);
    const asked = await at.task(id);
    assert.equal(asked.state, "needs_human");
    assert.ok(asked.outcome?.question);
    const { text: question, choices } = asked.outcome.question;
    assert.deepEqual(choices, ["left", "right"]);
    assert.equal((await at.messages()).length, 1);
    const answers = [{ question, answer: "left" }];
    await at.ledger.of("mina", "mina").edit({
      kind: "task",
      id,
      state: "pending",
      wakeAt: at.kernel.now(),
      body: { ...asked.body, answers },
    });
    await at.pass(1_000);
    const { state, outcome } = await at.task(id);
    assert.deepEqual([state, outcome?.summary], ["completed", "went left"]);
    assert.deepEqual(seen, [
      [undefined, 0],
      ["left", 1],
    ]);
    assert.equal((await at.messages()).length, 2);
  });
});

test("a task without a runner waits, and does not fail", async () => {
  const at = runFixture();
  const id = await ask(at, invoice, { lines: [] });
  await at.node(fakeRunner(() => ({ result: "completed" })));
  await at.pass(86_400_000);
  const { state, attempt } = await at.task(id);
  assert.deepEqual([state, attempt], ["pending", 0]);
});

test("a wrong input does not compile", () => {
  const ctxRun: Parameters<TaskDefinition["run"]>[1]["run"] = () => undefined;
  ctxRun(invoice, { lines: [{ price: 1 }] });
  // @ts-expect-error a price is a number
  ctxRun(invoice, { lines: [{ price: "1" }] });
  // @ts-expect-error the lines are missing
  ctxRun(invoice, {});
  const sweep = task({ name: "sweep", run: () => null });
  ctxRun(sweep);
  ctxRun(sweep, undefined, { key: "once" });
  // @ts-expect-error it takes no input
  ctxRun(sweep, { lines: [] });
  // @ts-expect-error an input is missing
  ctxRun(invoice);
  // @ts-expect-error what is run gets what the schema gives
  task({ name: "x", input: order, run: ({ missing }) => missing });
  // @ts-expect-error a schema is needed
  assert.throws(() => task({ name: "x", input: {}, run: () => null }), {
    message: /^The task x needs a "run" function\. Its "input" is a Standard Schema/,
  });
  // @ts-expect-error a function is needed
  assert.throws(() => task({ name: "x", input: order, run: 1 }), { code: "invalid" });
  // @ts-expect-error types are a list of texts
  assert.throws(() => task({ name: "x", input: order, subscribes: "a.b", run: () => null }), {
    message: /^The task x cannot subscribe to "a\.b": give a list of types/,
  });
  const wrong = { name: "x", input: order, subscribes: ["a.b", "A b"], run: () => null };
  assert.throws(() => task(wrong), { message: /cannot subscribe to "A b"/ });
  assert.throws(() => task({ name: "bad name!", input: order, run: () => null }), {
    message: /"bad name!" is not a task name/,
  });
});

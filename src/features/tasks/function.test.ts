import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { is } from "../../kernel/kind.ts";
import type { StandardSchemaV1 } from "../../platform/standard-schema.ts";
import { fakeRunner, runFixture, type RunFixture } from "../../testing/run-fixture.ts";
import { taskDraft, functionRunner } from "./function-runner.ts";
import { readInput, task, type TaskDefinition } from "./function.ts";
import { taskKind } from "./kind.ts";

const order = z.object({
  lines: z.array(z.object({ price: z.number() })),
  note: z.string().optional(),
});
const invoice = task({ name: "invoice.send", input: order, run: ({ lines }) => lines.length });

async function ask(at: RunFixture, definition: TaskDefinition, input: unknown): Promise<string> {
  const asked = { at: at.kernel.now(), target: "fake:a", origin: "fake:me" };
  return (await at.ledger.of("mina", "mina").append(taskDraft(definition, input, asked))).id;
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
  test("gets its input as the schema reads it, and what it returns is kept", async () => {
    const input = z.object({ n: z.string().transform(Number) });
    const double = task({ name: "double", input, run: ({ n }) => ({ twice: n * 2 }) });
    const { at, id } = await run(double, { n: "21" });
    const { state, outcome } = await at.task(id);
    assert.deepEqual([state, outcome?.result], ["completed", { twice: 42 }]);
  });
  test("is not run with a wrong input: that has failed at once, with the place", async () => {
    const { at, id } = await run(invoice, { lines: [{ price: 1 }, { price: "2" }] });
    const { state, outcome, attempt } = await at.task(id);
    assert.deepEqual([state, attempt], ["failed", 1]);
    assert.match(
      String(outcome?.reason),
      /^The input of invoice\.send is wrong at lines\[1\]\.price: ./,
    );
    await assert.rejects(readInput(invoice, {}), { code: "invalid", details: { path: "lines" } });
  });
  test("takes any schema that keeps to the standard, also one that answers later", async () => {
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
  test("that throws is attempted three times, one and two seconds apart at most", async () => {
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
  test("that returns what cannot be kept has failed, and is not run again", async () => {
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
  test("logs lines, says what it returns as text, and tells how far it is", async () => {
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

describe("what follows from a function", () => {
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
  test("is written with its end, to where it was asked for, and a key asks once", async () => {
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
  test("is not written when it fails", async () => {
    const { at, id } = await run(parent, { fails: true });
    assert.equal((await at.task(id)).state, "failed");
    assert.deepEqual(await made(at), []);
  });
});

describe("a function that asks", () => {
  test("has failed when nobody answers within its time", async () => {
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
  test("is told when its time is none", async () => {
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
  test("ends there, even if it swallows that, and goes on with the answer", async () => {
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

test("a name that no node has registered waits, and has not failed", async () => {
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
  // @ts-expect-error what is run gets what the schema gives
  task({ name: "x", input: order, run: ({ missing }) => missing });
  // @ts-expect-error a schema is needed
  assert.throws(() => task({ name: "x", input: {}, run: () => null }), {
    message: 'The task x needs an "input", any Standard Schema, and a "run" function.',
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
    message: /"bad name!" is no name of a task/,
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { makeEvent } from "../../features/events/kind.ts";
import { task } from "../../features/tasks/function.ts";
import { hasCode } from "../../platform/errors.ts";
import { open, type Daybook, type OpenOptions } from "./open.ts";

/** What a handler's function is given. */
const given = z.object({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  target_general: z.string(),
  payload: z.object({ order: z.number() }),
});
type Given = z.output<typeof given>;

async function emit(book: Daybook, type: string): Promise<string> {
  const now = Date.now();
  const about = { source: "shop", repo: null, at: now, origin: null, hops: 0 };
  const body = { name: `evt-shop-${type}`, type, payload: { order: 7 }, ...about };
  const draft = makeEvent(body, { owner: "me", home: "me", now });
  return (await book.ledger.of("me", "test").append(draft)).id;
}

/** A function that keeps what it is given. */
function keeps(name: string, subscribes?: readonly string[]) {
  const { promise: got, resolve } = Promise.withResolvers<Given>();
  const options = { name, input: given, run: (input: Given) => (resolve(input), "done") };
  return { got, made: task(subscribes === undefined ? options : { ...options, subscribes }) };
}

async function refusalOf(options: OpenOptions): Promise<readonly string[]> {
  const error: unknown = await open(options).then(
    (book) => book.close(),
    (refused: unknown) => refused,
  );
  assert.ok(hasCode(error, "invalid"), String(error));
  return error.message.split("\n");
}

describe("a program that opens a book", { timeout: 120_000 }, () => {
  test("has a function run for the events that it subscribes to", async () => {
    const { got, made } = keeps("ship", ["shop.order"]);
    const book = await open({ store: "memory:", tasks: [made] });
    await book.start();
    const id = await emit(book, "shop.order");
    const { event_id, type, target_general, payload } = await got;
    assert.deepEqual(
      [event_id, type, target_general, payload],
      ["evt-shop-shop.order", "shop.order", "ship", { order: 7 }],
    );
    await book.stop();
    const event = await book.ledger.of("me", "test").get(id);
    assert.equal(event?.state, "completed");
    await book.close();
  });
  test("has a handler run a function by its name", async () => {
    const { got, made } = keeps("ship");
    const handlers = { "gen-ship": { subscribes: ["shop.order"], run: { task: "ship" } } };
    const book = await open({ store: "memory:", tasks: [made], handlers });
    await book.start();
    await emit(book, "shop.order");
    assert.equal((await got).target_general, "gen-ship");
    await book.close();
  });
  test("has what its handlers do again and again as schedules", async () => {
    const schedules = { daily: { when: "daily 9am", type: "report" } };
    const handlers = { "gen-ship": { run: { task: "ship" }, schedules } };
    const book = await open({ store: "memory:", handlers });
    await book.start();
    const found = await book.searchSchedules({});
    assert.deepEqual(
      found.schedules.map(({ name }) => name),
      ["gen-ship:daily"],
    );
    await book.close();
  });
  test("is told of every type that two have, and of every name", async () => {
    const store = "memory:";
    const [one, other] = [keeps("one", ["a.b", "c"]).made, keeps("other", ["c"]).made];
    const handlers = { one: { subscribes: ["a.b"] } };
    assert.deepEqual(await refusalOf({ store, tasks: [one, other], handlers }), [
      'open()  tasks has "one", which is also the name of a handler: rename one of them.',
      'open()  tasks has "one", which subscribes to "a.b", which handlers.one already handles: leave it to one of them.',
      'open()  tasks has "other", which subscribes to "c", which the task "one" already handles: leave it to one of them.',
    ]);
  });
  test("is told that only functions run here, and what else is wrong", async () => {
    const handlers = {
      a: { subscribes: ["x"], run: { command: ["./a.sh"] } },
      b: { subscribes: ["x"], run: { agent: "look" } },
    };
    assert.deepEqual(await refusalOf({ store: "memory:", handlers }), [
      "open()  handlers.a.run.command is for a daemon: write { task: NAME }, or leave run out for workers elsewhere.",
      "open()  handlers.b.run.agent is for a daemon: write { task: NAME }, or leave run out for workers elsewhere.",
      'open()  handlers.b.subscribes[0] is "x", which handlers.a subscribes to already: leave it to one of them.',
    ]);
  });
});

test("a handler that is wrong does not compile", () => {
  const good: OpenOptions["handlers"] = {
    a: { subscribes: ["x"], run: { task: "b" }, timeout: 5, schedules: {} },
  };
  assert.ok(good);
  // @ts-expect-error types are texts
  const numbers: OpenOptions["handlers"] = { a: { subscribes: [1] } };
  // @ts-expect-error there is no such key
  const unknown: OpenOptions["handlers"] = { a: { subscribe: ["x"] } };
  assert.ok(numbers && unknown);
});

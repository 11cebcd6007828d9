import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../test/book-fixture.ts";
import { table } from "../features/index.ts";
import { list } from "../features/notifications/operations/list-and-show.ts";
import { remind } from "../features/notifications/operations/remind.ts";
import { searchSchedules } from "../features/schedules/operations/schedules.ts";
import { hasCode, toErrorData } from "../platform/errors.ts";
import { ask, checkInput } from "./ask.ts";
import type { Context, Operation } from "./operation.ts";
import { scopes, type Scope } from "./scope.ts";

const may = (context: Context, ...granted: Scope[]): Context => ({ ...context, scopes: granted });

describe("whoever asks", () => {
  test("gets the answer and how to read it", async () => {
    const { mina } = bookFixture();
    const { output, reader } = await ask(mina, remind, { message: "hi", at: "+1h" }, mina);
    assert.equal(remind.output.parse(output).created_by, "mina-at-cli");
    assert.deepEqual(reader, { language: "en", zone: "Asia/Seoul", now: mina.now() });
  });
  test("hears of a wrong input before anything is written", async () => {
    const { mina, ledger } = bookFixture();
    await assert.rejects(ask(mina, remind, { message: "hi" }, mina), (error) =>
      hasCode(error, "invalid"),
    );
    assert.equal((await ledger.work.stats()).records, 0);
  });
  test("hears what a token may not ask, and which scope that takes", async () => {
    const { mina } = bookFixture();
    const message = 'This token may not ask for "schedules": it needs the scope "read".';
    await assert.rejects(ask(mina, searchSchedules, {}, may(mina)), { message });
  });
  for (const operation of table) {
    test(`needs the scope ${operation.scope} to ${operation.command.name}`, async () => {
      const { mina } = bookFixture();
      for (const granted of scopes) {
        const answer = await outcome(operation, may(mina, granted));
        const isAllowed = granted === operation.scope || granted === "admin";
        assert.equal(answer === "refused", !isAllowed, `${granted}: ${answer}`);
      }
      assert.equal(await outcome(operation, may(mina)), "refused");
    });
  }
});

/** How far an asking came that is allowed, but otherwise wrong. */
async function outcome(operation: Operation, caller: Context): Promise<string> {
  try {
    await ask(caller, operation, { banana: 1 }, caller);
    return "done";
  } catch (error) {
    assert.ok(hasCode(error, "refused", "invalid"));
    return error.code;
  }
}

/** What is said of an input that is wrong. */
function complaints(operation: Operation, input: unknown): string {
  try {
    return `it was taken: ${JSON.stringify(checkInput(operation, input))}`;
  } catch (error) {
    assert.ok(hasCode(error, "invalid"));
    return toErrorData(error).message;
  }
}

const good = { message: "hi", at: "+1h" };

describe("an input", () => {
  test("may use the names of the seeds' own tools", () => {
    const seeds = {
      message: "hi",
      scheduled_at: "+1h",
      notification_type: "deadline_alert",
      created_by: "main_agent",
    };
    assert.deepEqual(checkInput(remind, seeds), { ...good, type: "deadline_alert" });
    assert.equal(checkInput(list, { status: "delivered" })["state"], "delivered");
  });
  test("gets what it leaves out", () => {
    assert.deepEqual(checkInput(list, {}), { all: false, limit: 50 });
  });

  const wrong: [name: string, operation: Operation, input: unknown, says: RegExp][] = [
    ["that is no object", remind, "hi", /^The input must be an object/],
    ["that is a list", remind, [good], /^The input must be an object/],
    ["that is nothing", remind, null, /^The input must be an object/],
    ["that lacks something", remind, { message: "hi" }, /^"at" is missing: when, in English/],
    [
      "with a name misspelt",
      remind,
      { ...good, mesage: "x" },
      /"mesage": did you mean "message"\?/,
    ],
    ["with an unknown name", remind, { ...good, colour: 1 }, /"colour": known are message, at, /],
    ["with a prototype", remind, JSON.parse('{"__proto__":{"a":1}}'), /"__proto__"/],
    ["given twice", remind, { ...good, scheduled_at: "+2h" }, /^"at" is given twice/],
    ["of another sort", remind, { ...good, message: 7 }, /^"message" must be a string\.$/],
    ["of no known value", remind, { ...good, priority: "top" }, /one of low, normal, high, medium/],
    ["that is empty", remind, { ...good, key: "" }, /^"key" is empty\.$/],
    ["that is too small", list, { limit: 0 }, /^"limit" must be at least 1\.$/],
    ["that is too big", list, { limit: 501 }, /^"limit" must be at most 500\.$/],
    ["that is not whole", list, { limit: 1.5 }, /^"limit" must be a whole number\.$/],
  ];
  for (const [name, operation, input, says] of wrong) {
    test(`${name} is refused in words that help`, () => {
      assert.match(complaints(operation, input), says);
    });
  }
  test("with many faults hears of all of them at once", () => {
    assert.equal(
      complaints(list, { limit: 0, all: 1, sate: "pending" }),
      '"all" must be a boolean; "limit" must be at least 1; There is no input "sate": did you mean "state"?',
    );
  });
});

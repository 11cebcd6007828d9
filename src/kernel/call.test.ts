import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../test/book-fixture.ts";
import { table } from "../features/index.ts";
import { list } from "../features/notifications/operations/list.ts";
import { remind } from "../features/notifications/operations/remind.ts";
import { searchSchedules } from "../features/schedules/operations/search.ts";
import { hasCode, toErrorData } from "../platform/errors.ts";
import { callOperation, checkInput } from "./call.ts";
import type { Context, Operation } from "./operation.ts";
import { scopes, type Scope } from "./scope.ts";

const may = (context: Context, ...granted: Scope[]): Context => ({ ...context, scopes: granted });

describe("a caller", () => {
  test("gets the output and the reader to render it for", async () => {
    const { mina } = bookFixture();
    const { output, reader } = await callOperation(
      mina,
      remind,
      { message: "hi", at: "+1h" },
      mina,
    );
    assert.equal(remind.output.parse(output).created_by, "mina-at-cli");
    assert.deepEqual(reader, { language: "en", zone: "Asia/Seoul", now: mina.now() });
  });
  test("is answered in the language it asks for, whatever the owner's is", async () => {
    const { mina } = bookFixture();
    const caller = { ...mina, language: "ko" } as const;
    const { output, reader } = await callOperation(
      mina,
      remind,
      { message: "hi", at: "+1h" },
      caller,
    );
    assert.equal(reader.language, "ko");
    assert.match(remind.output.parse(output).due?.text ?? "", /[가-힣]/);
  });
  test("gets an error for a wrong input before anything is written", async () => {
    const { mina, ledger } = bookFixture();
    await assert.rejects(callOperation(mina, remind, { message: "hi" }, mina), (error) =>
      hasCode(error, "invalid"),
    );
    assert.equal((await ledger.work.stats()).records, 0);
  });
  test("gets an error that names the operation and the missing scope", async () => {
    const { mina } = bookFixture();
    const message = 'This token may not call "schedule list": it needs the scope "read".';
    await assert.rejects(callOperation(mina, searchSchedules, {}, may(mina)), { message });
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

/** The error code of a call with a wrong input. */
async function outcome(operation: Operation, caller: Context): Promise<string> {
  try {
    await callOperation(caller, operation, { banana: 1 }, caller);
    return "done";
  } catch (error) {
    assert.ok(hasCode(error, "refused", "invalid"));
    return error.code;
  }
}

/** The error message for a wrong input. */
function messageFor(operation: Operation, input: unknown): string {
  try {
    return `accepted: ${JSON.stringify(checkInput(operation, input))}`;
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
    const expected = { ...good, type: "deadline_alert", created_by: "main_agent" };
    assert.deepEqual(checkInput(remind, seeds), expected);
    assert.equal(checkInput(list, { status: "delivered" })["state"], "delivered");
  });
  test("gets the defaults", () => {
    assert.deepEqual(checkInput(list, {}), { all: false, limit: 50 });
  });

  const wrong: [name: string, operation: Operation, input: unknown, message: RegExp][] = [
    ["that is not an object", remind, "hi", /^The input must be an object/],
    ["that is a list", remind, [good], /^The input must be an object/],
    ["that is null", remind, null, /^The input must be an object/],
    ["that lacks a required name", remind, { message: "hi" }, /^"at" is missing: when, in English/],
    [
      "with a name misspelt",
      remind,
      { ...good, mesage: "x" },
      /"mesage": did you mean "message"\?/,
    ],
    [
      "with an unknown name",
      remind,
      { ...good, colour: 1 },
      /"colour": the inputs are message, at, /,
    ],
    ["with a prototype", remind, JSON.parse('{"__proto__":{"a":1}}'), /"__proto__"/],
    ["given twice", remind, { ...good, scheduled_at: "+2h" }, /^"at" is given twice/],
    ["of another type", remind, { ...good, message: 7 }, /^"message" must be a string\.$/],
    [
      "with an unknown value",
      remind,
      { ...good, priority: "top" },
      /one of low, normal, high, medium/,
    ],
    ["that is empty", remind, { ...good, key: "" }, /^"key" is empty\.$/],
    ["that is too small", list, { limit: 0 }, /^"limit" must be at least 1\.$/],
    ["that is too big", list, { limit: 501 }, /^"limit" must be at most 500\.$/],
    ["that is a fraction", list, { limit: 1.5 }, /^"limit" must be a whole number\.$/],
  ];
  for (const [name, operation, input, message] of wrong) {
    test(`${name} is refused with a message that names the problem`, () => {
      assert.match(messageFor(operation, input), message);
    });
  }
  test("with several problems gets all of them in one error", () => {
    assert.equal(
      messageFor(list, { limit: 0, all: 1, sate: "pending" }),
      '"all" must be true or false; "limit" must be at least 1; There is no input "sate": did you mean "state"?',
    );
  });
});

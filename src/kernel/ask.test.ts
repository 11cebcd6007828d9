import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk } from "../../test/desk.ts";
import { table } from "../features/index.ts";
import { remind } from "../features/notifications/operations/remind.ts";
import { searchSchedules } from "../features/schedules/operations/search.ts";
import { hasCode } from "../platform/errors.ts";
import { ask } from "./ask.ts";
import type { Context, Operation } from "./operation.ts";
import { scopes, type Scope } from "./scope.ts";

const may = (context: Context, ...granted: Scope[]): Context => ({ ...context, scopes: granted });

describe("whoever asks", () => {
  test("gets the answer and how to read it", async () => {
    const { mina } = desk();
    const { output, reader } = await ask(mina, remind, { message: "hi", at: "+1h" }, mina);
    assert.equal(remind.output.parse(output).created_by, "mina-at-cli");
    assert.deepEqual(reader, { language: "en", zone: "Asia/Seoul", now: mina.now() });
  });
  test("hears of a wrong input before anything is written", async () => {
    const { mina, ledger } = desk();
    await assert.rejects(ask(mina, remind, { message: "hi" }, mina), (error) =>
      hasCode(error, "invalid"),
    );
    assert.equal((await ledger.work.stats()).records, 0);
  });
  test("hears what a token may not ask, and which scope that takes", async () => {
    const { mina } = desk();
    const message = 'This token may not ask for "schedules": it needs the scope "read".';
    await assert.rejects(ask(mina, searchSchedules, {}, may(mina)), { message });
  });
  for (const operation of table) {
    test(`needs the scope ${operation.scope} to ${operation.command.name}`, async () => {
      const { mina } = desk();
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

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { type, type Said } from "../../../test/terminal.ts";
import { exits } from "./command.ts";

async function filled(): Promise<BookFixture> {
  const at = bookFixture();
  for (const message of ["tea one", "tea two", "coffee"]) {
    await type(["remind", message, "--at", "+1h"], {}, at);
  }
  return at;
}

async function waiting(at: BookFixture): Promise<number> {
  const { out } = await type(["list", "--json"], {}, at);
  return (JSON.parse(out) as { notifications: readonly unknown[] }).notifications.length;
}

/** Types a command at a terminal where a person answers the question. */
async function answered(
  at: BookFixture,
  typed: string[],
  answer: boolean | undefined,
): Promise<Said & { question: string }> {
  let question = "";
  const confirm = async (text: string): Promise<boolean | undefined> => {
    question = text;
    return answer;
  };
  return Object.assign(await type(typed, { confirm }, at), { question });
}

const tea = ["cancel", "--all", "--search", "tea"];

describe("cancel --all", () => {
  test("shows what it would cancel, asks, and cancels", async () => {
    const at = await filled();
    const { exit, out, err, question } = await answered(at, tea, true);
    assert.equal(exit, exits.done);
    assert.match(err, /^2 notifications would be cancelled:\n.*tea one\n.*tea two\n$/);
    assert.equal(question, "Cancel all 2? [y/N] ");
    assert.equal(out, "Cancelled: 2.\n");
    assert.equal(await waiting(at), 1);
  });
  test("cancels nothing when the person says no", async () => {
    const at = await filled();
    const { exit, err } = await answered(at, tea, false);
    assert.equal(exit, exits.failed);
    assert.match(err, /\nNothing was cancelled\.\n$/);
    assert.equal(await waiting(at), 3);
  });
  test("needs --yes where nobody can be asked", async () => {
    const at = await filled();
    const { exit, err } = await answered(at, tea, undefined);
    assert.equal(exit, exits.refused);
    assert.match(err, /There is no terminal .* add --yes to cancel 2\.\n$/);
    const sure = await type([...tea, "--yes", "--json"], {}, at);
    assert.equal((JSON.parse(sure.out) as { cancelled: number }).cancelled, 2);
    assert.equal(await waiting(at), 1);
  });
  test("asks nothing for a dry run, or when nothing matches", async () => {
    const at = await filled();
    const dry = await type([...tea, "--dry-run", "--yes"], {}, at);
    assert.match(dry.out, /^2 notifications would be cancelled/);
    const none = await type(["cancel", "--search", "milk", "--all"], {}, at);
    assert.deepEqual([none.exit, none.out], [exits.done, "No waiting notification matches.\n"]);
    assert.equal(await waiting(at), 3);
  });
  test("needs a filter", async () => {
    const { exit, err } = await type(["cancel", "--all", "--yes"], {}, await filled());
    assert.equal(exit, exits.badInput);
    assert.match(err, /There is no filter/);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { hasCode } from "../../../platform/errors.ts";
import { list } from "./list.ts";
import { remind } from "./remind.ts";

async function write(at: BookFixture, messages: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const message of messages) ids.push((await remind.run({ message, at: "+1h" }, at.mina)).id);
  return ids;
}

const first = { all: false, limit: 50 };

describe("list", () => {
  const found = async (at: BookFixture, asked: object): Promise<string[]> => {
    const { output } = await callOperation(at.mina, list, asked, at.mina);
    return list.output.parse(output).notifications.map(({ message }) => message);
  };

  test("shows what waits, the next first, and ended notifications newest first", async () => {
    const at = bookFixture();
    const [late = ""] = await write(at, ["late", "later"]);
    await remind.run({ message: "first", at: "+1m" }, at.mina);
    await remind.run({ message: "last", at: "+3d" }, at.mina);
    assert.deepEqual(await found(at, {}), ["first", "late", "later", "last"]);
    assert.deepEqual(await found(at, { state: "pending" }), ["first", "late", "later", "last"]);
    assert.deepEqual(await found(at, { all: true }), ["last", "first", "later", "late"]);
    assert.deepEqual(await found(at, { sort: "oldest" }), ["late", "later", "first", "last"]);
    await at.ledger.of("mina", "x").cancel({ id: late });
    assert.deepEqual(await found(at, { all: true, sort: "next" }), ["first", "later", "last"]);
  });

  const filtered: [asked: object, messages: string[]][] = [
    [{ search: "PAY" }, ["pay rent", "Repay Jun"]],
    [{ search: "nothing" }, []],
    [{ target: "inbox" }, ["pay rent"]],
    [{ target: "inbox:mina" }, ["pay rent"]],
    [{ target: "stdout" }, ["Repay Jun", "report"]],
    [{ target: "in" }, []],
    [{ type: "deadline_alert" }, ["report"]],
    [{ type: "reminder" }, ["pay rent", "Repay Jun"]],
    [{ priority: "high" }, ["Repay Jun"]],
    [{ collapse_key: "r" }, ["report"]],
    [{ since: "tomorrow" }, ["Repay Jun", "report"]],
    [{ until: "tomorrow" }, ["pay rent"]],
    [{ since: "tomorrow", until: "tomorrow 10am" }, ["Repay Jun"]],
    [{ search: "pay", priority: "low" }, []],
  ];
  for (const [asked, messages] of filtered) {
    test(`with ${JSON.stringify(asked)} finds ${messages.join(", ") || "none"}`, async () => {
      const at = bookFixture();
      await remind.run({ message: "pay rent", at: "+1h", target: "inbox:mina" }, at.mina);
      await remind.run({ message: "Repay Jun", at: "tomorrow 9am", priority: "high" }, at.mina);
      const report = { type: "deadline_alert", collapse_key: "r" } as const;
      await remind.run({ message: "report", at: "tomorrow 11am", ...report }, at.mina);
      assert.deepEqual(await found(at, asked), messages);
    });
  }
  test("includes ended notifications on request", async () => {
    const at = bookFixture();
    const [one = ""] = await write(at, ["one", "two"]);
    await at.ledger.of("mina", "x").cancel({ id: one });
    const states = async (all: boolean): Promise<string[]> =>
      (await list.run({ ...first, all }, at.mina)).notifications.map(({ state }) => state);
    assert.deepEqual(await states(false), ["pending"]);
    assert.deepEqual(await states(true), ["pending", "cancelled"]);
  });
  test("filters by state", async () => {
    const at = bookFixture();
    const [one = ""] = await write(at, ["one", "two"]);
    await at.ledger.of("mina", "x").cancel({ id: one });
    const { notifications } = await list.run({ ...first, state: "cancelled" }, at.mina);
    assert.deepEqual(
      notifications.map(({ id }) => id),
      [one],
    );
  });
  test("filters by task across pages", async () => {
    const at = bookFixture();
    const about = { message: "about", at: "+1h", related_task_id: "t1" };
    const { id } = await remind.run(about, at.mina);
    await write(at, ["a", "b", "c", "d", "e"]);
    const asked = { ...first, limit: 2, related_task_id: "t1" };
    const { notifications, next } = await list.run(asked, at.mina);
    assert.deepEqual(
      notifications.map((each) => each.id),
      [id],
    );
    assert.equal(next, null);
    const none = await list.run({ ...asked, related_task_id: "t2" }, at.mina);
    assert.deepEqual(none, { notifications: [], next: null });
  });
  test("hides the notifications of other owners", async () => {
    const at = bookFixture();
    await write(at, ["secret"]);
    assert.deepEqual(await list.run({ ...first, all: true }, at.jun), {
      notifications: [],
      next: null,
    });
  });
  test("returns every record once across pages", async () => {
    const at = bookFixture();
    const ids = await write(at, ["a", "b", "c", "d", "e"]);
    const seen: string[][] = [];
    let after: string | null | undefined;
    while (after !== null) {
      const page = await list.run(
        { ...first, limit: 2, ...(after === undefined ? {} : { after }) },
        at.mina,
      );
      seen.push(page.notifications.map(({ id }) => id));
      after = page.next;
    }
    assert.deepEqual(
      seen.map(({ length }) => length),
      [2, 2, 1],
    );
    assert.deepEqual(seen.flat(), ids);
  });
  test("continues after a record that has ended since", async () => {
    const at = bookFixture();
    const [, second = ""] = await write(at, ["a", "b", "c", "d"]);
    const { next } = await list.run({ ...first, limit: 2 }, at.mina);
    await at.ledger.of("mina", "x").cancel({ id: second });
    assert.deepEqual(await found(at, { after: next }), ["c", "d"]);
  });
  test("refuses an unknown cursor", async () => {
    const asked = list.run({ ...first, after: "banana" }, bookFixture().mina);
    await assert.rejects(asked, (error) => hasCode(error, "invalid"));
  });

  test("prints a row for each notification, and at the command line what to type next", async () => {
    const at = bookFixture();
    const [one = "", two = ""] = await write(at, ["first", "two\nlines \u001B[2J and so on"]);
    const page = await list.run({ ...first, limit: 2 }, at.mina);
    const rows = [
      `${one}  pending  in 1 h  09:00  stdout:daemon  first`,
      `${two}  pending  in 1 h  09:00  stdout:daemon  two lines �[2J and so on`,
    ];
    const none = { notifications: [], next: null };
    assert.equal(list.render({ ...page, next: "7" }, at.reader()), rows.join("\n"));
    assert.equal(list.render(none, at.reader()), "No notifications.");
    const typed = { ...at.reader(), terminal: { columns: null, color: false } };
    const more = [...rows, "more: --after 7"];
    assert.equal(list.render({ ...page, next: "7" }, typed), more.join("\n"));
    assert.match(list.render(none, typed), /^No notifications\.\nCreate one: daybook remind /);
  });

  test("says in the row why a notification is late", async () => {
    const at = bookFixture();
    await remind.run({ message: "hello", at: "+1h", target: "inbox:mina" }, at.mina);
    at.clock.advance(61 * 60_000);
    const page = await list.run(first, at.mina);
    assert.match(list.render(page, at.reader()), /1 min ago .* hello +it is delivered as soon as/);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { hasCode } from "../../../platform/errors.ts";
import { list } from "./list-and-show.ts";
import { remind } from "./remind.ts";

async function write(at: BookFixture, messages: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const message of messages) ids.push((await remind.run({ message, at: "+1h" }, at.mina)).id);
  return ids;
}

const first = { all: false, limit: 50 };

describe("list", () => {
  test("shows waiting notifications, newest first", async () => {
    const at = bookFixture();
    const ids = await write(at, ["one", "two"]);
    const { notifications, next } = await list.run(first, at.mina);
    assert.deepEqual(
      notifications.map(({ id, message }) => [id, message]),
      [
        [ids[1], "two"],
        [ids[0], "one"],
      ],
    );
    assert.equal(next, null);
  });
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
    assert.deepEqual(seen.flat(), ids.toReversed());
  });
  test("refuses an unknown cursor", async () => {
    const asked = list.run({ ...first, after: "banana" }, bookFixture().mina);
    await assert.rejects(asked, (error) => hasCode(error, "invalid"));
  });

  test("prints a line per notification and how to see more", async () => {
    const at = bookFixture();
    const [one = "", two = ""] = await write(at, ["first", "two\nlines \u001B[2J and so on"]);
    const page = await list.run({ ...first, limit: 2 }, at.mina);
    assert.equal(
      list.render({ ...page, next: "7" }, at.reader()),
      [
        `${two}  pending    in 1 h          two lines �[2J and so on`,
        `${one}  pending    in 1 h          first`,
        "more: --after 7",
      ].join("\n"),
    );
    assert.equal(
      list.render({ notifications: [], next: null }, at.reader()),
      "No notifications. Use --all to include those that have ended.",
    );
  });
});

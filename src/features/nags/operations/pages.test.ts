import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagBook } from "../../../../test/nag-book.ts";
import { hasCode } from "../../../platform/errors.ts";
import { nag } from "./create.ts";
import { listNags, showNag } from "./nags.ts";
import { deletePage, listPages, putPage, showPage } from "./pages.ts";
const [minuteMs, dayMs] = [60_000, 86_400_000];

describe("a page", () => {
  test("is created, changed in part, shown and listed by its client's id", async () => {
    const at = await nagBook();
    const first = await putPage.run({ id: "여행 1", title: "Busan", body: "hotel" }, at.mina);
    const second = await putPage.run({ id: "여행 1", body: "train" }, at.mina);
    assert.deepEqual([first.fresh, second.fresh, second.revision], [true, false, 2]);
    const { id, title, body } = await showPage.run({ id: "여행 1" }, at.mina);
    assert.deepEqual([id, title, body], ["여행 1", "Busan", "train"]);
    const { pages } = await listPages.run({ limit: 50 }, at.mina);
    assert.deepEqual(
      pages.map((page) => page.title),
      ["Busan"],
    );
  });
  test("with an invalid id or a long text is refused, and not written", async () => {
    const at = await nagBook();
    for (const input of [
      { id: "" },
      { id: "a\u0000b" },
      { id: "x".repeat(201) },
      { id: "a", title: "x".repeat(2_001) },
      { id: "a", body: "x".repeat(100_001) },
    ]) {
      await assert.rejects(putPage.run(input, at.mina), (error) =>
        hasCode(error, "invalid", "too_large"),
      );
    }
    assert.deepEqual((await listPages.run({ limit: 50 }, at.mina)).pages, []);
  });
  test("of another owner is not found", async () => {
    const at = await nagBook();
    await putPage.run({ id: "trip", title: "Busan" }, at.mina);
    for (const request of [
      showPage.run({ id: "trip" }, at.jun),
      deletePage.run({ id: "trip" }, at.jun),
      nag.run({ page: "trip" }, at.jun),
    ]) {
      await assert.rejects(request, (error) => hasCode(error, "not_found"));
    }
    await putPage.run({ id: "trip", title: "mine" }, at.jun);
    assert.equal((await showPage.run({ id: "trip" }, at.mina)).title, "Busan");
  });
  test("is sent with its current text, by one nag that keeps its count", async () => {
    const at = await nagBook();
    await putPage.run({ id: "trip", title: "Busan" }, at.mina);
    const first = await nag.run({ page: "trip" }, at.mina);
    await at.pass(minuteMs);
    await putPage.run({ id: "trip", title: "Seoul", body: "<p>train</p>" }, at.mina);
    const again = await nag.run({ page: "trip", curve: "daily" }, at.mina);
    assert.deepEqual(
      [again.id, again.fresh, again.again, again.said, again.curve],
      [first.id, false, true, 1, "daily"],
    );
    await at.pass(minuteMs);
    assert.deepEqual(
      at.sent.map(({ text }) => text),
      ["Busan", "Seoul\ntrain"],
    );
    const { title, said, about } = await showNag.run({ id: first.id }, at.mina);
    assert.deepEqual([title, said, about], ["Seoul", 2, { page: "trip" }]);
  });
  test("has one nag after eight requests at once", async () => {
    const at = await nagBook();
    await putPage.run({ id: "trip", title: "Busan" }, at.mina);
    const made = await Promise.all(
      Array.from({ length: 8 }, () => nag.run({ page: "trip", at: "+1h" }, at.mina)),
    );
    assert.equal(new Set(made.map(({ id }) => id)).size, 1);
    assert.equal(made.filter(({ fresh }) => fresh).length, 1);
  });
  test("is deleted with its nag and notification, and may be restored", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "retry", reason: "later" });
    await putPage.run({ id: "trip", title: "Busan" }, at.mina);
    const { id } = await nag.run({ page: "trip" }, at.mina);
    await at.pass(minuteMs);
    const answer = await deletePage.run({ id: "trip" }, at.mina);
    assert.deepEqual([answer.deleted, answer.nag_id, answer.title], [true, id, "Busan"]);
    assert.equal((await deletePage.run({ id: "trip" }, at.mina)).deleted, false);
    const sent = at.sent.length;
    await at.pass(3 * dayMs);
    assert.equal(at.sent.length, sent);
    const states = (await at.notificationsOf(id)).map(({ state }) => state);
    assert.deepEqual([(await at.nag(id)).state, states], ["cancelled", ["cancelled"]]);
    const back = await putPage.run({ id: "trip", title: "Jeju" }, at.mina);
    assert.deepEqual([back.fresh, back.body], [true, ""]);
    assert.equal((await nag.run({ page: "trip" }, at.mina)).fresh, true);
    assert.equal((await listNags.run({ all: true, limit: 50 }, at.mina)).nags.length, 2);
  });
});

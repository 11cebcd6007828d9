import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagBook, type NagBook } from "../../../test/nag-book.ts";
import { operations } from "../index.ts";
import { nag } from "./operations/create.ts";
import { doneNag, pauseNag } from "./operations/lifecycle.ts";

const { explain } = operations;

const [minuteMs, hourMs] = [60_000, 3_600_000];
const full = { offset: 0, limit: 20_000 };

async function explained(at: NagBook, id: string, language: "en" | "ko" = "en"): Promise<string> {
  const story = await explain.run({ id, ...full }, at.mina);
  assert.deepEqual(explain.output.parse(story), story);
  return explain.render(story, { language, zone: "UTC", now: at.kernel.now() });
}

async function created(at: NagBook, more: object = {}): Promise<string> {
  return (await nag.run({ message: "pay rent", ...more }, at.mina)).id;
}

describe("explain of a nag", () => {
  test("shows the requested time, the curve and when it is due", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+3h", curve: "hourly" });
    const text = await explained(at, id);
    assert.match(text, new RegExp(`^nag ${id} {2}active to fake:mina\n`));
    assert.match(text, /time +message 1, .* UTC, requested as "\+3h"/);
    assert.match(text, /rules +hourly: every 1 h, not from 22:00 to 07:00\n/);
    assert.match(text, /sent +not sent yet/);
    assert.match(text, /next +due .* \(in 3 h\)/);
    assert.match(await explained(at, id, "ko"), /규칙 +hourly: 1시간마다, 22:00~07:00 제외\n/);
  });
  test("shows what a time was counted from, and that it was moved", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "today 9:30pm", curve: "hourly" });
    await at.pass(12 * hourMs);
    const text = await explained(at, id);
    assert.match(
      text,
      /time +message 2, .* 07:00:00 UTC, counted from .* 21:30:00 in the zone UTC/,
    );
    assert.match(text, /moved to the next open time, outside 22:00-07:00/);
    assert.doesNotMatch(text, /free minute/);
    assert.match(text, /sent +sent once, last by notification [\da-f-]{36}, with receipt m2/);
  });
  test("shows that another nag is due in the planned minute", async () => {
    const at = await nagBook();
    const ids = [await created(at), await created(at, { message: "b" })];
    await at.pass(hourMs);
    const texts = await Promise.all(ids.map((id) => explained(at, id)));
    assert.equal(texts.filter((text) => text.includes("moved to a free minute")).length, 1);
  });
  test("names the notification that sends it, which names the nag", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "retry", reason: "later" });
    const id = await created(at);
    await at.pass(minuteMs);
    const [sent] = await at.notificationsOf(id);
    assert.match(
      await explained(at, id),
      new RegExp(`next +message 1 is being sent by notification ${sent?.id}`),
    );
    const back = `cause +the nag "pay rent" \\(otu\\), which is active: ${id}`;
    assert.match(await explained(at, sent?.id ?? ""), new RegExp(back));
  });
  test("shows why a send failed, and when it is retried", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "rejected", reason: "no such chat" });
    const id = await created(at);
    await at.pass(minuteMs);
    const text = await explained(at, id);
    assert.match(text, /the last attempt to send it failed: no such chat/);
    assert.match(text, /next +due .* \(in 14 min/);
    assert.match(await explained(at, id, "ko"), /최근 1번 보내지 못함: no such chat/);
  });
  test("shows that it is paused, or done", async () => {
    const at = await nagBook();
    const id = await created(at, { at: "+1h" });
    await pauseNag.run({ id }, at.mina);
    assert.match(
      await explained(at, id),
      new RegExp(`next +nothing until you resume it with daybook nag resume ${id}`),
    );
    await doneNag.run({ id }, at.mina);
    assert.match(await explained(at, id), new RegExp(`^nag ${id} {2}done `));
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nagBook, type NagBook } from "../../../test/nag-book.ts";
import type { Context } from "../../kernel/operation.ts";
import { operations } from "../index.ts";
import { doneNag, pauseNag } from "./operations/change.ts";
import { nag } from "./operations/create.ts";

const { explain } = operations;

const [minuteMs, hourMs] = [60_000, 3_600_000];
const whole = { offset: 0, limit: 20_000 };

async function told(at: NagBook, id: string, language: "en" | "ko" = "en"): Promise<string> {
  const story = await explain.run({ id, ...whole }, at.mina);
  assert.deepEqual(explain.output.parse(story), story);
  return explain.render(story, { language, zone: "UTC", now: at.kernel.now() });
}

async function asked(at: NagBook, more: object = {}, who: Context = at.mina): Promise<string> {
  return (await nag.run({ message: "pay rent", ...more }, who)).id;
}

describe("explain of a nag", () => {
  test("says whose words its time is, by which curve, and when it is due", async () => {
    const at = await nagBook();
    const id = await asked(at, { at: "+3h", curve: "hourly" });
    const text = await told(at, id);
    assert.match(text, new RegExp(`^nag ${id} {2}active to fake:mina\n`));
    assert.match(text, /time +number 1, .* UTC, asked as "\+3h"/);
    assert.match(text, /rules +hourly: 1 h apart, not from 22:00 to 07:00\n/);
    assert.match(text, /said +not said yet/);
    assert.match(text, /next +due .* \(in 3 h\)/);
    assert.match(await told(at, id, "ko"), /규칙 +hourly: 1시간마다, 22:00~07:00에는 쉼\n/);
  });
  test("says what a time was counted from, and that it was moved into the day", async () => {
    const at = await nagBook();
    const id = await asked(at, { at: "today 9:30pm", curve: "hourly" });
    await at.pass(12 * hourMs);
    const text = await told(at, id);
    assert.match(
      text,
      /time +number 2, .* 07:00:00 UTC, counted from .* 21:30:00 on the clocks of UTC/,
    );
    assert.match(text, /moved to when somebody may be woken, outside 22:00-07:00/);
    assert.doesNotMatch(text, /minute of its own/);
    assert.match(text, /said +said once, last by [\da-f-]{36}, which is m2 where it arrived/);
  });
  test("says that another has its minute", async () => {
    const at = await nagBook();
    const ids = [await asked(at), await asked(at, { message: "b" })];
    await at.pass(hourMs);
    const texts = await Promise.all(ids.map((id) => told(at, id)));
    assert.equal(texts.filter((text) => text.includes("moved to a minute of its own")).length, 1);
  });
  test("says what it waits for while it is said, and leads back from what says it", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "retry", reason: "later" });
    const id = await asked(at);
    await at.pass(minuteMs);
    const [said] = await at.sayings(id);
    assert.match(await told(at, id), new RegExp(`next +number 1 is being said by ${said?.id}`));
    const back = `because +"pay rent" is said until it is done \\(otu\\), active now: ${id}`;
    assert.match(await told(at, said?.id ?? ""), new RegExp(back));
  });
  test("says why it could not be said, and when it is tried again", async () => {
    const at = await nagBook();
    at.answer = () => ({ result: "rejected", reason: "no such chat" });
    const id = await asked(at);
    await at.pass(minuteMs);
    const text = await told(at, id);
    assert.match(text, /the last one could not be said: no such chat/);
    assert.match(text, /next +due .* \(in 14 min/);
    assert.match(await told(at, id, "ko"), /마지막 1번을 알리지 못함: no such chat/);
  });
  test("says that it rests, or is done", async () => {
    const at = await nagBook();
    const id = await asked(at, { at: "+1h" });
    await pauseNag.run({ id }, at.mina);
    assert.match(
      await told(at, id),
      new RegExp(`next +nothing until it is resumed: daybook resume ${id}`),
    );
    await doneNag.run({ id }, at.mina);
    assert.match(await told(at, id), new RegExp(`^nag ${id} {2}done `));
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { hasCode } from "../../platform/errors.ts";
import { operations } from "../index.ts";
import { notificationKind } from "../notifications/kind.ts";
import { remind } from "../notifications/operations/remind.ts";

const { createSchedule, next } = operations;

const week = { within: "7d", limit: 50 };

async function write(at: BookFixture, times: readonly string[]): Promise<void> {
  for (const time of times) await remind.run({ message: time, at: time }, at.mina);
}

async function messages(at: BookFixture, asked = week): Promise<string[]> {
  const { notifications } = await next.run(asked, at.mina);
  return notifications.map(({ message }) => message);
}

describe("next", () => {
  test("lists what comes in order of time, within the requested span", async () => {
    const at = bookFixture();
    await write(at, ["+3d", "+1h", "+8d", "+30m"]);
    assert.deepEqual(await messages(at), ["+30m", "+1h", "+3d"]);
    assert.deepEqual(await messages(at, { ...week, within: "45 min" }), ["+30m"]);
    assert.deepEqual(await messages(at, { ...week, within: "tomorrow" }), ["+30m", "+1h"]);
    assert.deepEqual(await messages(at, { ...week, within: "2주" }), ["+30m", "+1h", "+3d", "+8d"]);
  });
  test("includes overdue records and sends in progress, not ended records", async () => {
    const at = bookFixture();
    await write(at, ["+1m", "+2m", "+3m"]);
    at.clock.advance(150_000);
    const request = { kind: notificationKind, holder: "node", leaseMs: 60_000, limit: 1 } as const;
    const [claimed] = (await at.ledger.work.claim(request)).records;
    assert.deepEqual(await messages(at), ["+2m", "+1m", "+3m"]);
    const { id = "", lease } = claimed ?? {};
    const fence = lease?.fence ?? 0;
    await at.ledger.work.settle([{ id, fence, revision: 1, ends: "delivered" }]);
    assert.deepEqual(await messages(at), ["+2m", "+3m"]);
  });
  test("lists a retry at the time of its next attempt", async () => {
    const at = bookFixture();
    await write(at, ["+0s", "+5m"]);
    const request = { kind: notificationKind, holder: "node", leaseMs: 15_000, limit: 1 } as const;
    const [claimed] = (await at.ledger.work.claim(request)).records;
    const { id = "", lease } = claimed ?? {};
    const wakeAt = at.clock.wall() + 600_000;
    await at.ledger.work.settle([
      { id, fence: lease?.fence ?? 0, revision: 1, state: "pending", wakeAt },
    ]);
    assert.deepEqual(await messages(at), ["+5m", "+0s"]);
  });
  test("says if there are more records than it lists", async () => {
    const at = bookFixture();
    await write(at, ["+1h", "+2h", "+3h"]);
    const answer = await next.run({ ...week, limit: 2 }, at.mina);
    assert.equal(answer.cut, true);
    assert.equal((await next.run({ ...week, limit: 3 }, at.mina)).cut, false);
    const [one, two, last] = next.render(answer, at.reader()).split("\n");
    assert.match(one ?? "", /^Mon 16 Nov 2026 09:00:00 {2}\+1h → stdout:daemon {2}\S+$/);
    assert.match(two ?? "", /^Mon 16 Nov 2026 10:00:00/);
    assert.equal(last, "There is more in the book than is shown here.");
  });
  test("reads more than one page of the book", async () => {
    const at = bookFixture();
    for (let count = 600; count > 0; count -= 1) await write(at, [`+${count}m`]);
    assert.deepEqual(await messages(at, { ...week, limit: 3 }), ["+1m", "+2m", "+3m"]);
  });
  test("shows the first runs of a schedule, how it goes on, and what comes beside it", async () => {
    const at = bookFixture();
    const run = { task: "work" };
    await createSchedule.run({ name: "often", when: "every 5m", run }, at.mina);
    await createSchedule.run({ name: "daily", when: "daily 9am", run }, at.mina);
    await write(at, ["+6d"]);
    const answer = await next.run({ ...week, limit: 12 }, at.mina);
    const texts = next.render(answer, at.reader()).split("\n");
    assert.deepEqual(
      texts.map((line) => line.replace(/ → stdout:daemon {2}\S+/, "")),
      [
        "Mon 16 Nov 2026 08:05:00  ▸ often",
        "Mon 16 Nov 2026 08:10:00  ▸ often",
        "Mon 16 Nov 2026 08:15:00  ▸ often  … then every 5 min",
        "Mon 16 Nov 2026 09:00:00  ▸ daily",
        "Tue 17 Nov 2026 09:00:00  ▸ daily",
        "Wed 18 Nov 2026 09:00:00  ▸ daily  … then every day at 09:00 (Asia/Seoul)",
        "Sun 22 Nov 2026 08:00:00  +6d",
      ],
    );
    assert.deepEqual([answer.runs.length, answer.notifications.length, answer.cut], [11, 1, true]);
    const korean = { ...at.mina, profile: { ...at.mina.profile, language: "ko" } } as const;
    const inKorean = next.render(await next.run(week, korean), at.reader("ko"));
    assert.match(inKorean, /▸ often .*… 이후 5분마다$/m);
    const few = await next.run({ ...week, limit: 5 }, at.mina);
    assert.equal(
      next.render(few, at.reader()).split("\n").at(-1),
      "There is more in the book than is shown here.",
    );
    const whole = await next.run({ within: "20m", limit: 50 }, at.mina);
    assert.equal(whole.cut, false);
    assert.equal(next.render(whole, at.reader()).split("\n").length, 3);
  });
  test("names the end of an empty span", async () => {
    const at = bookFixture();
    const answer = await next.run({ ...week, within: "1h" }, at.mina);
    assert.equal(
      next.render(answer, at.reader()),
      "Nothing until Mon 16 Nov 2026 09:00 Asia/Seoul (in 1 h).",
    );
  });
  test("refuses an unreadable span", async () => {
    const asked = next.run({ ...week, within: "banana" }, bookFixture().mina);
    await assert.rejects(asked, (error) => hasCode(error, "invalid"));
  });
});

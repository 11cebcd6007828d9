import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { createSchedule } from "./create.ts";
import { deleteSchedule, pauseSchedule } from "./lifecycle.ts";
import { previewSchedule } from "./schedules.ts";
import { searchSchedules } from "./search.ts";

const run = { command: ["./report.sh"] };

async function filled(): Promise<BookFixture> {
  const at = bookFixture();
  const all = [
    { name: "Morning brief", when: "weekdays 08:30", notify: "conditional" },
    { name: "nightly", when: "0 3 * * *" },
    { name: "poll", when: "every 2h" },
    { name: "party", when: "2026-12-25 18:00" },
    { name: "gone", when: "every day" },
  ];
  for (const one of all) await callOperation(at.mina, createSchedule, { ...one, run }, at.mina);
  await pauseSchedule.run({ id: "nightly" }, at.mina);
  await deleteSchedule.run({ id: "gone" }, at.mina);
  return at;
}

async function found(at: BookFixture, asked: object): Promise<string[]> {
  const { output } = await callOperation(at.mina, searchSchedules, asked, at.mina);
  return searchSchedules.output.parse(output).schedules.map(({ name }) => name);
}

describe("a search of schedules", () => {
  const cases: [asked: object, names: string[]][] = [
    [{}, ["Morning brief", "poll", "party", "nightly"]],
    [{ all: true }, ["Morning brief", "poll", "party", "nightly", "gone"]],
    [{ name: "BRIEF" }, ["Morning brief"]],
    [{ status: "paused" }, ["nightly"]],
    [{ status: "cancelled" }, ["gone"]],
    [{ cadence_type: "interval" }, ["poll"]],
    [{ cadence_type: "once" }, ["party"]],
    [{ notification: "conditional" }, ["Morning brief"]],
    [{ name: "i", cadence_type: "cron" }, ["Morning brief", "nightly"]],
    [{ name: "nothing" }, []],
  ];
  for (const [asked, names] of cases) {
    test(`for ${JSON.stringify(asked)} finds ${names.join(", ") || "none"}`, async () => {
      assert.deepEqual(await found(await filled(), asked), names);
    });
  }
  test("has pages with the total count", async () => {
    const at = await filled();
    const first = await searchSchedules.run({ all: false, limit: 3 }, at.mina);
    assert.deepEqual([first.schedules.length, first.total, first.remaining], [3, 4, 1]);
    const after = first.next ?? "";
    const last = await searchSchedules.run({ all: false, limit: 3, after }, at.mina);
    assert.deepEqual(
      last.schedules.map(({ name }) => name),
      ["nightly"],
    );
    assert.deepEqual([last.total, last.remaining, last.next], [4, 0, null]);
    const terminal = { columns: null, color: false };
    const said = searchSchedules.render(first, { ...at.reader(), terminal });
    assert.match(said, new RegExp(`^3 of 4\nmore: --after ${after}$`, "m"));
  });
  test("refuses pages over 50 and an unknown cursor", async () => {
    const at = await filled();
    for (const limit of [0, 51]) await assert.rejects(found(at, { limit }), { code: "invalid" });
    await assert.rejects(found(at, { after: "nowhere" }), /start with the first/);
  });
  test("shows nothing of another book", async () => {
    const at = await filled();
    assert.equal((await searchSchedules.run({ all: true, limit: 20 }, at.jun)).total, 0);
  });
});

describe("a preview", () => {
  test("shows the requested number of times, and writes nothing", async () => {
    const at = bookFixture();
    const asked = { when: "every month on the 1st", count: 3 };
    const { when, next, cadence } = await previewSchedule.run(asked, at.mina);
    assert.match(when, /^every month on the 1st at 09:00|1st/);
    assert.equal(cadence.type, "cron");
    assert.deepEqual(
      next.map(({ utc }) => utc),
      ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"],
    );
    assert.deepEqual((await at.ledger.of("mina", "mina").list({})).records, []);
  });
  test("says what it assumed", async () => {
    const at = bookFixture();
    const cases = [
      [{ when: "every weekday 3시" }, "15:00 assumed; write 3 am for the morning"],
      [{ when: "every day" }, "09:00 assumed"],
      [{ when: "FREQ=DAILY" }, "08:00 assumed"],
      [{ cadence: { type: "once", at: "tomorrow" } }, "09:00 assumed"],
      [
        { cadence: { type: "rrule", rule: "FREQ=DAILY", start: "tomorrow 3" } },
        "15:00 assumed; write 3 am for the morning",
      ],
    ] as const;
    for (const [asked, assumed] of cases) {
      const { output } = await callOperation(at.mina, previewSchedule, asked, at.mina);
      const text = previewSchedule.render(previewSchedule.output.parse(output), at.reader());
      assert.ok(text.split("\n")[0]?.includes(` (Asia/Seoul; ${assumed})`), text);
    }
    const sure = await previewSchedule.run({ when: "every day 9am", count: 1 }, at.mina);
    assert.doesNotMatch(previewSchedule.render(sure, at.reader()), /assumed/);
  });
  test("refuses what a schedule refuses", async () => {
    const at = bookFixture();
    const asked = { cadence: { type: "interval", every: 1 }, count: 5 } as const;
    await assert.rejects(previewSchedule.run(asked, at.mina), /at least 1 min/);
  });
});

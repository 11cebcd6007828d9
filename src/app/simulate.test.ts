import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight, using } from "../../test/book-fixture.ts";
import { nagBook } from "../../test/nag-book.ts";
import { plainProfile } from "../features/accounts/profile.ts";
import { pauseEverything } from "../features/book/pauses.ts";
import { builtInCurves } from "../features/nags/curve.ts";
import { nag } from "../features/nags/operations/create.ts";
import { putPage } from "../features/nags/operations/pages.ts";
import { namedCurves } from "../features/nags/ports.ts";
import { remind } from "../features/notifications/operations/remind.ts";
import { createSchedule } from "../features/schedules/operations/create.ts";
import { pauseSchedule } from "../features/schedules/operations/lifecycle.ts";
import { runScheduleNow } from "../features/schedules/operations/runs.ts";
import { createWatch } from "../features/schedules/operations/watch.ts";
import { makeTask, type TaskKind } from "../features/tasks/kind.ts";
import { runTask } from "../features/tasks/operations/run.ts";
import type { Context } from "../kernel/operation.ts";
import { provide } from "../kernel/port.ts";
import type { Profile } from "../kernel/profile.ts";
import { simulate } from "./simulate.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const week = {
  now: eight,
  from: eight,
  to: eight + 7 * dayMs,
  profile: plainProfile,
  limit: 1_000,
};

async function schedule(context: Context, name: string, when: string, zone: string): Promise<void> {
  const asked = { name, when, timezone: zone, run: { task: "work" } };
  await createSchedule.run(asked, context);
}

/** What is foreseen, as "time what text". */
async function lines(
  { ledger }: Context,
  days: number,
  profile: Partial<Profile> = {},
): Promise<readonly string[]> {
  const to = eight + days * dayMs;
  const span = { ...week, to, profile: { ...plainProfile, ...profile } };
  const foreseen = await simulate(ledger, "mina", span);
  return foreseen.lines.map(({ at, what, text, dayHours }) => {
    const time = Temporal.Instant.fromEpochMilliseconds(at).toString();
    return [time, what, text, ...(dayHours === null ? [] : [`${dayHours} h`])].join(" ");
  });
}

describe("a simulation", () => {
  test("shows what would be said and run, in order, and does none of it", async () => {
    const { mina, ledger } = bookFixture();
    await remind.run({ message: "stand-up", at: "tomorrow 9am" }, mina);
    await schedule(mina, "backup", "daily 3am", "Asia/Seoul");
    assert.deepEqual(await lines(mina, 2), [
      "2026-11-16T18:00:00Z run backup",
      "2026-11-17T00:00:00Z say stand-up",
      "2026-11-17T18:00:00Z run backup",
    ]);
    const { records } = await ledger.of("mina", "x").list({ limit: 50 });
    assert.deepEqual(
      records.map(({ kind, state }) => `${kind} ${state}`),
      ["notification pending", "schedule active"],
    );
  });
  test("of a day on which the clocks change says so, with the time that is kept", async () => {
    const { mina, clock } = bookFixture();
    clock.advance(Date.parse("2027-03-26T00:00:00Z") - eight);
    await schedule(mina, "early", "30 2 * * *", "Europe/Berlin");
    const from = Date.parse("2027-03-27T12:00:00Z");
    const span = { ...week, now: clock.wall(), from, to: from + 2 * dayMs };
    const { lines: found } = await simulate(mina.ledger, "mina", span);
    assert.deepEqual(
      found.map(({ at, dayHours }) => [new Date(at).toISOString(), dayHours]),
      [
        ["2027-03-28T01:00:00.000Z", 23],
        ["2027-03-29T00:30:00.000Z", null],
      ],
    );
  });
  test("moves what falls into quiet hours, as it would be", async () => {
    const { mina } = bookFixture();
    await remind.run({ message: "psst", at: "+1h" }, mina);
    const quiet = { quiet: { from: "08:30", to: "11:00" }, zone: "Asia/Seoul" } as const;
    assert.deepEqual(await lines(mina, 1, quiet), ["2026-11-16T02:00:00Z say psst"]);
  });
  test("leaves out what is paused, and what somebody would have to ping", async () => {
    const { mina } = bookFixture();
    await schedule(mina, "backup", "daily 3am", "Asia/Seoul");
    await pauseSchedule.run({ id: "backup" }, mina);
    await createWatch.run({ name: "elsewhere", every: "1h", grace: "1m" }, mina);
    assert.deepEqual(await lines(mina, 3), []);
  });
  test("says what is said until it is done by its curve, and not in its sleep", async () => {
    const { mina } = bookFixture();
    const { id } = await nag.run({ message: "pay rent", at: "+11h", curve: "hourly" }, mina);
    const seoul = { zone: "Asia/Seoul" };
    assert.deepEqual(await lines(mina, 1, seoul), [
      "2026-11-16T10:00:00Z say pay rent",
      "2026-11-16T11:00:00Z say pay rent",
      "2026-11-16T12:00:00Z say pay rent",
      "2026-11-16T22:00:00Z say pay rent",
      "2026-11-16T23:00:00Z say pay rent",
    ]);
    const { lines: found } = await simulate(mina.ledger, "mina", week);
    assert.equal(found[0]?.id, id);
  });
  test("says a page in its words, and whoever hears of it too by then", async () => {
    const { mina } = bookFixture();
    await putPage.run({ id: "p1", title: "Rent", body: "" }, mina);
    const escalate = { after: 2, target: "telegram:1" };
    const curves = { loud: { ...builtInCurves.daily, escalate } };
    await nag.run(
      { page: "p1", at: "+1h", curve: "loud" },
      using(
        mina,
        provide(namedCurves, () => curves),
      ),
    );
    const { lines: found } = await simulate(mina.ledger, "mina", {
      ...week,
      to: eight + 2 * dayMs,
    });
    assert.deepEqual(
      found.map(({ text, target }) => [text, target]),
      [
        ["Rent", "stdout:daemon"],
        ["Rent", "stdout:daemon"],
        ["Rent", "telegram:1"],
      ],
    );
  });
  test("goes on from what is being said, and not from the beginning", async () => {
    const at = await nagBook();
    await nag.run({ message: "pay rent", curve: "hourly", target: "inbox:mina" }, at.mina);
    await at.pass(hourMs); // nobody listens: it waits
    const now = at.kernel.now();
    const span = { ...week, now, from: now, to: now + 2 * hourMs };
    const { lines: found } = await simulate(at.ledger, "mina", span);
    assert.deepEqual(
      found.map((line) => line.at - now),
      [0, hourMs, 2 * hourMs],
    );
  });
  test("shows nothing of what is paused until the pause is over", async () => {
    const { mina } = bookFixture();
    const admin: Context = { ...mina, scopes: ["admin"] };
    await schedule(mina, "backup", "daily 3am", "Asia/Seoul");
    await remind.run({ message: "stand-up", at: "tomorrow 9am" }, mina);
    await nag.run({ message: "pay rent", at: "+1h", curve: "daily" }, mina);
    await pauseEverything.run({ until: "2026-11-18 03:30" }, admin);
    assert.deepEqual(await lines(mina, 2.5), [
      "2026-11-17T18:30:00Z say stand-up",
      "2026-11-17T18:30:00Z run backup", // the latest slot, which is not too late
      "2026-11-17T18:30:00Z say pay rent",
    ]);
    await pauseEverything.run({}, admin);
    assert.deepEqual(await lines(mina, 366), []);
  });
  const scopes = [
    [{ kind: "nag" }, ["run backup", "say stand-up"]],
    [{ kind: "task" }, ["say pay rent", "say stand-up"]],
    [{ owner: "mina" }, []],
    [{ owner: "jun" }, ["run backup", "say pay rent", "say stand-up"]],
    [{ channel: "stdout" }, ["run backup"]],
  ] as const;
  for (const [scope, found] of scopes) {
    test(`shows nothing of what is paused by ${JSON.stringify(scope)}`, async () => {
      const { mina } = bookFixture();
      await schedule(mina, "backup", "daily 9am", "Asia/Seoul");
      await remind.run({ message: "stand-up", at: "+3h" }, mina);
      await nag.run({ message: "pay rent", at: "+2h", curve: "daily" }, mina);
      await pauseEverything.run(scope, { ...mina, scopes: ["admin"] });
      const said = await lines(mina, 0.5);
      assert.deepEqual(
        said.map((line) => line.replace(/^\S+ /, "")),
        found,
      );
    });
  }
  test("knows what was said of a nag that was paused since", async () => {
    const at = await nagBook();
    const admin: Context = { ...at.mina, scopes: ["admin"] };
    await nag.run({ message: "pay rent", curve: "hourly", target: "inbox:mina" }, at.mina);
    await at.pass(hourMs);
    await pauseEverything.run({ kind: "nag", until: "+5h" }, admin);
    const now = at.kernel.now();
    const span = { ...week, now, from: now, to: now + 6 * hourMs };
    const { lines: found } = await simulate(at.ledger, "mina", span);
    assert.deepEqual(
      found.map((line) => line.at - now),
      [0, 6 * hourMs],
    );
  });
  test("of a later time leaves out what was before it, and moves none of it", async () => {
    const { mina } = bookFixture();
    await remind.run({ message: "stand-up", at: "tomorrow 9am" }, mina);
    await remind.run({ message: "review", at: "2026-11-21 09:00" }, mina);
    await nag.run({ message: "pay rent", at: "+1h" }, mina); // after 1, 2 and 4 days
    await schedule(mina, "backup", "daily 3am", "Asia/Seoul");
    const zoned = { profile: { ...plainProfile, zone: "Asia/Seoul" } };
    const later = { ...week, ...zoned, from: eight + 5 * dayMs, to: eight + 7.5 * dayMs };
    const { lines: found } = await simulate(mina.ledger, "mina", later);
    assert.deepEqual(
      found.map(({ at, text }) => [new Date(at).toISOString(), text]),
      [
        ["2026-11-21T00:00:00.000Z", "review"],
        ["2026-11-21T18:00:00.000Z", "backup"],
        ["2026-11-22T18:00:00.000Z", "backup"],
        ["2026-11-23T00:00:00.000Z", "pay rent"],
      ],
    );
  });
  test("of a later time knows what waits until then, and what a day's budget was used for", async () => {
    const { mina } = bookFixture();
    const often = { when: "0 */6 * * *", timezone: "UTC", run: { task: "work" } };
    await createSchedule.run({ ...often, name: "twice", budget: { runs_per_day: 2 } }, mina);
    await createSchedule.run({ ...often, name: "all", misfire: "all" }, mina);
    const span = { ...week, from: eight + 60 * hourMs, to: eight + 72 * hourMs };
    const ran = async (): Promise<readonly string[]> => {
      const { lines: found } = await simulate(mina.ledger, "mina", span);
      return found.map(({ at, text }) => `${text} ${Math.floor((at - eight) / hourMs)}`).toSorted();
    };
    assert.deepEqual(await ran(), ["all 61", "all 67"]);
    await pauseEverything.run({ kind: "schedule", until: "+63h" }, { ...mina, scopes: ["admin"] });
    const madeUpFor = Array.from({ length: 11 }, () => "all 63");
    assert.deepEqual(await ran(), [...madeUpFor, "all 67", "twice 67"]);
  });
  test("of a later time comes to an end, however much was before it", async () => {
    const { mina, ledger } = bookFixture();
    await nag.run({ message: "pay rent", at: "+1h", curve: "minutes" }, mina);
    const late = { ...week, from: eight + 300 * dayMs, to: eight + 301 * dayMs };
    await assert.rejects(simulate(ledger, "mina", late), { code: "too_large", message: /before/ });
    const years = { ...week, from: eight + 3_700 * dayMs, to: eight + 3_701 * dayMs };
    await assert.rejects(simulate(ledger, "mina", years), { code: "too_large", message: /ten/ });
  });
  test("shows runs that wait in the book, once each, and those that a time alone will not start not", async () => {
    const { mina } = bookFixture();
    await runTask.run({ task: "invoice.send", at: "+2h" }, mina);
    await schedule(mina, "backup", "daily 3am", "Asia/Seoul");
    await runScheduleNow.run({ id: "backup" }, mina);
    const event = {
      id: "e",
      name: "e",
      type: "github.pr.comment",
      taskType: "github.pr.comment",
      handler: "gen-pr",
      hops: 0,
      repo: null,
      payload: {},
      channels: [],
      thread: null,
    };
    const book = mina.ledger.of("mina", "x");
    const due = { input: null, at: eight + hourMs, target: "stdout:daemon", origin: null };
    const handled = makeTask({ ...due, name: "command", timeoutMs: 1_000, event });
    await book.append(handled);
    const asked = makeTask({ ...due, name: "ask", timeoutMs: 1_000 });
    const { id } = await book.append(asked);
    await book.edit<TaskKind>({ kind: "task", id, state: "needs_human" });
    assert.deepEqual(await lines(mina, 1), [
      "2026-11-15T23:00:00Z run backup",
      "2026-11-16T00:00:00Z run gen-pr",
      "2026-11-16T01:00:00Z run invoice.send",
      "2026-11-16T18:00:00Z run backup",
    ]);
  });
  test("shows runs in a workspace at their times, as it is started before them", async () => {
    const { mina } = bookFixture();
    const run = { command: ["ls"], in: "scratch" };
    await createSchedule.run({ name: "tidy", when: "daily 3am", run }, mina);
    assert.deepEqual(await lines(mina, 3), [
      "2026-11-16T18:00:00Z run tidy",
      "2026-11-17T18:00:00Z run tidy",
      "2026-11-18T18:00:00Z run tidy",
    ]);
  });
  test("is another owner's not", async () => {
    const { mina, jun } = bookFixture();
    await remind.run({ message: "mine", at: "+1h" }, jun);
    assert.deepEqual(await lines(mina, 1), []);
  });
  test("comes to an end, however much would happen, and refuses more than a year", async () => {
    const { mina, ledger } = bookFixture();
    await schedule(mina, "often", "every 1m", "UTC");
    const year = { ...week, to: eight + 365 * dayMs, limit: 500 };
    const { lines: found, isCut } = await simulate(ledger, "mina", year);
    assert.deepEqual([found.length, isCut], [500, true]);
    const more = { ...year, to: eight + 367 * dayMs };
    await assert.rejects(simulate(ledger, "mina", more), { code: "too_large" });
    await assert.rejects(simulate(ledger, "mina", { ...year, to: eight }), { code: "invalid" });
  });
});

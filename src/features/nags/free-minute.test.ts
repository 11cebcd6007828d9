import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import { morningFixture, owner, type NagFixture } from "../../testing/nag-fixture.ts";
import { inZone } from "../../time/zone.ts";
import type { Quiet } from "../accounts/profile.ts";
import { snoozed } from "./change.ts";
import { builtInCurves, type Curve } from "./curve.ts";
import { minuteOf } from "./free-minute.ts";
import { nagKind } from "./kind.ts";

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

const clockOf = (at: number | null | undefined, zone = "UTC"): string =>
  at == null ? "none" : inZone(at, zone).toPlainTime().toString({ smallestUnit: "minute" });

/** Starts two nag controllers and a deliverer. */
async function pair(at: NagFixture): Promise<void> {
  for (const holder of ["n1", "n2"]) await at.startNagger(holder);
  await at.startDeliverer();
}

describe("computed times of one owner never share a minute", () => {
  test("with 200 nags in the same hour and two nodes", async () => {
    const at = await morningFixture();
    const startedAt = at.kernel.now();
    const ids = await Promise.all(Array.from({ length: 200 }, () => at.addNag()));
    await pair(at);
    await at.pass(2 * minuteMs);
    const times = await Promise.all(ids.map(async (id) => (await at.nag(id)).outcome?.nextAt ?? 0));
    assert.equal(at.sent.length, 200);
    assert.equal(new Set(times.map(minuteOf)).size, 200);
    assert.equal(
      times.filter((time) => time === startedAt + dayMs).length,
      1,
      "one nag keeps the whole hour",
    );
    for (const time of times) {
      assert.ok(time >= startedAt + dayMs && time < startedAt + dayMs + 12 * hourMs, clockOf(time));
      assert.ok(clockOf(time) >= "07:00" && clockOf(time) < "22:00", clockOf(time));
    }
    assert.deepEqual(
      at.heard.filter(({ name }) => name === "consequence refused" || name === "act failed"),
      [],
    );
    await at.pass(2 * dayMs);
    assert.equal(at.sent.length, 400);
  });

  test("with more nags than open minutes in a day", async () => {
    const at = await morningFixture();
    const curve: Curve = { ...builtInCurves.hourly, sleep: { from: "10:20", to: "10:00" } };
    const ids = await Promise.all(Array.from({ length: 45 }, () => at.addNag({ curve })));
    await pair(at);
    await at.pass(10 * minuteMs);
    const times = await Promise.all(ids.map(async (id) => (await at.nag(id)).outcome?.nextAt ?? 0));
    assert.equal(new Set(times.map(minuteOf)).size, 45);
    for (const time of times) assert.ok(clockOf(time) >= "10:00" && clockOf(time) < "10:20");
    assert.equal(new Set(times.map((time) => inZone(time, "UTC").day)).size >= 3, true);
  });

  test("with a short curve, and stay close to their time", async () => {
    const at = await morningFixture();
    const ids = await Promise.all(
      Array.from({ length: 4 }, () => at.addNag({ curve: builtInCurves.minutes })),
    );
    const startedAt = at.kernel.now();
    await pair(at);
    await at.pass(minuteMs);
    for (const id of ids) {
      const next = (await at.nag(id)).outcome?.nextAt ?? 0;
      assert.ok(
        next >= startedAt + 5 * minuteMs && next < startedAt + 13 * minuteMs,
        clockOf(next),
      );
    }
  });

  test("unless a person requested the times", async () => {
    const at = await morningFixture();
    const ids = [await at.addNag(), await at.addNag()];
    const later = { at: at.kernel.now() + 30 * minuteMs, atText: "+30m" };
    for (const id of ids) await at.change(id, (record) => snoozed(record, later));
    await pair(at);
    await at.pass(hourMs);
    assert.deepEqual(
      at.sent.map(({ sentAt }) => sentAt),
      [later.at, later.at],
    );
  });

  test("but may share one with another owner's time", async () => {
    const at = await morningFixture();
    const mine = await at.addNag();
    const draft = { ...(await at.nag(mine)) };
    const book = at.ledger.of("jun", "jun");
    const { kind, body, outcome } = draft;
    assert.ok(outcome);
    const { id } = await book.append({ kind, body, outcome, state: "active", wakeAt: body.at });
    await pair(at);
    await at.pass(minuteMs);
    const other = await book.get(id);
    assert.ok(is(nagKind, other));
    assert.equal(other.outcome?.nextAt, (await at.nag(mine)).outcome?.nextAt);
  });
});

describe("open hours", () => {
  const nextAfter = async (
    quiet: Quiet,
    options: { priority?: "high" } = {},
  ): Promise<{ at: NagFixture; id: string }> => {
    const at = await morningFixture();
    const id = await at.addNag({}, options);
    await pair(at);
    await at.pass(minuteMs);
    at.profile = { ...at.profile, quiet };
    await at.pass(dayMs);
    return { at, id };
  };

  test("move a nag that is due in quiet hours to their end", async () => {
    const { at, id } = await nextAfter({ from: "09:00", to: "14:00" });
    assert.deepEqual([at.sent.length, clockOf((await at.nag(id)).outcome?.nextAt)], [1, "14:00"]);
    await at.pass(5 * hourMs);
    assert.equal(clockOf(at.sent[1]?.sentAt), "14:00");
  });

  test("do not move a nag with high priority", async () => {
    const { at } = await nextAfter({ from: "09:00", to: "14:00" }, { priority: "high" });
    assert.deepEqual(
      at.sent.map(({ sentAt }) => clockOf(sentAt)),
      ["10:00", "10:00"],
    );
  });

  test("start next morning when the quiet hours last until the night", async () => {
    const { at, id } = await nextAfter({ from: "09:00", to: "23:30" });
    assert.equal(clockOf((await at.nag(id)).outcome?.nextAt), "07:00");
  });

  test("keep a nag due with a reason while no time of day is open", async () => {
    const { at, id } = await nextAfter({ from: "06:00", to: "23:00" });
    const stuck = await at.nag(id);
    assert.match(stuck.outcome?.reason ?? "", /leave no time of day/);
    assert.deepEqual([stuck.state, at.sent.length], ["active", 1]);
    at.profile = { ...at.profile, quiet: null };
    await at.pass(2 * hourMs);
    assert.deepEqual([at.sent.length, (await at.nag(id)).outcome?.reason], [2, null]);
  });

  test("move a nag to its owner's new zone, counted from the same start", async () => {
    const at = await morningFixture();
    const ids = [await at.addNag(), await at.addNag()];
    await pair(at);
    await at.pass(hourMs);
    const before = (await at.nag(ids[0] ?? "")).outcome;
    at.cachedProfile = at.profile;
    at.profile = { ...at.profile, zone: "America/New_York" };
    const page = await at.addPage("wakes", "them");
    const wake = ids.map((id) => ({ id }));
    await at.ledger
      .of(owner, owner)
      .edit({ kind: "page", id: page.id, note: "the zone changed" }, { wake });
    await at.pass(minuteMs);
    const after = (await at.nag(ids[0] ?? "")).outcome;
    assert.equal(after?.counted?.from, before?.counted?.from);
    assert.equal(after?.counted?.zone, "America/New_York");
    // Ten in the morning in UTC is five in New York, which is closed.
    const clocks = await Promise.all(
      ids.map(async (id) => clockOf((await at.nag(id)).outcome?.nextAt, "America/New_York")),
    );
    assert.ok(clocks.includes("07:00"), clocks.join());
    assert.equal(new Set(clocks).size, 2);
    assert.equal(at.sent.length, 2);
  });

  test("are those of the nag's own zone, if it has one", async () => {
    const at = await morningFixture();
    const id = await at.addNag({ zone: "Asia/Kolkata" });
    await pair(at);
    await at.pass(minuteMs);
    at.profile = { ...at.profile, zone: "America/New_York" };
    const next = (await at.nag(id)).outcome?.nextAt;
    assert.equal(clockOf(next, "Asia/Kolkata"), "15:00");
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import type { Context } from "../../kernel/operation.ts";
import { operations } from "../index.ts";
import { readPauses } from "../nodes/pause.ts";
import { pauseEverything, pauseLines, resumeEverything } from "./pauses.ts";
import { whoami } from "./whoami.ts";

const { next } = operations;

const admin = ({ mina }: BookFixture): Context => ({ ...mina, scopes: ["admin"] });

describe("a pause", () => {
  test("is listed to the owners it affects, in both languages", async () => {
    const at = bookFixture();
    const made = await pauseEverything.run({ until: "tomorrow 9am", reason: "holiday" }, admin(at));
    await pauseEverything.run({ owner: "jun" }, admin(at));
    assert.equal(
      pauseEverything.render(made, at.reader()),
      "⏸ Paused: all, until Tue 17 Nov 2026 09:00:00 (holiday). Records that come due wait.",
    );
    assert.match(pauseLines(made.pauses, at.reader("ko")).join(), /^⏸ 일시 정지: all, .*까지/);
    const seen = async (context: Context) =>
      ((await whoami.run({}, context)).pauses ?? []).map(({ scope }) => scope);
    assert.deepEqual(await seen(at.mina), ["all"]);
    assert.deepEqual(await seen(at.jun), ["all", "owner jun"]);
    const coming = await next.run({ within: "7d", limit: 5 }, at.jun);
    assert.match(next.render(coming, at.reader()), /^⏸ Paused: all.*\n⏸ Paused: owner jun/);
  });
  test("requested again changes its end and reason, and does not stack", async () => {
    const at = bookFixture();
    await pauseEverything.run({}, admin(at));
    const { pauses } = await pauseEverything.run({ reason: "moving" }, admin(at));
    assert.deepEqual(
      pauses.map(({ reason }) => reason),
      ["moving"],
    );
    const resumed = await resumeEverything.run({}, admin(at));
    assert.deepEqual(resumed, { resumed: "all", pauses: [] });
    await assert.rejects(resumeEverything.run({}, admin(at)), {
      code: "not_found",
      message: 'No pause of "all" is in force: daybook whoami shows what is paused.',
    });
  });
  test("ends at its time, and can be requested again", async () => {
    const at = bookFixture();
    await pauseEverything.run({ kind: "task", until: "+1h" }, admin(at));
    at.clock.advance(3_600_000);
    assert.equal((await whoami.run({}, at.mina)).pauses, undefined);
    const { pauses } = await pauseEverything.run({ kind: "task" }, admin(at));
    assert.deepEqual([pauses.length, pauses[0]?.until], [1, null]);
  });
  test("that has expired is not in force, and a resume leaves nothing of it", async () => {
    const at = bookFixture();
    await pauseEverything.run({ kind: "task", until: "+1h" }, admin(at));
    at.clock.advance(3_600_000);
    const resumed = resumeEverything.run({ kind: "task" }, admin(at));
    await assert.rejects(resumed, { message: /^No pause of "kind task" is in force: / });
    assert.deepEqual(await readPauses(at.mina.ledger), []);
  });
  test("is not ended by the resume of another, whose answer names it", async () => {
    const at = bookFixture();
    await pauseEverything.run({ until: "+1h" }, admin(at));
    at.clock.advance(3_600_000);
    await pauseEverything.run({ kind: "schedule" }, admin(at));
    await pauseEverything.run({ owner: "mina" }, admin(at));
    await assert.rejects(resumeEverything.run({}, admin(at)), {
      code: "not_found",
      message:
        'No pause of "all" is in force, but others are: kind schedule (daybook resume --all --kind schedule), owner mina (daybook resume --all --owner mina).',
    });
    await resumeEverything.run({}, at.mina);
    await assert.rejects(resumeEverything.run({}, at.mina), {
      message: 'No pause of "owner mina" is in force, but others are: kind schedule.',
    });
  });
  test("is resumed at once, whether or not its work was read meanwhile", async () => {
    const at = bookFixture();
    const said = async (what: { kind?: "task"; channel?: string }) => {
      await pauseEverything.run(what, admin(at));
      return resumeEverything.render(await resumeEverything.run(what, admin(at)), at.reader());
    };
    assert.equal(await said({}), "Resumed. Work continues within seconds.");
    assert.equal(await said({ kind: "task" }), "Resumed. Work continues within seconds.");
    assert.equal(await said({ channel: "ntfy" }), "Resumed. Work continues within a minute.");
  });
  test("of the own book needs no admin scope, unlike all others", async () => {
    const at = bookFixture();
    const { pauses } = await pauseEverything.run({ owner: "mina" }, at.mina);
    assert.equal(pauses[0]?.scope, "owner mina");
    const others = [{ owner: "jun" }, { channel: "ntfy" }, { kind: "task" }] as const;
    for (const what of others) {
      await assert.rejects(pauseEverything.run(what, at.mina), { code: "refused" });
      await assert.rejects(resumeEverything.run(what, at.mina), { code: "refused" });
    }
  });
  test("without a scope is of the own book, or of all books for an admin", async () => {
    const at = bookFixture();
    const { pauses: own } = await pauseEverything.run({}, at.mina);
    assert.deepEqual(
      own.map(({ scope }) => scope),
      ["owner mina"],
    );
    const { pauses: all } = await pauseEverything.run({}, admin(at));
    assert.deepEqual(
      all.map(({ scope }) => scope),
      ["owner mina", "all"],
    );
  });
  test("has one scope and an end in the future", async () => {
    const at = bookFixture();
    const two = pauseEverything.run({ kind: "task", owner: "mina" }, admin(at));
    await assert.rejects(two, { message: /at most one of/ });
    const past = pauseEverything.run({ until: "yesterday 9am" }, admin(at));
    await assert.rejects(past, { code: "invalid" });
  });
});

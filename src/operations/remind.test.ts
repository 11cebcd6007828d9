import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { desk, eight, type Desk } from "../../test/desk.ts";
import { hasCode, type ErrorCode } from "../base/errors.ts";
import { isId } from "../base/ids.ts";
import { remind } from "./remind.ts";

const standUp = { message: "stand-up", at: "+30m" };

async function recordsAt(at: Desk): Promise<number> {
  return (await at.ledger.work.stats()).records;
}

describe("remind", () => {
  test("echoes when and where it will be said", async () => {
    const { mina } = desk();
    const answer = await remind.run(standUp, mina);
    assert.ok(isId(answer.id));
    assert.deepEqual(answer, {
      id: answer.id,
      state: "pending",
      target: "stdout:daemon",
      due: {
        utc: "2026-11-15T23:30:00Z",
        local: "2026-11-16T08:30:00+09:00[Asia/Seoul]",
        zone: "Asia/Seoul",
        past: false,
        text: "Mon 16 Nov 2026 08:30:00 Asia/Seoul (in 30 min)",
      },
      fresh: true,
    });
    assert.equal(
      remind.say(answer, mina),
      `Mon 16 Nov 2026 08:30:00 Asia/Seoul (in 30 min) → stdout:daemon\n${answer.id}`,
    );
  });
  test("writes down what was asked, by whom, in which words and where", async () => {
    const { mina } = desk();
    const { id } = await remind.run({ ...standUp, target: "telegram:42" }, mina);
    const record = await mina.ledger.of("mina", "x").get(id);
    assert.deepEqual(record?.body, {
      message: "stand-up",
      at: eight + 30 * 60_000,
      atText: "+30m",
      target: "telegram:42",
      origin: "stdout:daemon",
    });
    assert.equal(record?.by, "mina-at-cli");
    assert.equal(record?.lane, "telegram:42");
    assert.equal(record?.wakeAt, eight + 30 * 60_000);
  });
  test("of a past time is due at once, and says so", async () => {
    const { mina, ledger } = desk();
    const answer = await remind.run({ message: "late", at: "2026-11-16T07:00+09:00" }, mina);
    assert.equal(
      remind.say(answer, mina),
      `Mon 16 Nov 2026 07:00:00 Asia/Seoul (1 h ago) → stdout:daemon\nThat time is past, so it is said at once.\n${answer.id}`,
    );
    const claim = { kind: "notification", holder: "node", leaseMs: 1, limit: 9 } as const;
    const { records } = await ledger.work.claim(claim);
    assert.deepEqual(
      records.map(({ id }) => id),
      [answer.id],
    );
  });

  const bad: [name: string, change: Partial<typeof standUp & { target: string }>, ErrorCode][] = [
    ["a time that cannot be read", { at: "soon" }, "invalid"],
    ["a time out of all bounds", { at: "+99999999d" }, "invalid"],
    ["a target without a channel", { target: "nowhere" }, "invalid"],
    ["an empty message", { message: " " }, "invalid"],
    ["a message too long", { message: "x".repeat(20_001) }, "too_large"],
  ];
  for (const [name, change, code] of bad) {
    test(`with ${name} is refused, and nothing is written`, async () => {
      const at = desk();
      const asked = remind.run({ ...standUp, ...change }, at.mina);
      await assert.rejects(asked, (error) => hasCode(error, code));
      assert.equal(await recordsAt(at), 0);
    });
  }
});

describe("remind with a key", () => {
  const keyed = { ...standUp, key: "daily" };

  test("asked twice is written once, and the second answer is the first's", async () => {
    const at = desk();
    const first = await remind.run(keyed, at.mina);
    at.clock.advance(60_000);
    const second = await remind.run(keyed, at.mina);
    assert.equal(second.fresh, false);
    assert.equal(second.id, first.id);
    assert.equal(second.due?.utc, first.due?.utc);
    assert.equal(await recordsAt(at), 1);
    assert.equal(
      remind.say(second, at.mina),
      `Already asked, and pending: Mon 16 Nov 2026 08:30:00 Asia/Seoul (in 29 min) → stdout:daemon\n${first.id}`,
    );
  });
  for (const change of [{ message: "other" }, { at: "+31m" }, { target: "telegram:1" }]) {
    test(`and then with another ${Object.keys(change)[0]} is a conflict`, async () => {
      const at = desk();
      const { id } = await remind.run(keyed, at.mina);
      await assert.rejects(
        remind.run({ ...keyed, ...change }, at.mina),
        (error) => hasCode(error, "conflict") && error.details["id"] === id,
      );
      assert.equal(await recordsAt(at), 1);
    });
  }
  test("of one owner says nothing to another", async () => {
    const at = desk();
    const first = await remind.run(keyed, at.mina);
    const other = await remind.run({ ...keyed, message: "other" }, at.jun);
    assert.equal(other.fresh, true);
    assert.notEqual(other.id, first.id);
  });
  test("of a record that was forgotten is still not asked twice", async () => {
    const at = desk();
    const { id } = await remind.run(keyed, at.mina);
    await at.ledger.of("mina", "x").cancel({ id });
    at.clock.advance(1);
    assert.equal(await at.ledger.work.prune({ endedBefore: at.clock.wall(), limit: 9 }), 1);
    const again = await remind.run(keyed, at.mina);
    const { fresh, state, due } = again;
    assert.deepEqual([again.id, fresh, state, due], [id, false, "forgotten", null]);
    assert.equal(remind.say(again, at.mina), `Already asked, done, and forgotten since.\n${id}`);
    assert.equal(await recordsAt(at), 0);
  });
});

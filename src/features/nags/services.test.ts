import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../test/book-fixture.ts";
import { nagBook } from "../../../test/nag-book.ts";
import { setProfile } from "../accounts/operations/profile.ts";
import { operations } from "../index.ts";
import { nagKind } from "./kind.ts";
import { nag } from "./operations/create.ts";
import { pauseNag } from "./operations/lifecycle.ts";
import { showNag } from "./operations/nags.ts";

const { next } = operations;

const hourMs = 3_600_000;

describe("a change of a profile", () => {
  test("moves the owner's nags to the new zone", async () => {
    const at = await nagBook();
    const { id } = await nag.run(
      { message: "pay rent", at: "today 6pm", curve: "hourly" },
      at.mina,
    );
    await at.pass(11 * hourMs + hourMs / 2);
    assert.match((await showNag.run({ id }, at.mina)).next?.local ?? "", /T07:00:00\+00:00/);
    const zone = "America/Los_Angeles";
    at.profile = { ...at.profile, zone };
    await setProfile.run({ timezone: zone }, at.mina);
    await at.pass(1_000);
    const { counted, nextAt } = (await at.nag(id)).outcome ?? {};
    assert.equal(counted?.zone, zone);
    assert.ok((nextAt ?? Infinity) <= at.kernel.now() + 2 * hourMs, String(nextAt));
  });
  test("wakes the active nags in the same commit, and no paused ones", async () => {
    const at = bookFixture();
    const create = (message: string) => nag.run({ message, at: "+5d" }, at.mina);
    const made = await Promise.all(Array.from({ length: 405 }, (_, index) => create(`n${index}`)));
    const [paused] = made;
    await pauseNag.run({ id: paused?.id ?? "" }, at.mina);
    await setProfile.run({ language: "ko" }, at.mina);
    const claim = { kind: nagKind, holder: "n", leaseMs: 1_000, limit: 1_000 } as const;
    assert.deepEqual((await at.ledger.work.claim(claim)).records, []);
    await setProfile.run({ quiet: "23:00-06:00" }, at.mina);
    const { records } = await at.ledger.work.claim(claim);
    assert.equal(records.length, 404);
    assert.ok(!records.some(({ id }) => id === paused?.id));
  });
});

describe("next", () => {
  test("lists the next message of each active nag", async () => {
    const at = bookFixture();
    const soon = await nag.run({ message: "pay rent", at: "+2h" }, at.mina);
    await nag.run({ message: "later", at: "+30d" }, at.mina);
    const paused = await nag.run({ message: "paused", at: "+1h" }, at.mina);
    await pauseNag.run({ id: paused.id }, at.mina);
    const coming = await next.run({ within: "7d", limit: 50 }, at.mina);
    assert.deepEqual(
      coming.nags.map(({ id }) => id),
      [soon.id],
    );
    assert.match(next.render(coming, at.reader()), /10:00:00 {2}↻ pay rent → stdout:daemon/);
  });
});

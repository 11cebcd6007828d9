import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture } from "../../../../test/book-fixture.ts";
import { callOperation } from "../../../kernel/call.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";
import { whoami } from "../../book/whoami.ts";
import { remind } from "../../notifications/operations/remind.ts";
import { profileKind } from "../profile.ts";
import { setProfile } from "./profile.ts";

const installed = { value: null, from: "setting" };

describe("the settings of an owner", () => {
  test("default to the installation's, and each names its source", async () => {
    const { mina } = bookFixture();
    const before = {
      timezone: { value: "Asia/Seoul", from: "setting" },
      language: { value: "en", from: "setting" },
      home: installed,
      quiet: installed,
    };
    assert.deepEqual(await setProfile.run({}, mina), before);
    const after = {
      timezone: { value: "Europe/Berlin", from: "profile" },
      language: { value: "ko", from: "profile" },
      home: { value: "telegram:7", from: "profile" },
      quiet: { value: "22:00-07:00", from: "profile" },
    };
    const request = { timezone: "Europe/Berlin", language: "ko", home: "telegram:7" } as const;
    await setProfile.run(request, mina);
    assert.deepEqual(await setProfile.run({ quiet: "22:00-07:00" }, mina), after);
    const all = { timezone: "default", language: "default", home: "default", quiet: "default" };
    assert.deepEqual(await setProfile.run({ ...all, language: "default" }, mina), before);
  });
  test("are in one record after concurrent writes", async () => {
    const { mina, ledger } = bookFixture();
    await Promise.all([
      setProfile.run({ timezone: "UTC" }, mina),
      setProfile.run({ language: "ko" }, mina),
      setProfile.run({ quiet: "23:00-06:00" }, mina),
    ]);
    const { records } = await ledger.of("mina", "x").list({ kind: profileKind });
    assert.deepEqual(
      records.map(({ body }) => body),
      [{ timezone: "UTC", language: "ko", quiet: { from: "23:00", to: "06:00" } }],
    );
  });
  test("may be off although the installation sets them", async () => {
    const { mina } = bookFixture();
    const given = { home: "telegram:1", quiet: { from: "22:00", to: "07:00" } };
    const profile = { ...mina.profile, ...given };
    const context = { ...mina, defaults: () => profile, profile };
    const { home, quiet } = await setProfile.run({ home: "off", quiet: "off" }, context);
    const off = { value: null, from: "profile" };
    assert.deepEqual([home, quiet], [off, off]);
  });
  test("apply to the next request", async () => {
    const { mina } = bookFixture();
    await callOperation(mina, setProfile, { timezone: "UTC", language: "ko" }, mina);
    const { output, reader } = await callOperation(
      mina,
      remind,
      { message: "hi", at: "tomorrow" },
      mina,
    );
    assert.equal(reader.language, "ko");
    const { due } = remind.output.parse(output);
    assert.deepEqual([due?.utc, due?.zone_from], ["2026-11-16T09:00:00Z", "profile"]);
    assert.match(due?.text ?? "", /기본 시각 09:00/);
  });

  const refused: [request: Parameters<typeof setProfile.run>[0], code: ErrorCode][] = [
    [{ timezone: "Asia/Soul" }, "invalid"],
    [{ quiet: "at night" }, "invalid"],
    [{ quiet: "25:00-07:00" }, "invalid"],
    [{ home: "telegram" }, "invalid"],
    [{ home: "inbox:jun" }, "refused"],
    [{ home: "pager:1" }, "invalid"],
  ];
  for (const [request, code] of refused) {
    test(`are unchanged after ${JSON.stringify(request)}, which is refused`, async () => {
      const { mina, ledger } = bookFixture();
      await assert.rejects(setProfile.run(request, mina), (error) => hasCode(error, code));
      assert.equal((await ledger.work.stats()).records, 0);
    });
  }
  test("refuse a home that the caller's scopes do not allow as a target", async () => {
    const { mina } = bookFixture();
    const low = { ...mina, scopes: ["read", "write"] as const };
    await assert.rejects(setProfile.run({ home: "telegram:42" }, low), (error) =>
      hasCode(error, "refused"),
    );
  });
});

describe("whoami", () => {
  test("shows the owner, the principal, the scopes and the waiting messages", async () => {
    const at = bookFixture();
    const outside = { ...at.mina, origin: null };
    for (const time of ["+0s", "+1m", "+1h"]) await remind.run({ message: "x", at: time }, outside);
    await remind.run({ message: "elsewhere", at: "+0s" }, at.mina);
    at.clock.advance(60_000);
    const answer = await whoami.run({}, at.mina);
    const { owner, principal, scopes, inbox } = answer;
    assert.deepEqual([owner, principal], ["mina", "mina-at-cli"]);
    assert.deepEqual(scopes, ["read", "write", "target", "run"]);
    assert.deepEqual(inbox, { target: "inbox:mina", waiting: 2, more: false });
    assert.equal(
      whoami.render(answer, at.reader()),
      `mina-at-cli in the book of mina, scopes: read, write, target, run
time zone   Asia/Seoul (this installation's)
language    en (this installation's)
home        the inbox (this installation's)
quiet hours none (this installation's)
inbox       2 waiting`,
    );
  });
});

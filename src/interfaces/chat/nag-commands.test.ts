import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chatFixture, type ChatFixture } from "../../../test/chat-fixture.ts";
import { setProfile } from "../../features/accounts/operations/profile.ts";
import { type NagKind, nagKind } from "../../features/nags/kind.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import { is } from "../../kernel/kind.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";

async function nags(at: ChatFixture): Promise<readonly LedgerRecord<NagKind>[]> {
  const { records } = await at.ledger.of("mina", "x").list({ kind: nagKind, order: "newest" });
  return records;
}

/** What is seen of an answer. */
async function seen(text: Promise<string>): Promise<string> {
  return visible(readMarkdown(await text));
}

describe("/nag", () => {
  test("says something where it was asked until it is done, from a time or at once", async () => {
    const at = chatFixture();
    const text = await seen(at.text("/nag the 25th 9am pay rent", { address: "-100:7" }));
    assert.match(text, /^🔁 Wed 25 Nov 2026 09:00 .*until it is done \(otu\)\npay rent\n/);
    await at.text("/nag me to drink water");
    await at.text("재촉 내일 오전 9시 물 마시기");
    assert.deepEqual(
      (await nags(at)).map(({ body }) => [body.about, body.atText, body.target]),
      [
        [{ text: "물 마시기" }, "내일 오전 9시", "telegram:7"],
        [{ text: "drink water" }, "now", "telegram:7"],
        [{ text: "pay rent" }, "the 25th 9am", "telegram:-100:7"],
      ],
    );
  });
  test("heard twice makes one; without words, or with an unsure time, none", async () => {
    const at = chatFixture();
    await at.text("/nag tea", { id: "same" });
    await at.text("/nag tea", { id: "same" });
    assert.match(await at.text("/nag"), /^The text is missing/);
    assert.match(await at.text("/nag tomorrow 9am"), /^The text is missing/);
    assert.match(await at.text("/nag 25일 월세"), /25일 오전 9시/);
    await setProfile.run({ language: "ko" }, at.mina);
    assert.match(await at.text("/nag"), /^내용이 없습니다/);
    assert.equal((await nags(at)).length, 1);
  });
  test("assumes an hour and says so, and is about a past day rather than on it", async () => {
    const at = chatFixture();
    await setProfile.run({ language: "ko" }, at.mina);
    assert.match(
      await seen(at.text("/nag 내일 3시 회의")),
      /오후 3:00, .*읽은 시각 15:00, 오전이라면 "오전 3시"처럼 쓰세요/,
    );
    await at.text("/nag 어제 회의록 정리");
    assert.deepEqual(
      (await nags(at)).map(({ body }) => [body.about, body.atText]),
      [
        [{ text: "어제 회의록 정리" }, "now"],
        [{ text: "회의" }, "내일 3시"],
      ],
    );
  });
  test("is listed, put off, done and taken back by the end of its id", async () => {
    const at = chatFixture();
    await at.text("/nag tomorrow 9am pay rent");
    const [first] = await nags(at);
    const short = first?.id.slice(-8) ?? "";
    assert.match(
      await seen(at.text("/list")),
      new RegExp(`🔁 in 1 d 1 h: pay rent \\(not sent yet\\) ${short}`),
    );
    assert.match(await seen(at.text(`/snooze ${short} 2h`)), /Snoozed: Mon 16 Nov 2026 10:00/);
    assert.match(await at.text(`/done ${short}`), /Done: pay rent/);
    assert.equal((await nags(at))[0]?.state, "done");
    await at.text("/nag tomorrow 9am pay tax");
    const other = (await nags(at))[0]?.id.slice(-8) ?? "";
    assert.match(await at.text(`/cancel ${other}`), /Cancelled: pay tax/);
    assert.equal((await nags(at))[0]?.state, "cancelled");
  });
});

describe("a button under what says a nag", () => {
  async function said(at: ChatFixture): Promise<{ nag: string; said: string }> {
    await at.text("/nag tomorrow 9am pay rent");
    const [{ id: nag } = assert.fail("no nag")] = await nags(at);
    const draft = makeNotification({
      message: "pay rent",
      at: at.clock.wall(),
      atText: "otu",
      target: "telegram:7",
      origin: "telegram:7",
      type: "nag",
      wakesParent: true,
    });
    const { id } = await at.ledger.of("mina", "x").append({ ...draft, parent: nag });
    await at.delivered(12);
    return { nag, said: id };
  }
  test("is done with all of it, and shows that where it was pressed", async () => {
    const at = chatFixture();
    const { nag, said: id } = await said(at);
    const { mark } = await at.press(`done:${id}`, { message: 12 });
    assert.equal(mark, "✓ Done");
    const record = await at.get(nag);
    assert.equal(record.state, "done");
  });
  test("puts all of it off", async () => {
    const at = chatFixture();
    const { nag, said: id } = await said(at);
    const { mark } = await at.press(`1h:${id}`, { message: 12 });
    assert.match(mark ?? "", /Snoozed: .*\(in 1 h\)$/);
    const record = await at.get(nag);
    assert.ok(is(nagKind, record) && record.wakeAt === at.clock.wall() + 3_600_000);
  });
});

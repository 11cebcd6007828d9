import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, eight } from "../../../../test/book-fixture.ts";
import { makeNotification } from "../kind.ts";
import { list } from "./list.ts";
import { remind } from "./remind.ts";
import { show } from "./show.ts";
const asked = { message: "stand-up", at: "+30m" };

describe("show", () => {
  test("shows the reason of the target as the first answer did", async () => {
    const at = bookFixture();
    const { id, target_because: first } = await remind.run(asked, { ...at.mina, origin: null });
    const shown = await show.run({ id }, at.mina);
    const [listed] = (await list.run({ all: false, limit: 50 }, at.mina)).notifications;
    assert.deepEqual(
      [first, shown.target_because, listed?.target_because],
      ["inbox", "inbox", "inbox"],
    );
    assert.match(
      show.render(shown, at.reader()),
      /^ {2}target +inbox:mina; no target was named and no home is set: it goes to the inbox$/m,
    );
  });
  const whole = {
    ...asked,
    priority: "high",
    expires_at: "+2h",
    at_most_once: true,
    collapse_key: "build",
    context: `${"why ".repeat(80)}\nand more`,
  } as const;
  test("shows everything that was asked for, whole", async () => {
    const at = bookFixture();
    const { id } = await remind.run(whole, at.mina);
    const shown = await show.run({ id }, at.mina);
    assert.equal(
      show.render(shown, at.reader()),
      `notification ${id}  pending Mon 16 Nov 2026 08:30:00 Asia/Seoul
  target        stdout:daemon; the request came from there
  due           Mon 16 Nov 2026 08:30 Asia/Seoul (in 30 min)
  type          reminder
  priority      high
  expires       Mon 16 Nov 2026 10:00:00 Asia/Seoul
  delivery      at most once: never sent twice, and possibly lost
  collapse key  build
  created       mina-at-cli, Mon 16 Nov 2026 08:00:00 Asia/Seoul
  context       ${"why ".repeat(80).trim()}
                and more

stand-up`,
    );
    assert.match(show.render(shown, at.reader("ko")), /^ {2}묶음 키 +build$/m);
  });
  test("shows when a cancelled notification ended, and no time ahead of it", async () => {
    const at = bookFixture();
    const { id } = await remind.run({ ...asked, at: "+11h" }, at.mina);
    at.clock.advance(60_000);
    await at.ledger.of("mina", "mina").cancel({ id, reason: "not today" });
    const shown = await show.run({ id }, at.mina);
    assert.equal(shown.due.text, "Mon 16 Nov 2026 19:00:00 Asia/Seoul");
    assert.deepEqual([shown.next_at, shown.ended_at], [null, "2026-11-15T23:01:00Z"]);
    for (const language of ["en", "ko"] as const) {
      const text = show.render(shown, at.reader(language));
      assert.doesNotMatch(text, /in 1[01] h|시간 뒤/);
      assert.match(text.split("\n")[0] ?? "", /08:01:00|오전 8:01:00/);
    }
  });
  test("shows no reason for a record from before reasons were stored", async () => {
    const { mina } = bookFixture();
    const body = { message: "hi", at: eight, atText: "now", target: "inbox:mina", origin: null };
    const { id } = await mina.ledger.of("mina", "x").append(makeNotification(body));
    assert.equal((await show.run({ id }, mina)).target_because, null);
  });
  test("returns long texts in parts and where the next part begins", async () => {
    const { mina } = bookFixture();
    const { id } = await remind.run({ ...asked, message: "a😀b😀c", context: "why" }, mina);
    const parts = [
      [{}, "a😀b😀c", "why", null, 0],
      [{ chars: 2 }, "a😀", "wh", 2, 3],
      [{ offset: 2, chars: 2 }, "b😀", "y", 4, 1],
      [{ offset: 4, chars: 2 }, "c", "", null, 0],
      [{ offset: 99 }, "", "", null, 0],
      [{ offset: 1 }, "😀b😀c", "hy", null, 0],
    ] as const;
    for (const [part, message, context, next, remaining] of parts) {
      const view = await show.run({ id, ...part }, mina);
      assert.deepEqual(
        [view.message, view.context, view.next_offset, view.remaining],
        [message, context, next, remaining],
      );
    }
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bookFixture, type BookFixture } from "../../../test/book-fixture.ts";
import { type } from "../../../test/terminal.ts";

async function asked(at: BookFixture): Promise<string> {
  const { exit, out, err } = await type(["nag", "pay rent", "--at", "the 25th", "--json"], {}, at);
  assert.equal(exit, 0, err);
  return (JSON.parse(out) as { id: string }).id;
}

describe("daybook nag", () => {
  test("says when it is said first, where, and how far apart", async () => {
    const { exit, out } = await type(["nag", "pay rent", "--at", "the 25th", "--curve", "hourly"]);
    assert.equal(exit, 0);
    assert.match(
      out,
      /^'pay rent' is sent until it is done \(hourly\), first Wed 25 Nov 2026 09:00 .*09:00 assumed\) → stdout:daemon\n/,
    );
  });
  test("done, snooze, cancel, pause and resume take its id, as the words after nag do", async () => {
    const at = bookFixture();
    const id = await asked(at);
    const lines: [words: string[], says: RegExp][] = [
      [["pause", id], /^Paused: 'pay rent' is not sent until you resume it/],
      [["resume", id], /^Resumed: 'pay rent' is sent next Mon 16 Nov/],
      [["nag", "pause", id], /^Paused: 'pay rent'/],
      [["nag", "resume", id], /^Resumed: 'pay rent'/],
      [["snooze", id, "+2h"], /^Snoozed: Mon 16 Nov 2026 10:00/],
      [["nag", "snooze", id, "+3h"], /^Snoozed: 'pay rent' is sent next Mon 16 Nov 2026 11:00/],
      [["nag", "show", id], /^nag .* active Mon 16 Nov/],
      [["done", id], /^Done: 'pay rent' is not sent again\./],
      [["nag", "done", id], /^'pay rent' is already done\./],
      [["nags"], /^No nags are active or paused/],
    ];
    for (const [words, says] of lines) {
      const { exit, out, err } = await type(words, {}, at);
      assert.equal(exit, 0, `${words.join(" ")}: ${err}`);
      assert.match(out, says);
    }
    const other = await asked(at);
    assert.match((await type(["cancel", other], {}, at)).out, /^Deleted: 'pay rent'/);
  });
  test("pause of what is neither says what a schedule's would, and a nag takes no time to rest", async () => {
    const at = bookFixture();
    const nowhere = await type(["pause", "nope"], {}, at);
    assert.deepEqual([nowhere.exit, nowhere.err.includes('no schedule "nope"')], [3, true]);
    const until = await type(["pause", await asked(at), "--until", "tomorrow"], {}, at);
    assert.equal(until.exit, 3);
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

test("a session's reminder arrives in it only, with and without a daemon", async (t) => {
  const home = folder(t);
  const type = (words: readonly string[], session?: string): Child =>
    child(t, bin, words, {
      DAYBOOK_HOME: home,
      ...(session === undefined ? {} : { DAYBOOK_SESSION: session }),
    });
  const early = type(["remind", "before the daemon", "--at", "+1s"], "desk/a");
  assert.equal(await early.ended, 0, early.lines.join("\n"));
  assert.match(early.lines.join("\n"), /→ session:me\/desk%2Fa/);

  const daemon = type(["start"]);
  await daemon.line(/is ready/);
  const asked = type(["remind", "while it runs", "--at", "+1s"], "desk/a");
  assert.equal(await asked.ended, 0, asked.lines.join("\n"));
  const other = type(["remind", "for the inbox", "--at", "+1s"]);
  assert.equal(await other.ended, 0, other.lines.join("\n"));

  const inbox = type(["attach"]);
  const there = type(["attach"], "desk/a");
  await there.line(/before the daemon/);
  await there.line(/while it runs/);
  await inbox.line(/for the inbox/);
  assert.doesNotMatch(inbox.lines.join("\n"), /before the daemon|while it runs/);
  assert.doesNotMatch(there.lines.join("\n"), /for the inbox/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

test("a daemon without a terminal says who receives messages, until somebody does", async (t) => {
  const env = { DAYBOOK_HOME: folder(t), DAYBOOK_LANGUAGE: "en" };
  const typed = async (...words: readonly string[]): Promise<string> => {
    const one = child(t, bin, words, env);
    await one.ended;
    return one.lines.join("\n");
  };
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/^No terminal shows the inbox here.*daybook attach.*daybook profile --home/);
  const remind = (): Promise<string> => typed("remind", "tea", "--at", "+1h");
  assert.match(await remind(), /→ inbox:me\nNo terminal shows inbox:me now/);
  const attached = child(t, bin, ["attach"], env);
  await attached.line(/^Listening as inbox:me/);
  assert.doesNotMatch(await remind(), /Nobody listens/);
  await typed("profile", "--home", "stdout:daemon");
  daemon.kill("SIGTERM");
  await daemon.ended;
  const next = child(t, bin, ["start"], env);
  await next.line(/is ready/);
  assert.doesNotMatch(await remind(), /Nobody listens/); // its answer comes after the lines of the start
  assert.doesNotMatch(next.lines.join("\n"), /No terminal shows/);
});

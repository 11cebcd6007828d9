import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

test(
  "네임스페이스: `alarm`, `DEBUG='alarm'` (서버): the log has the life of a reminder, and no other debug line",
  { timeout: 60_000 },
  async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home, DEBUG: "alarm", DAYBOOK_LOG: "" };
    const set = child(t, bin, ["profile", "--home", "stdout:daemon"], { DAYBOOK_HOME: home });
    assert.equal(await set.ended, 0, set.lines.join("\n"));
    const daemon = child(t, bin, ["start"], env);
    await daemon.line(/is ready/);
    const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
    const token = readFileSync(join(home, "token"), "utf8").trim();
    const answer = await fetch(`${url}/api/reminder/register-by-page`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ page_id: "p1", title: "Trip" }),
    });
    const { data } = (await answer.json()) as { data: { id: string } };
    for (const step of ["registered", "due", "sent"]) {
      const line = await daemon.line(new RegExp(`alarm.*step"?[:=]"?${step}`));
      assert.match(line, new RegExp(data.id), step);
    }
    assert.deepEqual(
      daemon.lines.filter((line) => /DEBUG|"debug"/.test(line) && !line.includes("alarm")),
      [],
    );
  },
);

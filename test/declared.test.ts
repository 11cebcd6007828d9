import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../src/index.ts";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

test("a daemon makes what its file says, takes it up again when told, and ends what was taken out", async (t) => {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const set = (text: string): void => writeFileSync(file, text);
  const env = { DAYBOOK_HOME: home, DAYBOOK_CONFIG: file };
  set("schedules:\n  nightly:\n    when: 0 3 * * *\n    run: { task: work }\n");
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/is ready/);
  const typed = async (...words: readonly string[]): Promise<string> => {
    const one = child(t, bin, words, env);
    await one.ended;
    return one.lines.join("\n");
  };
  const statuses = async (): Promise<readonly string[]> => {
    const answer = await typed("schedules", "--json");
    const { schedules } = JSON.parse(answer) as { schedules: { name: string; status: string }[] };
    return schedules.map(({ name, status }) => `${name} ${status}`);
  };
  assert.deepEqual(await statuses(), ["nightly active"]);
  set("schedules:\n  hourly:\n    when: every 1h\n    run: { task: work }\n");
  await typed("config", "reload");
  await daemon.line(/schedule\.applied.*remove/);
  assert.match(await typed("apply", "--dry-run"), /^same {2}hourly \(me\)/);
  assert.deepEqual(await statuses(), ["hourly active"]);
  assert.match(await typed("schedules", "--status", "completed"), /nightly/);
  set("schedules:\n  hourly:\n    when: now and then\n    run: { task: work }\n");
  assert.match(await typed("config", "check"), /daybook\.yaml:3:5 {2}schedules\.hourly\.when is/);
});

test("a program has what it opens the book with, once it starts", async (t) => {
  const store = `sqlite:${join(folder(t), "book.db")}`;
  const schedules = { nightly: { when: "0 3 * * *", run: { task: "work" } } };
  const names = async (options: object): Promise<readonly string[]> => {
    const daybook = await open({ store, ...options });
    try {
      await daybook.start();
      const found = await daybook.searchSchedules({ status: "active" });
      return found.schedules.map(({ name }) => name);
    } finally {
      await daybook.close();
    }
  };
  assert.deepEqual(await names({ schedules }), ["nightly"]);
  assert.deepEqual(await names({}), ["nightly"], "who says nothing of them takes none away");
  assert.deepEqual(await names({ schedules: {} }), []);
  await assert.rejects(names({ schedules: { a: { when: "soon", run: { task: "b" } } } }), {
    message: /schedules\.a\.when is "soon": write/,
  });
});

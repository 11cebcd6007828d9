import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

describe("a home has one daemon", { timeout: 120_000 }, () => {
  test("a second daemon is refused, and the first continues", async (t) => {
    const home = folder(t);
    const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en" };
    const first = child(t, bin, ["start"], env);
    await first.line(/is ready/);
    const second = child(t, bin, ["start"], env);
    assert.equal(await second.ended, 4, second.lines.join("\n"));
    const refused = new RegExp(
      `^daybook: A daemon already runs on ${RegExp.escape(home)}, at http://127\\.0\\.0\\.1:\\d+ \\(process ${first.pid}\\): stop it first`,
    );
    assert.match(second.lines.join("\n"), refused);
    const status = child(t, bin, ["status"], env);
    assert.equal(await status.ended, 0);
    assert.match(status.lines[0] ?? "", new RegExp(`process ${first.pid}`));
    first.kill("SIGTERM");
    assert.equal(await first.ended, 0);
    assert.ok(!existsSync(join(home, "daemon.json")));
  });
  test("a killed daemon does not count, and the next one starts", async (t) => {
    const env = { DAYBOOK_HOME: folder(t), DAYBOOK_LANGUAGE: "en" };
    const first = child(t, bin, ["start"], env);
    await first.line(/is ready/);
    first.kill("SIGKILL");
    await first.ended;
    const doctor = child(t, bin, ["doctor"], env);
    await doctor.ended;
    assert.match(doctor.lines.join("\n"), /^ {2}warn {3}daemon {5}No daemon runs/m);
    await child(t, bin, ["start"], env).line(/is ready/);
  });
});

test("a request that needs a daemon says so while none runs, beside the answer", async (t) => {
  const env = { DAYBOOK_HOME: folder(t), DAYBOOK_LANGUAGE: "en" };
  const typed = async (...words: readonly string[]): Promise<string> => {
    const run = child(t, bin, words, env);
    assert.equal(await run.ended, 0, run.lines.join("\n"));
    return run.lines.join("\n");
  };
  const waits = "No daemon runs, so this waits. Start one: daybook start";
  const remind = ["remind", "hi", "--at", "+1h"];
  assert.ok((await typed(...remind)).split("\n").includes(waits));
  assert.match(await typed("workspace", "create", "box"), RegExp(waits));
  assert.match(await typed("workspace", "delete", "box"), RegExp(waits));
  const data = JSON.parse(await typed(...remind, "--json")) as { id: string };
  assert.doesNotMatch(await typed("list"), RegExp(waits));
  assert.doesNotMatch(await typed("cancel", data.id), RegExp(waits));
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/is ready/);
  assert.doesNotMatch(await typed(...remind), RegExp(waits));
  // Another home that shares the book has no daemon of its own.
  const shared = { DAYBOOK_HOME: folder(t), DAYBOOK_STORE: `sqlite:${env.DAYBOOK_HOME}/book.db` };
  const elsewhere = child(t, bin, remind, { ...env, ...shared });
  assert.equal(await elsewhere.ended, 0);
  assert.doesNotMatch(elsewhere.lines.join("\n"), RegExp(waits));
  daemon.kill("SIGKILL");
  await daemon.ended;
  assert.match(await typed(...remind), RegExp(waits));
});

test("a daemon speaks the language of its settings, from its start to its stop", async (t) => {
  const daemon = child(t, bin, ["start"], { DAYBOOK_LANGUAGE: "ko", DAYBOOK_HOME: folder(t) });
  await daemon.line(/^받은함을 보여 주는 터미널이 없어/);
  daemon.kill("SIGTERM");
  assert.equal(await daemon.ended, 0);
  const said = daemon.lines.filter((line) => !line.startsWith("{")).join("\n");
  assert.match(said, /^로그인하려면 다음 주소를 여세요: http:\S+ /m);
  assert.match(said, /^Daybook \S+ 준비되었습니다\. 장부: .*Ctrl-C를 누르세요\.$/m);
  assert.match(said, /^멈추는 중입니다\./m);
  assert.doesNotMatch(said, /is ready|Stopping|sign in|No terminal/);
});

test("doctor leaves out checks of settings that it cannot read", async (t) => {
  const home = folder(t);
  const file = join(home, "wrong.yaml");
  writeFileSync(file, "nonsense: 1\n");
  const doctor = child(t, bin, ["doctor", "--config", file], { DAYBOOK_LANGUAGE: "en" });
  assert.equal(await doctor.ended, 1);
  const names = doctor.lines.flatMap((line) => /^ {2}(?:ok|warn|bad) +(\w+)/.exec(line)?.[1] ?? []);
  assert.deepEqual(names, ["node", "config"], doctor.lines.join("\n"));
});

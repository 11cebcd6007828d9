import assert from "node:assert/strict";
import { appendFileSync, chmodSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

/** Load shedding would depend on the machine. */
const never = "{ cpu: 100, memory: 100, disk: 100 }";
const noShedding = `health: { yellow: ${never}, red: ${never} }\n`;

test("a running daemon uses a handler added with `on`, and the file keeps its comments", async (t) => {
  const home = folder(t);
  const file = join(home, "daybook.yaml");
  const before = `# mine
${noShedding}runners:
  command: { allow: [./ship.sh] } # only this
`;
  writeFileSync(file, before);
  writeFileSync(join(home, "ship.sh"), "#!/bin/sh\necho shipped $1\n");
  chmodSync(join(home, "ship.sh"), 0o755);
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en" };
  const daemon = child(t, bin, ["start"], { ...env, DAYBOOK_CONFIG: file });
  await daemon.line(/is ready/);
  const typed = async (...words: readonly string[]): Promise<readonly [unknown, string]> => {
    const one = child(t, bin, words, env);
    return [await one.ended, one.lines.join("\n")];
  };
  const program = join(home, "ship.sh");
  const added = await typed("on", "shop.order", "--", program, "{{payload.order}}");
  assert.deepEqual(added, [0, `Written: handlers.on-shop-order in ${file}.`]);
  assert.ok(readFileSync(file, "utf8").startsWith(before));
  await daemon.line(/config\.reloaded.*handlers/);
  const [taken, says] = await typed("on", "shop.order", "--", program);
  assert.equal(taken, 4);
  assert.match(says, /on-shop-order already handles shop\.order \(\S*daybook\.yaml:\d+:\d+\)/);
  const [refused, which] = await typed("on", "shop.return", "--", "rm", "-rf");
  assert.equal(refused, 5);
  assert.match(which, /"rm" is not allowed.*\n.*allow: \["\.\/ship\.sh", "rm"\]/);
  const inbox = child(t, bin, ["attach"], env);
  await inbox.line(/attach|inbox|waiting|받/i);
  const [emitted, said] = await typed("emit", "shop.order", "--payload", '{"order":7}');
  assert.equal(emitted, 0, said);
  await inbox.line(/✅ on-shop-order: shipped 7/);
});

test("the first handler of a daemon without a file needs no restart, and runs beside the new file", async (t) => {
  const [home, work] = [folder(t), folder(t)];
  writeFileSync(join(work, "where.sh"), "#!/bin/sh\npwd\n");
  chmodSync(join(work, "where.sh"), 0o755);
  const allowed = { DAYBOOK_ALLOW_COMMANDS: "1", DAYBOOK_LANGUAGE: "en" };
  const env = { DAYBOOK_HOME: home, PWD: work, ...allowed };
  const daemon = child(t, bin, ["start"], env);
  await daemon.line(/is ready/);
  const typed = async (...words: readonly string[]): Promise<string> => {
    const one = child(t, bin, words, env);
    assert.equal(await one.ended, 0, one.lines.join("\n"));
    return one.lines.join("\n");
  };
  assert.match(await typed("on", "shop.order", "--", "./where.sh"), /^Written: handlers\./);
  await daemon.line(/config\.reloaded.*"needsRestart":\[\]/);
  assert.doesNotMatch(await typed("status"), /next start/);
  appendFileSync(join(work, "daybook.yaml"), noShedding);
  assert.equal(await typed("config", "reload"), "Changed: health.");
  const inbox = child(t, bin, ["attach"], env);
  await inbox.line(/Listening/);
  await typed("emit", "shop.order");
  await inbox.line(RegExp(`on-shop-order: ${RegExp.escape(realpathSync(work))}`));
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const run = promisify(execFile);

/** The code of one language, block by block. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, code = ""]) => code,
  );
}

describe("the README", { timeout: 60_000 }, () => {
  test("is what a newcomer types: every command of its quick start works", async (t) => {
    const home = folder(t);
    const [begin = "", second = ""] = blocks("sh");
    assert.match(begin, /^npm ci && npm start$/m);
    const daemon = child(t, bin, ["start"], { DAYBOOK_HOME: home });
    await daemon.line(/^Open http:\S+ to sign in/);
    await daemon.line(/is ready/);
    const lines = second.split("\n").filter((line) => line.startsWith("npx daybook "));
    assert.ok(lines.length >= 5, "the quick start is gone");
    const env = { ...process.env, DAYBOOK_HOME: home, NODE: process.execPath, BIN: bin };
    for (const line of lines) {
      const typed = line.replace("npx daybook", '"$NODE" "$BIN"');
      const { stdout } = await run("sh", ["-c", typed], { env });
      assert.notEqual(stdout.trim(), "", line);
    }
    const { stdout } = await run("sh", ["-c", '"$NODE" "$BIN" list --all --json'], { env });
    const { notifications } = JSON.parse(stdout) as { notifications: { message: string }[] };
    const messages = notifications.map(({ message }) => message);
    for (const asked of ["stand-up", "회의 시작", "water the plants"]) {
      assert.ok(messages.includes(asked), asked);
    }
    await daemon.line(/^🔔 Daybook is running/);
  });

  test("shows code that runs", async (t) => {
    const [code = ""] = blocks("ts");
    const home = folder(t);
    mkdirSync(join(home, "data"));
    const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
    const channel = `const myChannel = { name: "mine", send: async () => ({ result: "delivered", receipt: 1 }) } as const;`;
    const whole = [
      code.replace('"daybook"', JSON.stringify(index)).replace(/^const daybook/m, `${channel}\n$&`),
      `const { notifications } = await daybook.list({});`,
      `console.log(notifications[0]?.message, notifications[0]?.target);`,
      `await daybook.close();`,
    ].join("\n");
    const script = join(home, "example.ts");
    writeFileSync(script, whole);
    const { stdout } = await run(process.execPath, [script], { cwd: home });
    assert.equal(stdout.trim(), "stand-up mine:1");
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { child, folder } from "./child.ts";
import { blocks, triedOut, writeApp } from "./readme-app.ts";
import { bin } from "./walk-book.ts";

const run = promisify(execFile);

describe("the README", { timeout: 180_000 }, () => {
  test("has a quick start whose commands all work", async (t) => {
    const home = folder(t);
    const [begin = "", second = "", untilDone = "", again = "", when = "", always = ""] =
      blocks("sh");
    assert.match(begin, /^npm ci && npm start$/m);
    const file = join(home, "daybook.yaml");
    writeFileSync(file, "");
    const set = { DAYBOOK_HOME: home, DAYBOOK_CONFIG: file, DAYBOOK_ALLOW_COMMANDS: "1" };
    const daemon = child(t, bin, ["start"], set);
    await daemon.line(/^Open http:\S+ to sign in/);
    await daemon.line(/is ready/);
    const lines = [second, untilDone, again, when, always].flatMap((block) =>
      block.split("\n").filter((line) => line.startsWith("npx daybook ")),
    );
    assert.ok(lines.length >= 21, "the quick start is gone");
    const env = { ...process.env, ...set, NODE: process.execPath, BIN: bin };
    const type = async (line: string): Promise<string> => {
      const typed = line.replace("npx daybook", '"$NODE" "$BIN"');
      return (await run("sh", ["-c", typed], { env })).stdout;
    };
    for (const line of lines) {
      // The id of the nag comes from the list before.
      const ids = line.includes(" ID") ? await type("npx daybook nag list --json") : "";
      const [, id = "none"] = /"id": ?"([^"]+)"/.exec(ids) ?? [];
      assert.notEqual((await type(line.replace(" ID", ` ${id}`))).trim(), "", line);
    }
    const listed = await type("npx daybook list --all --json");
    const { notifications } = JSON.parse(listed) as { notifications: { message: string }[] };
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
    const index = file("../src/index.ts");
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

  test("shows an app that runs, and its test", async (t) => {
    const home = folder(t);
    symlinkSync(file("../node_modules"), join(home, "node_modules"));
    const ours = new Map([
      ['"daybook"', file("../src/index.ts")],
      ['"daybook/testing"', file("../src/app/testing-kit/testing-kit.ts")],
    ]);
    writeApp(home, (code) =>
      code.replaceAll(/"daybook(\/\w+)?"/g, (name) => JSON.stringify(ours.get(name) ?? name)),
    );
    const env = { ...process.env, PORT: "0" };
    const { stdout } = await run(process.execPath, ["server.ts"], { cwd: home, env });
    assert.equal(stdout.trim(), triedOut);
    await run(process.execPath, ["invoice.test.ts"], { cwd: home });
  });
});

function file(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { Api } from "grammy";

const main = join(import.meta.dirname, "main.ts");

test("a bot without accounts prints its messages and receives typed ones", async (t) => {
  const program = spawn(process.execPath, [main, "--port", "0"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { LANG: "en_US.UTF-8" },
  });
  t.after(async () => {
    program.kill();
    if (program.exitCode === null && program.signalCode === null) await once(program, "exit");
  });
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  const line = async (shape: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) assert.fail(`it ended before it printed ${shape.source}`);
      const found = shape.exec(value);
      if (found !== null) return found;
    }
  };
  const [, apiRoot = ""] = await line(/DAYBOOK_TELEGRAM_API=(\S+)/);
  const [, token = ""] = await line(/DAYBOOK_TELEGRAM_TOKEN=(\S+)/);
  const api = new Api(token, { apiRoot });
  await line(/^Type to speak/);
  const inline_keyboard = [[{ text: "Done", callback_data: "done:1" }]];
  const { message_id: id } = await api.sendMessage(7, "tea", { reply_markup: { inline_keyboard } });
  await line(/^telegram> tea \[1 Done\]$/);
  program.stdin.write("/list\n!1\n!9\n");
  await line(/^There is no such button\.$/);
  const [said, pressed] = await api.getUpdates({});
  assert.equal(said?.message?.text, "/list");
  assert.equal(pressed?.callback_query?.data, "done:1");
  await api.editMessageText(7, id, "tea ✓");
  await line(/^telegram~ tea ✓$/);
});

test("a taken port is an error that says what to do", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const program = spawn(process.execPath, [main, "--port", String(port)], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { LANG: "en_US.UTF-8" },
  });
  const said = text(program.stderr);
  assert.deepEqual(await once(program, "exit"), [1, null]);
  const [, taken] = /^Port (\d+) is in use: .*--port 9000[^\n]*\n$/.exec(await said) ?? [];
  // It takes four ports, and another program may have one of the others.
  assert.ok(Number(taken) >= port && Number(taken) < port + 4, `${taken}`);
});

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { telegramServer } from "../src/testing/chats/telegram-server.ts";
import { sentryServer } from "../src/testing/sentry-server.ts";
import { child, folder } from "./child.ts";
import { bin } from "./walk-book.ts";

/** Hides the package from a process. */
const hidden = `import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (name === "@sentry/node") throw new Error("it is not installed");
    return next(name, context);
  },
});`;

describe("Sentry 선택적 기능", { timeout: 60_000 }, () => {
  test("a missing package says what to install, and the daemon starts", async (t) => {
    const hook = join(folder(t), "hidden.mjs");
    writeFileSync(hook, hidden);
    const env = {
      DAYBOOK_SENTRY_DSN: "http://key@127.0.0.1:9/1",
      NODE_OPTIONS: `--import ${hook}`,
    };
    const daemon = child(t, bin, ["start"], env);
    await daemon.line(/^warning: DAYBOOK_SENTRY_DSN is set.*npm install @sentry\/node/);
    await daemon.line(/is ready/);
  });

  test("a daemon reports what it could not send, without the message and without its tokens", async (t) => {
    const sentry = await sentryServer();
    t.after(sentry.close);
    const chat = { type: "private", forbidden: "bot was blocked by the user" } as const;
    const bot = await telegramServer({ chats: { 7: chat } });
    t.after(bot.close);
    const env = {
      DAYBOOK_HOME: folder(t),
      DAYBOOK_SENTRY_DSN: sentry.dsn,
      DAYBOOK_TELEGRAM_TOKEN: bot.token,
      DAYBOOK_TELEGRAM_API: bot.url,
    };
    const daemon = child(t, bin, ["start"], env);
    await daemon.line(/is ready/);
    const message = "the words of the message";
    const asked = child(t, bin, ["remind", message, "--at", "now", "--target", "telegram:7"], env);
    assert.equal(await asked.ended, 0, asked.lines.join("\n"));
    const event = await sentry.event(({ tags }) => tags["result"] === "failed");
    const [error = assert.fail()] = event.exception.values;
    assert.deepEqual(event.tags, { channel: "telegram", result: "failed" });
    assert.equal(error.type, "send failed");
    assert.match(error.value, /blocked the bot/);
    const files = error.stacktrace.frames.map(({ filename }) => filename);
    assert.ok(files.some((file) => file.endsWith("/features/notifications/delivery-events.ts")));
    const sent = sentry.bodies.join("\n");
    assert.ok(!sent.includes(message) && !sent.includes(bot.token), sent);
    assert.ok(daemon.lines.every((line) => !line.startsWith("warning")));
  });
});

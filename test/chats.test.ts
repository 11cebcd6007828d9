import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { telegramServer, type TelegramServer } from "../src/testing/chats/telegram-server.ts";
import type { TelegramMessage } from "../src/testing/chats/telegram-world.ts";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

const forum = -1_001_234;
const mina = { id: 7, first_name: "Mina" };
const known = 'senders: [{ id: 7, owner: "me" }]';

interface Scenario {
  readonly server: TelegramServer;
  readonly daemon: Child;
  /** The URL of the daemon. */
  readonly url: string;
  /** The first message of the bot that matches, in its current form. */
  seen(isIt: (message: TelegramMessage) => boolean): Promise<TelegramMessage>;
  /** Runs a command that must exit with this status, and returns its lines. */
  said(exit: number, ...args: string[]): Promise<string>;
}

/** An installed daemon, and a Telegram on this machine. */
async function scenario(
  t: TestContext,
  telegram: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Scenario> {
  const server = await telegramServer({
    chats: { 7: { type: "private" }, [forum]: { type: "supergroup", topics: [7, 8] } },
  });
  t.after(server.close);
  const home = folder(t);
  const file = join(home, "set.yaml");
  const owners = "owners: { me: { language: ko, timezone: Asia/Seoul } }";
  writeFileSync(file, `${owners}\nchannels: { telegram: { ${telegram} } }\n`);
  const all = {
    DAYBOOK_HOME: home,
    DAYBOOK_LANGUAGE: "en",
    DAYBOOK_LOG_FORMAT: "json",
    DAYBOOK_TELEGRAM_API: server.url,
    DAYBOOK_TELEGRAM_TOKEN: server.token,
    ...env,
  };
  const daemon = child(t, bin, ["start", "--config", file], all);
  await daemon.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  return {
    server,
    daemon,
    url,
    async seen(isIt) {
      await server.called(() => server.messages.some(isIt));
      return server.messages.find(isIt) ?? assert.fail();
    },
    async said(exit, ...args) {
      const typed = child(t, bin, [...args, "--config", file], all);
      assert.equal(await typed.ended, exit, typed.lines.join("\n"));
      return typed.lines.join("\n");
    },
  };
}

/** The live reminders of the owner. */
async function live({ said }: Scenario): Promise<readonly Shown[]> {
  const { notifications } = JSON.parse(await said(0, "list", "--sort", "newest", "--json")) as {
    notifications: Shown[];
  };
  return notifications;
}

interface Shown {
  readonly message: string;
  readonly target: string;
  readonly next_at: string;
}

describe("a daemon with a bot of Telegram", { timeout: 120_000 }, () => {
  test("sends a reminder to its topic only, and snoozes it by a button", async (t) => {
    const at = await scenario(t, known);
    const { server, seen } = at;
    server.say(forum, mina, "/remind 내일 오후 3시 회의", { thread: 7 });
    const noted = await seen(({ text }) => text.includes("회의"));
    assert.deepEqual([noted.chat, noted.thread, noted.buttons], [forum, 7, []]);
    const [meeting] = await live(at);
    assert.deepEqual([meeting?.message, meeting?.target], ["회의", `telegram:${forum}:7`]);
    assert.match(meeting?.next_at ?? "", /T06:00:00/);

    server.say(forum, mina, "/remind 2초 후 물 마시기", { thread: 7 });
    const arrived = await seen(({ buttons }) => buttons.length > 0);
    assert.deepEqual([arrived.chat, arrived.thread], [forum, 7]);
    assert.match(arrived.text, /물 마시기/);
    const labels = arrived.buttons.map(({ text }) => text);
    assert.deepEqual(labels, ["완료", "10분", "1시간", "내일"]);

    const pressedAt = Date.now();
    server.press(arrived.id, arrived.buttons[1]?.data ?? "", mina);
    const moved = await seen(({ id, before }) => id === arrived.id && before.length > 0);
    assert.deepEqual(moved.buttons, []);
    assert.match(moved.text, /물 마시기\n\n⏰/);
    const later = (await live(at)).find(({ message }) => message === "물 마시기");
    assert.equal(later?.target, `telegram:${forum}:7`);
    const waitsMs = Date.parse(later?.next_at ?? "") - pressedAt;
    assert.ok(Math.abs(waitsMs - 600_000) < 60_000, `${waitsMs}`);
    const places = new Set(server.messages.map(({ chat, thread }) => `${chat}:${thread}`));
    assert.deepEqual(places, new Set([`${forum}:7`]));
  });

  test("shows a change on the message, from any interface, and a press once", async (t) => {
    const { server, seen, said } = await scenario(t, known);
    const ask = async (text: string): Promise<TelegramMessage> => {
      const [place, at] = ["--target", "telegram:7"];
      await said(0, "remind", text, "--at", "+1s", place, at);
      return seen((message) => message.text === text && message.buttons.length > 0);
    };
    const first = await ask("물 마시기");
    const [, id = ""] = first.buttons[0]?.data.split(":") ?? [];
    await said(0, "snooze", id, "+1h");
    const later = await seen((message) => message.id === first.id && message.before.length === 1);
    assert.match(later.text, /^물 마시기\n\n⏰ 미룸: /);
    assert.deepEqual(later.buttons, []);
    await said(0, "done", id);
    const over = await seen((message) => message.id === first.id && message.before.length === 2);
    assert.equal(over.text, "물 마시기\n\n✓ 완료");

    const second = await ask("회의");
    server.press(second.id, second.buttons[0]?.data ?? "", mina);
    await seen((message) => message.id === second.id && message.text === "회의\n\n✓ 완료");
    // A later message in this chat has arrived: a second edit would have come before it.
    await ask("산책");
    const edits = server.calls.filter(({ path, body }) => {
      return path.endsWith("/editMessageText") && body.includes("회의");
    });
    assert.equal(edits.length, 1);
  });

  test("ignores every sender until one is linked, and then answers at once", async (t) => {
    const { server, daemon, seen, said } = await scenario(t, "mode: polling");
    await daemon.line(/chat\.closed.*nobody may use it/);
    assert.deepEqual(server.calls, []);
    assert.match(await said(0, "doctor"), /telegram +Nobody may use it/);
    const { say } = JSON.parse(await said(0, "link", "--json")) as { say: string };
    server.say(7, mina, say);
    await seen(({ chat }) => chat === 7);
    server.say(7, mina, "/list");
    await server.called(() => server.messages.length === 2);
    assert.match(await said(0, "doctor"), /telegram +Connected/);
    assert.equal(daemon.lines.filter((line) => line.includes("chat.closed")).length, 1);
  });

  test("runs although its token is wrong, which doctor reports", async (t) => {
    const wrong = "123456:wrong-token_0123456789abcdefghijklm";
    const { daemon, said } = await scenario(t, known, { DAYBOOK_TELEGRAM_TOKEN: wrong });
    const line = await daemon.line(/chat\.unheard/);
    assert.match(line, /40[14]/);
    const found = await said(1, "doctor");
    assert.match(found, /telegram +It refuses our calls/);
    for (const text of [...daemon.lines, found]) assert.doesNotMatch(text, /wrong-token/);
  });

  test("receives updates over HTTP from a sender with the secret", async (t) => {
    const secret = "a-secret-of-sixteen-letters";
    const { server, url, seen } = await scenario(t, `mode: webhook, secret: ${secret}, ${known}`, {
      DAYBOOK_PUBLIC_URL: "https://book.example.org/",
    });
    const { body } = await server.called(({ path }) => path.endsWith("/setWebhook"));
    const { url: told } = JSON.parse(body) as { url: string };
    assert.equal(told, "https://book.example.org/chats/telegram");
    const message = {
      message_id: 5,
      date: 1_800_000_000,
      chat: { id: 7, type: "private" },
      from: { ...mina, is_bot: false },
      text: "/list",
    };
    const post = (token: string): Promise<Response> =>
      fetch(`${url}/chats/telegram`, {
        method: "POST",
        headers: { "x-telegram-bot-api-secret-token": token },
        body: JSON.stringify({ update_id: 1, message }),
      });
    assert.equal((await post("another")).status, 401);
    assert.equal((await post(secret)).status, 200);
    await seen(({ chat }) => chat === 7);
    assert.equal((await fetch(`${url}/chats/slack`, { method: "POST" })).status, 404);
  });
});

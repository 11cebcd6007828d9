import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { chatFixture, commands, type ChatFixture } from "../../../test/chat-fixture.ts";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { telegramServer, type TelegramServer } from "../../testing/chats/telegram-server.ts";
import type { TelegramMessage } from "../../testing/chats/telegram-world.ts";
import { telegramApi } from "../channels/telegram-api.ts";
import { telegram } from "../channels/telegram.ts";
import type { Chat, ChatHandler } from "./chat.ts";
import { telegramChat } from "./telegram.ts";

const forum = -1_001_234;
const mina = { id: 7, first_name: "Mina" };
const unlinked = { id: 99, first_name: "Eve" };
const clock = systemClock();
const secret = "a-secret-of-sixteen-letters";

interface Scenario {
  server: TelegramServer;
  fixture: ChatFixture;
  chat: Chat;
  /** The next message of the bot that matches. */
  sent(isIt: (message: TelegramMessage) => boolean): Promise<TelegramMessage>;
  /** Sends a reminder with its buttons, as a delivery does. */
  remind(parts: Partial<Message>): Promise<TelegramMessage>;
}

async function scenario(
  t: TestContext,
  {
    mode = "polling",
    handler,
  }: { mode?: Parameters<typeof telegramChat>[0]["mode"]; handler?: ChatHandler } = {},
): Promise<Scenario> {
  const server = await telegramServer({
    chats: {
      7: { type: "private" },
      99: { type: "private" },
      [forum]: { type: "supergroup", topics: [42, 43] },
      [-5]: { type: "group" },
    },
  });
  t.after(server.close);
  const fetch = safeFetch({
    clock,
    timeoutMs: 60_000,
    bytesMax: 4_000_000,
    allowHosts: [server.host],
  });
  const api = telegramApi({ token: server.token, apiRoot: server.url, fetch });
  const fixture = chatFixture();
  const chat = telegramChat({
    commands,
    api,
    handler: handler ?? fixture.hear,
    log: fixture.log,
    clock,
    mode,
  });
  t.after(() => chat.stop());
  const channel = telegram({ api });
  return {
    server,
    fixture,
    chat,
    async sent(isIt) {
      await server.called(() => server.messages.some(isIt));
      return server.messages.find(isIt) ?? assert.fail();
    },
    async remind(parts) {
      const message: Message = {
        id: "x",
        owner: "mina",
        address: "7",
        text: "tea",
        type: "reminder",
        priority: "normal",
        at: 0,
        maybeRepeat: false,
        language: "en",
        ...parts,
      };
      const { signal } = new AbortController();
      const sent = await channel.send(message, { signal, progress: null, save: async () => {} });
      assert.equal(sent.result, "delivered");
      return server.messages.at(-1) ?? assert.fail();
    },
  };
}

describe("a bot that polls", () => {
  test("shows its menu in both languages, and long-polls", async (t) => {
    const { server, chat } = await scenario(t);
    await chat.start();
    const call = await server.called(({ path }) => path.endsWith("/getUpdates"));
    assert.deepEqual(JSON.parse(call.body), {
      offset: 0,
      limit: 100,
      timeout: 30,
      allowed_updates: ["message", "callback_query"],
    });
    const names = server.commands.get("")?.map(({ command }) => command);
    assert.deepEqual(
      names,
      commands.map(({ name }) => name),
    );
    assert.match(server.commands.get("ko")?.[0]?.description ?? "", /[가-힣]/);
  });
  test("answers in the topic of the message, and nowhere else", async (t) => {
    const { server, fixture, chat, sent } = await scenario(t);
    await chat.start();
    const asked = server.say(forum, mina, "/remind 내일 오후 3시 회의", { thread: 42 });
    const answer = await sent(({ text }) => /회의/.test(text));
    assert.deepEqual([answer.chat, answer.thread], [forum, 42]);
    assert.equal(answer.replyTo, (asked["message"] as { message_id: number }).message_id);
    const [record] = await fixture.live();
    assert.equal(record?.body.target, `telegram:${forum}:42`);
    await server.updates.taken();
    assert.equal(server.messages.length, 1);
  });
  test("handles a repeated update once, and a stranger's update never", async (t) => {
    const { server, fixture, chat, sent } = await scenario(t);
    await chat.start();
    const update = server.say(7, mina, "/remind 10m tea");
    await sent(({ text }) => /tea/.test(text));
    server.updates.again(update);
    server.say(99, unlinked, "/remind 10m x");
    server.say(7, mina, "/list");
    await sent(({ text }) => /in \d+ min: tea/.test(text));
    assert.equal(server.messages.length, 2);
    assert.equal((await fixture.live()).length, 1);
    assert.equal(fixture.lines.filter((line) => line.includes("chat.stranger")).length, 1);
  });
  test("keeps the order in a chat, and no chat waits for another", async (t) => {
    const free = Promise.withResolvers<void>();
    const heard: string[] = [];
    const handler: ChatHandler = async ({ address, content }) => {
      const text = "text" in content ? content.text : "";
      if (address === "7" && text === "1") await free.promise;
      heard.push(`${address} ${text}`);
      return { text: `${address} ${text}` };
    };
    const { server, chat, sent } = await scenario(t, { handler });
    await chat.start();
    server.say(7, mina, "1");
    server.say(7, mina, "2");
    server.say(99, unlinked, "1");
    await sent(({ text }) => text === "99 1");
    assert.deepEqual(heard, ["99 1"]);
    free.resolve();
    await sent(({ text }) => text === "7 2");
    assert.deepEqual(
      server.messages.map(({ text }) => text),
      ["99 1", "7 1", "7 2"],
    );
  });
  test("recognises replies, other bots' commands, and senders behind a chat", async (t) => {
    const inputs: [address: string, content: unknown][] = [];
    const handler: ChatHandler = async (input) => {
      inputs.push([input.address, input.content]);
      return input.address === "7" ? { text: "hello" } : {};
    };
    const { server, chat, sent } = await scenario(t, { handler });
    await chat.start();
    server.say(7, mina, "hi");
    const { id } = await sent(({ text }) => text === "hello");
    server.say(7, mina, "yes", { replyTo: id });
    server.say(-5, mina, "/list@OtherBot");
    server.say(-5, mina, "/list@daybookbot");
    server.say(-5, mina, "@DaybookBot, list");
    server.say(-5, mina, "hi all", { replyTo: 12_345 });
    server.say(forum, mina, "in a topic", { thread: 43 });
    server.say(-5, { ...mina, is_bot: true } as typeof mina, "/list");
    await server.updates.taken();
    // Chats are handled in parallel.
    const byChat = inputs.toSorted(([a], [b]) => Number(b.split(":")[0]) - Number(a.split(":")[0]));
    assert.deepEqual(byChat, [
      ["7", { text: "hi", replyTo: undefined, overheard: false }],
      ["7", { text: "yes", replyTo: id, overheard: false }],
      ["-5", { text: "/list@daybookbot", replyTo: undefined, overheard: true }],
      ["-5", { text: "list", replyTo: undefined, overheard: false }],
      ["-5", { text: "hi all", replyTo: undefined, overheard: true }],
      [`${forum}:43`, { text: "in a topic", replyTo: undefined, overheard: true }],
    ]);
  });
  test("sends a long answer in parts, in order, and retries after a 429", async (t) => {
    const text = `${"가".repeat(3_000)}\n\n${"나".repeat(3_000)}`;
    const { server, chat, sent } = await scenario(t, { handler: async () => ({ text }) });
    await chat.start();
    server.busy(1, 0);
    server.say(7, mina, "hi");
    await sent((message) => message.text.startsWith("나"));
    assert.deepEqual(
      server.messages.map((message) => message.text[0]),
      ["가", "나"],
    );
  });
  test("continues after the service was unreachable", async (t) => {
    const { server, fixture, chat, sent } = await scenario(t);
    server.always(({ number }) => (number < 2 ? "down" : "accept"));
    await chat.start();
    server.say(7, mina, "/help");
    await sent(({ text }) => /Commands/.test(text));
    assert.equal(fixture.lines.filter((line) => line.includes("chat.unheard")).length, 1);
  });
  test("skips unreadable updates", async (t) => {
    const { server, chat, sent } = await scenario(t);
    await chat.start();
    server.updates.again({ update_id: 1, message: { message_id: "x" } });
    server.updates.again({ update_id: 2, callback_query: { id: 5 } });
    server.updates.again({ update_id: 3, message: null });
    server.say(7, mina, "/help");
    await sent(({ text }) => /Commands/.test(text));
  });
});

describe("a button", () => {
  test("moves the reminder, and the message shows it instead of the buttons", async (t) => {
    const { server, fixture, chat, remind } = await scenario(t);
    await chat.start();
    await fixture.say("/remind 10m tea", { address: `${forum}:42` });
    const id = await fixture.delivered(1, `${forum}:42`);
    const { id: message } = await remind({ id, address: `${forum}:42`, text: "**tea** & milk" });
    server.press(message, `10m:${id}`, mina);
    await server.called(({ path }) => path.endsWith("/editMessageText"));
    const shown = server.messages.find((each) => each.id === message);
    assert.match(shown?.text ?? "", /^tea & milk\n\n⏰ Snoozed: .* \(in 10 min\)$/);
    assert.deepEqual(shown?.entities, [{ type: "bold", offset: 0, length: 3 }]);
    assert.deepEqual(shown?.buttons, []);
    assert.match(server.toasts[0]?.text ?? "", /^⏰ Snoozed/);
    const [copy] = await fixture.live();
    assert.equal(copy?.body.target, `telegram:${forum}:42`);
    assert.equal(server.messages.length, 1);
  });
  test("of a stranger, or of another's reminder, leaves the message as it is", async (t) => {
    const { server, fixture, chat, remind } = await scenario(t);
    await chat.start();
    await fixture.say("/remind 10m tea");
    const id = await fixture.delivered(1);
    const { id: message } = await remind({ id, address: "-5" });
    server.press(message, `done:${id}`, unlinked);
    server.press(message, `done:${id}`, { id: 8, first_name: "Jun" });
    await server.called(() => server.toasts.length === 2);
    assert.equal(server.toasts[0]?.text, "");
    assert.match(server.toasts[1]?.text ?? "", /^There is no notification/);
    assert.equal(server.messages[0]?.buttons.length, 4);
  });
  test("sends the mark as a reply when the message has no room", async (t) => {
    const { server, fixture, chat, remind, sent } = await scenario(t);
    await chat.start();
    await fixture.say("/remind 10m tea");
    const id = await fixture.delivered(1);
    const { id: message } = await remind({ id, text: "가".repeat(4_096) });
    server.press(message, `done:${id}`, mina);
    const beside = await sent(({ text }) => text === "✓ Done");
    assert.equal(beside.replyTo, message);
    const shown = server.messages.find((each) => each.id === message);
    assert.deepEqual([shown?.buttons, shown?.text.length], [[], 4_096]);
  });
});

describe("a bot with a webhook", () => {
  const mode = { url: "https://daybook.example/chats/telegram", secret };
  const told = (body: string, given: string | null = secret, method = "POST"): Request =>
    new Request(mode.url, {
      method,
      headers: given === null ? {} : { "x-telegram-bot-api-secret-token": given },
      ...(method === "GET" ? {} : { body }),
    });
  const status = async (chat: Chat, request: Request): Promise<number | undefined> =>
    (await chat.handle?.(request))?.status;

  test("sets its webhook, and accepts only requests with the secret", async (t) => {
    const { server, fixture, chat } = await scenario(t, { mode });
    const from = { id: 7, is_bot: false, first_name: "Mina" };
    const at = { message_id: 5, date: 1, chat: { id: 7, type: "private" } };
    const update = JSON.stringify({
      update_id: 1,
      message: { ...at, from, text: "/remind 10m x" },
    });
    assert.equal(await status(chat, told(update)), 503);
    await chat.start();
    await server.called(({ path }) => path.endsWith("/setMyCommands"));
    assert.equal(server.updates.webhook().url, mode.url);
    for (const wrong of [null, "", "x", `${secret}x`, secret.slice(1)]) {
      assert.equal(await status(chat, told(update, wrong)), 401);
    }
    assert.equal(await status(chat, told("", secret, "GET")), 405);
    assert.equal(await status(chat, told("{")), 400);
    assert.equal(await status(chat, told("x".repeat(1_048_577))), 413);
    for (const odd of ["null", "[]", "{}", '{"update_id":1,"message":{"text":1}}']) {
      assert.equal(await status(chat, told(odd)), 200);
    }
    assert.deepEqual(await fixture.live(), []);
    assert.equal(await status(chat, told(update)), 200);
    assert.equal((await fixture.live()).length, 1);
    assert.equal(await status(chat, told(update)), 200);
    assert.equal((await fixture.live()).length, 1);
    await chat.stop();
    assert.equal(await status(chat, told(update)), 503);
  });
  test("refuses a weak secret", async (t) => {
    const { fixture } = await scenario(t);
    const api = {} as Parameters<typeof telegramChat>[0]["api"];
    for (const wrong of ["", "short", "with spaces and more", "x".repeat(257)]) {
      const bad = { url: mode.url, secret: wrong };
      const make = () =>
        telegramChat({ api, commands, handler: fixture.hear, log: fixture.log, clock, mode: bad });
      assert.throws(make, { code: "invalid" });
    }
  });
  test("has no webhook while it polls", async (t) => {
    const { chat } = await scenario(t);
    assert.equal(await status(chat, told("{}")), 404);
  });
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import { readMarkdown } from "../../platform/markup/read.ts";
import { visible } from "../../platform/markup/runs.ts";
import { chatRig } from "../../testing/channels/chat-rig.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { telegramServer } from "../../testing/chats/telegram-server.ts";
import { telegramApi } from "./telegram-api.ts";
import { telegram } from "./telegram.ts";

const group = -1_001_234_567_890;

async function served(t: TestContext, charsMax?: number) {
  const peer = await telegramServer({
    chats: { 77: { type: "private" }, [group]: { type: "supergroup", topics: [7, 8] } },
  });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const api = telegramApi({ token: peer.token, apiRoot: peer.url, fetch });
  const channel = telegram({ api, ...(charsMax === undefined ? {} : { charsMax }) });
  const send = (part: Partial<Message> = {}, given: Parameters<typeof attempt>[0] = {}) =>
    channel.send({ ...message, ...part }, attempt(given));
  return { peer, fetch, channel, send };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "77",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

channelSuite("telegram", async (t) => {
  const { peer, channel } = await served(t);
  const rig = chatRig(peer);
  return {
    ...rig,
    channel,
    address: "77",
    faults: {
      ...rig.faults,
      "answers ok without a result": () => peer.always({ status: 200, body: '{"ok":true}' }),
      "refuses without a reason": () => peer.always({ status: 200, body: "null" }),
      "answers with control characters": () =>
        peer.always({
          status: 403,
          body: '{"ok":false,"error_code":403,"description":"\\u001b[2J\\u202e"}',
        }),
    },
    missing: 999_999,
    shows: (text) => visible(readMarkdown(text)).replaceAll(/[\u2028-\u202E]/g, ""),
    fails: {
      ...rig.fails,
      refused: () => peer.chat(77, { type: "private", forbidden: "bot was blocked by the user" }),
    },
  };
});

test("a formatted reminder arrives in its topic, with buttons in its owner's language", async (t) => {
  const { peer, send } = await served(t);
  const address = `${group}:7`;
  const text = "**약** & `a<b` [여기](https://a.example/?x=%22)";
  const sent = await send({ address, text, language: "ko" });
  assert.deepEqual(sent, {
    result: "delivered",
    receipt: { chat: group, thread: 7, messages: [peer.messages[0]?.id] },
  });
  const [shown] = peer.messages;
  assert.equal(shown?.chat, group);
  assert.equal(shown?.thread, 7);
  assert.equal(shown?.text, "약 & a<b 여기");
  assert.deepEqual(
    shown?.entities.map(({ type }) => type),
    ["bold", "code", "text_link"],
  );
  assert.deepEqual(
    shown?.buttons.map((button) => button.text),
    ["완료", "10분", "1시간", "내일"],
  );
  assert.equal(shown?.buttons[0]?.data, `done:${message.id}`);
  const form = JSON.parse(peer.calls[0]?.body ?? "{}") as Record<string, unknown>;
  assert.deepEqual(form["link_preview_options"], { is_disabled: true });
  assert.equal("disable_notification" in form, false);
});

test("system messages have no buttons, and low priority is silent", async (t) => {
  const { peer, send } = await served(t);
  await send({ type: "notice", priority: "low" });
  assert.deepEqual(peer.messages[0]?.buttons, []);
  assert.match(peer.calls[0]?.body ?? "", /"disable_notification":true/);
});

test("a long text with a long code fence arrives complete, with buttons on its end", async (t) => {
  const { peer, send } = await served(t);
  const fence = "const 가 = '👨‍👩‍👧‍👦' && a < b;\n".repeat(400);
  const text = `# Head\n\n${"*word* 👍🏽 ".repeat(200)}\n\n\`\`\`ts\n${fence}\`\`\`\n\n_end_`;
  const sent = await send({ text });
  assert.equal(sent.result, "delivered", JSON.stringify(sent));
  const solid = (from: string): string => from.replaceAll(/\s/g, "");
  const seen = peer.messages.map((each) => each.text).join("");
  assert.equal(solid(seen), solid(visible(readMarkdown(text))));
  assert.ok(peer.messages.length > 2);
  const withButtons = peer.messages.filter(({ buttons }) => buttons.length > 0);
  assert.deepEqual(withButtons, [peer.messages.at(-1)]);
  const languages = peer.messages.flatMap(({ entities }) => entities.map((each) => each.language));
  assert.ok(languages.filter((each) => each === "ts").length > 1, "the fence continues as code");
});

test("refused markup is sent again as plain text", async (t) => {
  const { peer, send } = await served(t);
  const description = "Bad Request: can't parse entities: Unsupported start tag";
  peer.next({ status: 400, body: JSON.stringify({ ok: false, error_code: 400, description }) });
  const sent = await send({ text: "**a** < b" });
  assert.equal(sent.result, "delivered", JSON.stringify(sent));
  assert.equal(peer.messages[0]?.text, "a < b");
  assert.deepEqual(peer.messages[0]?.entities, []);
  assert.equal(peer.messages[0]?.buttons.length, 4);
});

test("a text refused with and without markup is rejected after two calls", async (t) => {
  const { peer, send } = await served(t);
  const description = "Bad Request: can't parse entities";
  peer.always({ status: 400, body: JSON.stringify({ ok: false, error_code: 400, description }) });
  assert.equal((await send()).result, "rejected");
  assert.equal(peer.calls.length, 2);
});

test("a moved chat is followed at once, and the receipt has its new id", async (t) => {
  const { peer, send } = await served(t, 20);
  peer.chat(-55, { type: "group", migratedTo: group });
  const sent = await send({ address: "-55", text: "one two three four five six seven eight" });
  const messages = peer.messages.map(({ id }) => id);
  assert.ok(messages.length > 1);
  assert.deepEqual(sent, {
    result: "delivered",
    receipt: { chat: group, movedFrom: -55, messages },
  });
  assert.equal(peer.calls.length, messages.length + 1, "the old id is called once");
});

test("a chat that moves in a circle is rejected", async (t) => {
  const { peer, send } = await served(t);
  peer.chat(-55, { type: "group", migratedTo: -56 });
  peer.chat(-56, { type: "group", migratedTo: -55 });
  const sent = await send({ address: "-55" });
  assert.equal(sent.result, "rejected");
  assert.equal(peer.calls.length, 2);
});

test("each refusal has a plain reason", async (t) => {
  const { peer, send } = await served(t);
  const cases: [address: string, reason: RegExp][] = [
    ["1", /the chat does not exist.*add the bot/],
    [`${group}:9`, /the topic is deleted/],
    ["2", /blocked the bot.*unblock/],
    ["3", /removed from the chat.*add it/],
    ["4", /account is deleted/],
    ["5", /never wrote to the bot.*\/start/],
    ["0", /is not a Telegram chat/],
    ["77:x", /is not a Telegram chat/],
  ];
  peer.chat(2, { type: "private", forbidden: "bot was blocked by the user" });
  peer.chat(3, { type: "group", forbidden: "bot was kicked from the supergroup chat" });
  peer.chat(4, { type: "private", forbidden: "user is deactivated" });
  peer.chat(5, { type: "private", forbidden: "bot can't initiate conversation with a user" });
  for (const [address, reason] of cases) {
    const sent = await send({ address });
    assert.equal(sent.result, "rejected", address);
    assert.match("reason" in sent ? sent.reason : "", reason);
  }
  assert.deepEqual(peer.messages, []);
});

test("a wrong token has its own reason", async (t) => {
  const { peer, fetch } = await served(t);
  const api = telegramApi({ token: "1:wrong", apiRoot: peer.url, fetch });
  const sent = await telegram({ api }).send(message, attempt());
  assert.equal(sent.result, "rejected");
  assert.match("reason" in sent ? sent.reason : "", /DAYBOOK_TELEGRAM_TOKEN/);
});

test("an unsent request is retried, and a sent one is unknown", async (t) => {
  const { peer, send } = await served(t);
  peer.next("lose", "down", { status: 502, body: "<html>bad gateway" });
  assert.equal((await send()).result, "unknown");
  assert.equal((await send()).result, "unknown");
  const gateway = await send();
  assert.deepEqual(gateway, {
    result: "retry",
    reason: "Telegram answered 502: <html>bad gateway",
    destinationDown: true,
  });
  await peer.close();
  const refused = await send();
  assert.deepEqual({ ...refused, reason: "" }, { ...gateway, reason: "" });
});

test("an answer over the size limit still counts by its status", async (t) => {
  const { peer, send } = await served(t);
  const body = "x".repeat(1_100_000);
  peer.next({ status: 200, body }, { status: 500, body });
  assert.equal((await send()).result, "unknown");
  assert.deepEqual(await send(), {
    result: "retry",
    reason: "Telegram answered 500",
    destinationDown: true,
  });
});

test("a retry resumes at the failed part, with any readable progress", async (t) => {
  const { peer, send } = await served(t, 20);
  const text = "one two three four five six seven eight nine ten";
  const saved: Json[] = [];
  const save = async (progress: Json): Promise<void> => void saved.push(progress);
  peer.next("accept");
  peer.busy(1, 9);
  const first = await send({ text }, { save });
  assert.equal(first.result, "retry");
  assert.equal("afterMs" in first ? first.afterMs : 0, 9_000);
  const second = await send({ text }, { save, progress: saved.at(-1) ?? null });
  const messages = peer.messages.map(({ id }) => id);
  assert.deepEqual(second, { result: "delivered", receipt: { chat: 77, messages } });
  const words = peer.messages.flatMap((each) => each.text.split(" "));
  assert.deepEqual(words, text.split(" "));
});

test("a missing package names what to install, and the message is retried", async (t) => {
  const { peer, fetch } = await served(t);
  const load = () => Promise.reject(new Error("Cannot find package"));
  const api = telegramApi({ token: peer.token, apiRoot: peer.url, fetch, load });
  const sent = await telegram({ api }).send(message, attempt());
  assert.equal(sent.result, "retry");
  assert.match("reason" in sent ? sent.reason : "", /npm install grammy/);
});

test("the port's other calls reach the service", async (t) => {
  const { peer, fetch } = await served(t);
  const api = telegramApi({ token: peer.token, apiRoot: peer.url, fetch });
  assert.equal((await api.getMe({})).username, "DaybookBot");
  peer.say(77, { id: 5, first_name: "Mina" }, "/list");
  const [update] = await api.getUpdates({ timeout: 0 });
  assert.equal(update?.message?.text, "/list");
  const stopping = new AbortController();
  const polling = api.getUpdates(
    { offset: (update?.update_id ?? 0) + 1, timeout: 30 },
    stopping.signal,
  );
  await peer.called(({ body }) => body.includes('"timeout":30'));
  stopping.abort();
  await assert.rejects(polling, { code: "unavailable" });
  await api.setMyCommands({ commands: [{ command: "list", description: "what waits" }] });
  assert.equal(peer.commands.get("")?.length, 1);
  const gone = api.editMessageText({ chat_id: 77, message_id: 9, text: "x" });
  const description = "Bad Request: message to edit not found";
  await assert.rejects(gone, {
    code: "refused",
    details: { sent: true, status: 400, description, afterMs: undefined, movedTo: undefined },
  });
});

test("long output is delivered whole: as many messages as it needs, then a file, never a terminal command", async (t) => {
  const { peer, send } = await served(t, 300);
  const address = `${group}:7`;
  const line = "한 줄 & another line of output\n";
  const many = line.repeat(100);
  assert.equal((await send({ address, text: many, type: "run" })).result, "delivered");
  const solid = (text: string): string => text.replaceAll(/\s/g, "");
  assert.equal(solid(peer.messages.map(({ text }) => text).join("")), solid(many));
  assert.ok(peer.messages.length > 5 && peer.messages.length <= 20);
  const before = peer.messages.length;

  const follows = "01980000-0000-7000-8000-00000000abcd";
  const text = line.repeat(20_000);
  const sent = await send({ address, text, type: "run", follows });
  const [first, file, ...others] = peer.messages.slice(before);
  assert.deepEqual(others, []);
  assert.ok(text.startsWith(first?.text ?? "?"));
  assert.deepEqual(file?.document, { name: "output-0000abcd.txt", content: text });
  assert.deepEqual([file?.thread, file?.text], [7, "The complete text"]);
  const receipt = { chat: group, thread: 7, messages: [first?.id, file?.id] };
  assert.deepEqual(sent, { result: "delivered", receipt });
  assert.doesNotMatch(JSON.stringify(peer.messages.map((each) => each.text)), /daybook/);
});

test("a file that is refused has Telegram's reason, and a group that moved gets it", async (t) => {
  const { peer, send } = await served(t, 300);
  const text = "word ".repeat(20_000);
  peer.chat(77, { type: "group", migratedTo: group });
  assert.equal((await send({ text, type: "run" })).result, "delivered");
  assert.equal(peer.messages.at(-1)?.document?.content, text);
  const again = {
    progress: null,
    save: async () => peer.chat(78, { type: "private", forbidden: "bot was blocked by the user" }),
  };
  peer.chat(78, { type: "private" });
  const refused = await send({ address: "78", text, type: "run" }, again);
  assert.match(JSON.stringify(refused), /rejected.*part 2 of 2: the person has blocked the bot/);
});

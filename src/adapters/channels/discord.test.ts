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
import { discordServer } from "../../testing/chats/discord-server.ts";
import { discord } from "./discord.ts";

const place = "1234567890123456789";

async function served(t: TestContext) {
  const peer = await discordServer({ channels: { [place]: {} } });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const options = { fetch, now: Date.now, token: peer.token, apiUrl: peer.apiUrl };
  const channel = discord(options);
  const send = (part: Partial<Message> = {}, given: Parameters<typeof attempt>[0] = {}) =>
    channel.send({ ...message, ...part }, attempt(given));
  return { peer, options, channel, send };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: place,
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

function bodyOf(call: { readonly body: string } | undefined): Record<string, unknown> {
  return JSON.parse(call?.body ?? "{}") as Record<string, unknown>;
}

channelSuite("discord", async (t) => {
  const { peer, channel } = await served(t);
  const rig = chatRig(peer);
  return {
    ...rig,
    channel,
    address: place,
    keys: () => peer.calls.map((call) => String(bodyOf(call)["nonce"])),
    faults: {
      ...rig.faults,
      "answers with control characters": () =>
        peer.always({ status: 403, body: "\u001B[2J\u202E\u0000" }),
    },
    missing: "9999999999999999999",
    shows: (text) => visible(readMarkdown(text)),
    fails: {
      ...rig.fails,
      refused: () => peer.channel(place, { error: "Missing Access" }),
    },
  };
});

test("a reminder arrives without mentions, with buttons in its owner's language", async (t) => {
  const { peer, send } = await served(t);
  const sent = await send({ text: "**약** @everyone <@1>", language: "ko" });
  const [shown] = peer.messages;
  const receipt = { channel: place, messages: [shown?.id] };
  assert.deepEqual(sent, { result: "delivered", receipt });
  assert.equal(shown?.text.replaceAll("\u200B", ""), "약 @everyone <@1>");
  assert.deepEqual(shown?.pings, []);
  assert.deepEqual(
    shown?.buttons.map((button) => button.text),
    ["완료", "10분", "1시간", "내일"],
  );
  assert.equal(shown?.buttons[0]?.data, `done:${message.id}`);
  const { allowed_mentions: mentions, flags } = bodyOf(peer.calls[0]);
  assert.deepEqual(mentions, { parse: [] });
  assert.equal(flags, 4);
});

test("system messages have no buttons, and low priority is silent", async (t) => {
  const { peer, send } = await served(t);
  await send({ type: "notice", priority: "low" });
  assert.deepEqual(peer.messages[0]?.buttons, []);
  assert.equal(bodyOf(peer.calls[0])["flags"], 4 + 4_096);
});

test("a repeat with the same nonce is dropped, and an edited text has another nonce", async (t) => {
  const { peer, send } = await served(t);
  peer.next("lose");
  assert.equal((await send()).result, "unknown");
  const again = await send({ maybeRepeat: true });
  assert.equal(again.result, "delivered");
  assert.equal(peer.messages.length, 1);
  await send({ text: "edited" });
  assert.deepEqual(
    peer.messages.map(({ text }) => text),
    ["약 먹을 시간", "edited"],
  );
});

test("a long text is sent in parts of 2,000, resumes, and ends with the buttons", async (t) => {
  const { peer, send } = await served(t);
  const text = Array.from({ length: 1_200 }, (_, at) => `*w${at}*`).join(" ");
  const saved: Json[] = [];
  const save = async (progress: Json): Promise<void> => void saved.push(progress);
  peer.next("accept");
  peer.busy(1, 0.5);
  const first = await send({ text }, { save });
  assert.equal(first.result, "retry");
  assert.equal("afterMs" in first ? first.afterMs : 0, 1_000);
  const sent = await send({ text }, { save, progress: saved.at(-1) ?? null });
  const messages = peer.messages.map(({ id }) => id);
  assert.deepEqual(sent, { result: "delivered", receipt: { channel: place, messages } });
  for (const { content } of peer.messages) assert.ok(content.length <= 2_000);
  const words = peer.messages.flatMap((each) => each.text.trim().split(/\s+/));
  assert.equal(words.join(" "), visible(readMarkdown(text)));
  const withButtons = peer.messages.filter(({ buttons }) => buttons.length > 0);
  assert.deepEqual(withButtons, [peer.messages.at(-1)]);
});

test("the rate limit's wait is read from the body, else from the header", async (t) => {
  const { peer, send } = await served(t);
  const cases: [body: string, afterMs: number][] = [
    ['{"message":"You are being rate limited.","retry_after":2.2,"global":true}', 3_000],
    ["error code: 1015", 7_000],
    ["null", 7_000],
    ['{"retry_after":-1}', 7_000],
  ];
  for (const [body, afterMs] of cases) {
    peer.next({ status: 429, headers: { "retry-after": "7" }, body });
    const sent = await send();
    assert.equal(sent.result, "retry");
    assert.equal("afterMs" in sent ? sent.afterMs : 0, afterMs);
  }
});

test("each refusal has a plain reason", async (t) => {
  const { peer, options, send } = await served(t);
  peer.channel("2", { error: "Missing Permissions" });
  peer.channel("3", { error: "Thread is archived" });
  const cases: [address: string, reason: RegExp][] = [
    ["1", /the bot is not in it/],
    ["2", /may not write there.*allow it to send/],
    ["3", /Thread is archived/],
    ["general", /is not a Discord channel/],
    ["1/../2", /is not a Discord channel/],
  ];
  for (const [address, reason] of cases) {
    const sent = await send({ address });
    assert.equal(sent.result, "rejected", address);
    assert.match("reason" in sent ? sent.reason : "", reason);
  }
  const sent = await discord({ ...options, token: "wrong" }).send(message, attempt());
  assert.equal(sent.result, "rejected");
  assert.match("reason" in sent ? sent.reason : "", /DAYBOOK_DISCORD_TOKEN/);
});

test("long output is delivered whole: as many messages as it needs, then a file", async (t) => {
  const { peer, send } = await served(t);
  const line = "한 줄 & another line of output\n";
  assert.equal((await send({ text: line.repeat(300), type: "run" })).result, "delivered");
  const solid = (text: string): string => text.replaceAll(/\s/g, "");
  const seen = peer.messages.map(({ text }) => text).join("");
  assert.equal(solid(seen), solid(line.repeat(300)));
  const before = peer.messages.length;
  assert.ok(before > 3 && before <= 20);
  const text = line.repeat(20_000);
  const sent = await send({ id: "another", text, type: "run", follows: "0000000012345678" });
  const [first, file, ...others] = peer.messages.slice(before);
  assert.deepEqual(others, []);
  assert.deepEqual(file?.file, { name: "output-12345678.txt", content: text });
  assert.equal(file.text, "The complete text");
  const receipt = { channel: place, messages: [first?.id, file.id] };
  assert.deepEqual(sent, { result: "delivered", receipt });
});

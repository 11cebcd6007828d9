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
import { slackServer } from "../../testing/chats/slack-server.ts";
import { slackApi } from "./slack-api.ts";
import { slack } from "./slack.ts";

async function served(t: TestContext) {
  const peer = await slackServer({ channels: { C1: {}, C2: {} }, people: { U1: "D1" } });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const api = slackApi({ token: peer.token, apiUrl: peer.apiUrl, fetch });
  const channel = slack({ api });
  const send = (part: Partial<Message> = {}, given: Parameters<typeof attempt>[0] = {}) =>
    channel.send({ ...message, ...part }, attempt(given));
  return { peer, fetch, api, channel, send };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "C1",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

const says = (error: string) => ({ status: 200, body: JSON.stringify({ ok: false, error }) });

channelSuite("slack", async (t) => {
  const { peer, channel } = await served(t);
  const rig = chatRig(peer);
  return {
    ...rig,
    channel,
    address: "C1",
    faults: {
      ...rig.faults,
      "answers with the token as its error": () => peer.always(says(peer.token)),
      "answers ok without a result": () => peer.always({ status: 200, body: '{"ok":true}' }),
      "says nothing": () => peer.always({ status: 200, body: "null" }),
      "answers with control characters": () => peer.always(says("\u001B[2J\u202E\u0000")),
      "rate limits without a time": () => peer.always({ status: 429 }),
    },
    marked() {
      const { text, buttons } = rig.marked();
      return { text: text.replace("\n", "\n\n"), buttons }; // the mark has a block of its own
    },
    missing: "1.000001",
    shows: (text) => visible(readMarkdown(text)),
    fails: {
      ...rig.fails,
      refused: () => peer.channel("C1", { error: "is_archived" }),
    },
  };
});

test("a reminder arrives in its thread, with buttons in its owner's language", async (t) => {
  const { peer, send } = await served(t);
  const first = await send({ type: "run" });
  const thread = peer.messages[0]?.ts ?? "";
  assert.deepEqual(first, { result: "delivered", receipt: { channel: "C1", messages: [thread] } });
  assert.deepEqual(peer.messages[0]?.buttons, []);
  const text = "**약** & <!channel> <@U1>";
  const sent = await send({ address: `C1:${thread}`, text, language: "ko" });
  const [, shown] = peer.messages;
  const messages = [shown?.ts];
  assert.deepEqual(sent, { result: "delivered", receipt: { channel: "C1", thread, messages } });
  assert.equal(shown?.thread, thread);
  assert.equal(shown?.text, "약 & <!channel> <@U1>");
  assert.deepEqual(shown?.pings, []);
  assert.deepEqual(
    shown?.buttons.map((button) => button.text),
    ["완료", "10분", "1시간", "내일"],
  );
  assert.equal(shown?.buttons[0]?.data, `done:${message.id}`);
  const form = new URLSearchParams(peer.calls[1]?.body);
  assert.equal(form.get("unfurl_links"), "false");
  assert.equal(form.get("unfurl_media"), "false");
});

test("the receipt of a direct message names the channel in Slack's answer", async (t) => {
  const { peer, send } = await served(t);
  const sent = await send({ address: "U1", text: "word ".repeat(1_000) });
  const messages = peer.messages.map(({ ts }) => ts);
  assert.deepEqual(sent, { result: "delivered", receipt: { channel: "D1", messages } });
  assert.ok(messages.length > 1);
  const asked = peer.calls.map(({ body }) => new URLSearchParams(body).get("channel"));
  assert.deepEqual(asked, ["U1", ...messages.slice(1).map(() => "D1")]);
});

test("a long text is sent in blocks within the limit, with buttons on the last", async (t) => {
  const { peer, send } = await served(t);
  const text = `\`\`\`\n${"a < b && 가 👍🏽\n".repeat(600)}\`\`\`\n\n${"& ".repeat(2_000)}`;
  assert.equal((await send({ text })).result, "delivered");
  const withButtons = peer.messages.filter(({ buttons }) => buttons.length > 0);
  assert.deepEqual(withButtons, [peer.messages.at(-1)]);
  for (const { source } of peer.messages) assert.ok(source.text.length <= 3_000);
  assert.ok(peer.messages.length > 3);
});

test("each refusal of Slack maps to its result", async (t) => {
  const { peer, send } = await served(t);
  const cases: [error: string, result: string, reason: RegExp][] = [
    ["channel_not_found", "rejected", /the channel does not exist.*\(channel_not_found\)/],
    ["is_archived", "rejected", /archived/],
    ["not_in_channel", "rejected", /invite it/],
    ["account_inactive", "rejected", /DAYBOOK_SLACK_TOKEN/],
    ["invalid_auth", "rejected", /DAYBOOK_SLACK_TOKEN/],
    ["missing_scope", "rejected", /chat:write/],
    ["constructor", "rejected", /refused the message \(constructor\)/],
    ["service_unavailable", "retry", /service_unavailable/],
    ["internal_error", "unknown", /internal_error/],
    ["fatal_error", "unknown", /fatal_error/],
  ];
  for (const [error, result, reason] of cases) {
    peer.next(says(error));
    const sent = await send();
    assert.equal(sent.result, result, error);
    assert.match("reason" in sent ? sent.reason : "", reason);
  }
  assert.deepEqual(peer.messages, []);
});

test("an invalid address is rejected before any call", async (t) => {
  const { peer, send } = await served(t);
  for (const address of ["general", "C1:now", "C1:1.2", "#C1"]) {
    const sent = await send({ address });
    assert.equal(sent.result, "rejected");
    assert.match("reason" in sent ? sent.reason : "", /is not a Slack channel/);
  }
  assert.deepEqual(peer.calls, []);
});

test("a rate limit is retried after Slack's time, or after half a minute", async (t) => {
  const { peer, send } = await served(t);
  peer.busy(1, 9);
  peer.next({ status: 429, body: "" });
  const description = {
    result: "retry",
    reason: "Slack answered 429: ratelimited",
    destinationDown: true,
  };
  assert.deepEqual(await send(), { ...description, afterMs: 9_000 });
  assert.deepEqual(await send(), { ...description, afterMs: 30_000 });
});

test("an unsent request is retried, and a sent one is unknown", async (t) => {
  const { peer, send } = await served(t);
  peer.next("lose", { status: 502, body: "<html>" });
  assert.equal((await send()).result, "unknown");
  assert.equal(peer.messages.length, 1);
  const down = { result: "retry", reason: "", destinationDown: true };
  assert.deepEqual({ ...(await send()), reason: "" }, down);
  await peer.close();
  assert.deepEqual({ ...(await send()), reason: "" }, down);
});

test("a retry resumes at the failed part", async (t) => {
  const { peer, send } = await served(t);
  const text = Array.from({ length: 1_000 }, (_, at) => `word${at}`).join(" ");
  const saved: Json[] = [];
  const save = async (progress: Json): Promise<void> => void saved.push(progress);
  peer.next("accept", "down");
  assert.equal((await send({ text }, { save })).result, "unknown");
  const sent = await send({ text }, { save, progress: saved.at(-1) ?? null });
  const messages = peer.messages.map(({ ts }) => ts);
  assert.deepEqual(sent, { result: "delivered", receipt: { channel: "C1", messages } });
  const words = peer.messages.flatMap((each) => each.text.trim().split(/\s+/));
  assert.deepEqual(words, text.split(" "));
});

test("a missing package names what to install, and the message is retried", async (t) => {
  const { peer, fetch } = await served(t);
  const load = () => Promise.reject(new Error("Cannot find package"));
  const api = slackApi({ token: peer.token, apiUrl: peer.apiUrl, fetch, load });
  const sent = await slack({ api }).send(message, attempt());
  assert.equal(sent.result, "retry");
  assert.match("reason" in sent ? sent.reason : "", /npm install @slack\/web-api/);
});

test("the port's other calls reach the service", async (t) => {
  const { peer, api } = await served(t);
  assert.deepEqual(await api.authTest(), { user_id: "UBOT", team_id: "T1" });
  const { channel, ts } = await api.post({ channel: "C1", text: "one" });
  await api.update({ channel, ts, text: "two" });
  assert.equal(peer.messages[0]?.text, "two");
  await api.postEphemeral({ channel, user: "U1", text: "psst" });
  assert.deepEqual(peer.whispers, [{ user: "U1", text: "psst" }]);
  const gone = api.update({ channel, ts: "1.000000", text: "x" });
  const details = { sent: true, status: 200, description: "message_not_found" };
  await assert.rejects(gone, { code: "refused", details });
});

test("a follow-up is sent in the thread of its message", async (t) => {
  const { peer, channel, send } = await served(t);
  const first = await send({ address: "U1" });
  assert.ok(first.result === "delivered");
  const address = channel.threadOf?.("U1", first.receipt) ?? assert.fail("there is no thread");
  assert.equal((await send({ address })).result, "delivered");
  const [began = assert.fail(), inThread = assert.fail()] = peer.messages;
  assert.deepEqual([began.channel, inThread.channel, inThread.thread], ["D1", "D1", began.ts]);
});

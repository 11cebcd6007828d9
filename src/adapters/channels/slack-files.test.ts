import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import { attempt } from "../../testing/channels/conformance.ts";
import { slackServer } from "../../testing/chats/slack-server.ts";
import { slackApi } from "./slack-api.ts";
import { slack } from "./slack.ts";

const line = "한 줄 & another line of output\n";
const text = line.repeat(20_000);

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "C1",
  text,
  type: "run",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
  follows: "01980000-0000-7000-8000-00000000abcd",
};

async function served(t: TestContext, more: Parameters<typeof slackServer>[0] = {}) {
  const peer = await slackServer({ channels: { C1: {} }, people: { U1: "D1" }, ...more });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const channel = slack({ api: slackApi({ token: peer.token, apiUrl: peer.apiUrl, fetch }) });
  const saved: Json[] = [];
  const save = async (progress: Json): Promise<void> => void saved.push(progress);
  /** Each call goes on from what the one before saved. */
  const send = (part: Partial<Message> = {}) =>
    channel.send({ ...message, ...part }, attempt({ save, progress: saved.at(-1) ?? null }));
  const steps = () => peer.calls.map(({ path }) => path.replace(/^\/(api|upload)\/|\/F\d+$/g, ""));
  return { peer, channel, send, steps };
}

const [post, name, bytes, show] = [
  "chat.postMessage",
  "files.getUploadURLExternal",
  "v1",
  "files.completeUploadExternal",
];

test("long output ends as a file in its thread, and a terminal command is never named", async (t) => {
  const { peer, channel, send, steps } = await served(t);
  const solid = (given: string): string => given.replaceAll(/\s/g, "");
  assert.equal((await send({ text: line.repeat(400) })).result, "delivered");
  assert.equal(solid(peer.messages.map((each) => each.text).join("")), solid(line.repeat(400)));
  const [{ ts: thread } = assert.fail()] = peer.messages;
  const before = peer.messages.length;
  assert.ok(before > 3 && before <= 20);

  const sent = await send({ id: "another", address: `C1:${thread}` });
  const [first = assert.fail(), file = assert.fail(), ...others] = peer.messages.slice(before);
  assert.deepEqual(others, []);
  assert.ok(first.text.length > 1_000 && text.startsWith(first.text));
  assert.deepEqual(file.file, { id: "F00000001", name: "output-0000abcd.txt", content: text });
  assert.deepEqual([file.channel, file.thread, file.text], ["C1", thread, "The complete text"]);
  const receipt = { channel: "C1", thread, messages: [first.ts], file: "F00000001" };
  assert.deepEqual(sent, { result: "delivered", receipt });
  assert.equal(channel.threadOf?.("C1", receipt), `C1:${thread}`);
  assert.deepEqual(steps().slice(-4), [post, name, bytes, show]);
  assert.doesNotMatch(JSON.stringify(peer.messages.map((each) => each.text)), /daybook|\/output/);
});

test("a person's file goes to the channel that the bot has with them, also on a retry", async (t) => {
  const { peer, send, steps } = await served(t);
  peer.next("accept", "accept", { status: 503, body: "" });
  const down = await send({ address: "U1" });
  const reason = "part 2 of 2: Slack answered 503";
  assert.deepEqual(down, { result: "retry", reason, destinationDown: true });
  const sent = await send({ address: "U1" });
  const [first, file] = peer.messages;
  assert.deepEqual([first?.channel, file?.channel, file?.file?.content], ["D1", "D1", text]);
  const receipt = { channel: "D1", messages: [first?.ts], file: file?.file?.id };
  assert.deepEqual(sent, { result: "delivered", receipt });
  assert.deepEqual(steps(), [post, name, bytes, name, bytes, show]);
});

test("a file is uploaded again after any failure before it is shown, and shown once", async (t) => {
  const cases = [
    ["lose"],
    ["down"],
    [{ status: 200, body: '{"ok":false,"error":"internal_error"}' }],
    [{ status: 200, body: '{"ok":true}' }],
    ["accept", "lose"],
    ["accept", "down"],
    ["accept", { status: 500, body: "" }],
    ["accept", "accept", { status: 200, body: '{"ok":false,"error":"service_unavailable"}' }],
  ] as const;
  for (const failures of cases) {
    const { peer, send } = await served(t);
    peer.next("accept", ...failures);
    const first = await send();
    assert.equal(first.result, "retry", JSON.stringify([failures, first]));
    assert.equal((await send()).result, "delivered");
    assert.deepEqual(
      peer.messages.map(({ file }) => file?.content),
      [undefined, text],
    );
  }
});

test("a lost answer to the last step is unknown, and its retry may show the file twice", async (t) => {
  const { peer, send } = await served(t);
  peer.next("accept", "accept", "accept", "lose");
  assert.equal((await send()).result, "unknown");
  assert.equal((await send({ maybeRepeat: true })).result, "delivered");
  assert.deepEqual(
    peer.messages.map(({ file }) => file?.id),
    [undefined, "F00000001", "F00000002"],
  );
});

test("each step of a file waits as long as Slack says", async (t) => {
  const busy = { status: 429, headers: { "retry-after": "9" }, body: '{"ok":false}' };
  for (const skip of [1, 2, 3]) {
    const { peer, send } = await served(t);
    peer.next(...Array.from({ length: skip }, () => "accept" as const), busy);
    const { reason: _, ...sent } = (await send()) as { reason: string };
    assert.deepEqual(sent, { result: "retry", afterMs: 9_000, destinationDown: true });
  }
});

test("a refused file says what to do: a missing scope, the workspace's rules, a closed channel", async (t) => {
  const withoutFiles = await served(t, { scopes: ["chat:write"] });
  assert.deepEqual(await withoutFiles.send(), {
    result: "rejected",
    reason:
      "part 2 of 2: the app lacks the scope files:write: add it, and install the app again (missing_scope)",
  });
  assert.ok(text.startsWith(withoutFiles.peer.messages[0]?.text ?? "?"), "its beginning is there");
  const refusals = [
    [1, "file_uploads_disabled", /the workspace does not take the file/],
    [3, "is_archived", /the channel is archived/],
  ] as const;
  for (const [skip, error, reason] of refusals) {
    const { peer, send } = await served(t);
    const says = { status: 200, body: JSON.stringify({ ok: false, error }) };
    peer.next(...Array.from({ length: skip }, () => "accept" as const), says);
    const sent = await send();
    assert.equal(sent.result, "rejected");
    assert.match("reason" in sent ? sent.reason : "", reason);
  }
});

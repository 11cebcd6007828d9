import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { Json } from "../../platform/json.ts";
import { harmless } from "../../platform/text.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { ntfyServer } from "../../testing/channels/ntfy-server.ts";
import { failsOf, type Received } from "../../testing/channels/receiver.ts";
import { ntfy, type NtfyAction } from "./ntfy.ts";

const token = "tk_0123456789abcdefghijklmnopqrs";
const now = (): number => 1_800_000_000_000;

async function served(t: TestContext, actions?: (message: Message) => readonly NtfyAction[]) {
  const peer = await ntfyServer({ token });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 16_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [peer.host] });
  const given = { fetch, now, server: peer.url };
  const channel = ntfy({ ...given, token, ...(actions === undefined ? {} : { actions }) });
  const strange = ntfy({ ...given, token: "tk_wrong" });
  return { peer, channel, strange };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "my_topic-1",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

function bodyOf(request: Received | undefined): Record<string, unknown> {
  return JSON.parse(request?.body.toString() ?? "null") as Record<string, unknown>;
}

channelSuite("ntfy", async (t) => {
  const { peer, channel } = await served(t);
  return {
    channel,
    address: "my_topic-1",
    secret: token,
    sentCount: () => peer.requests.length,
    keys: () => peer.requests.map((request) => String(bodyOf(request)["sequence_id"])),
    hang() {
      peer.always("hang");
      return peer.request(0);
    },
    faults: {
      "repeats the token": () => peer.always({ status: 400, body: `bad: ${token}` }),
      "is down and repeats the token": () => peer.always({ status: 503, body: token }),
      "is not ntfy": () => peer.always({ status: 200, body: "<html>" }),
      "answers with control characters": () =>
        peer.always({ status: 403, body: "\u001B[2J\u202E\u0000" }),
      "refuses the connection": () => peer.close(),
      resets: () => peer.always("reset"),
    },
    seen: () => peer.accepted.map((request) => String(bodyOf(request)["message"])),
    shows: harmless,
    fails: failsOf(peer),
  };
});

test("a message is published, and the receipt is the server's id", async (t) => {
  const { peer, channel } = await served(t);
  const sent = await channel.send({ ...message, maybeRepeat: true }, attempt());
  assert.deepEqual(sent, { result: "delivered", receipt: { id: "ntfy00000001" } });
  assert.equal(peer.accepted[0]?.headers["authorization"], `Bearer ${token}`);
  assert.deepEqual(bodyOf(peer.accepted[0]), {
    topic: "my_topic-1",
    message: "약 먹을 시간",
    priority: 3,
    sequence_id: message.id,
    tags: ["repeat"],
  });
});

test("a text cannot control the app that shows it", async (t) => {
  const { peer, channel } = await served(t);
  await channel.send({ ...message, text: "a\u001B[2J\nb\u202Ec" }, attempt());
  assert.equal(bodyOf(peer.accepted[0])["message"], "a�[2J\nb�c");
});

test("each priority maps to one of ntfy's", async (t) => {
  const { peer, channel } = await served(t);
  for (const priority of ["low", "normal", "high"] as const) {
    await channel.send({ ...message, priority }, attempt());
  }
  assert.deepEqual(
    peer.accepted.map((request) => bodyOf(request)["priority"]),
    [2, 3, 5],
  );
});

test("a long text is sent in parts within the server's byte limit", async (t) => {
  const { peer, channel } = await served(t);
  for (const text of ["가나다라 ".repeat(1_000), `x${'"\n'.repeat(3_000)}x`, "😀".repeat(3_000)]) {
    const sent = await channel.send({ ...message, text }, attempt());
    assert.equal(sent.result, "delivered", JSON.stringify(sent));
    const parts = peer.accepted.slice(-(sent.receipt as Json[]).length).map(bodyOf);
    const solid = (from: string): string => from.replaceAll(/\s/g, "");
    assert.equal(solid(parts.map((part) => part["message"]).join("")), solid(text));
  }
  assert.equal(peer.accepted.length, peer.requests.length);
  const names = peer.accepted
    .slice(0, 2)
    .map((request) => [bodyOf(request)["sequence_id"], bodyOf(request)["title"]]);
  assert.deepEqual(names, [
    [message.id, "1 / 4"],
    [`${message.id}-2`, "2 / 4"],
  ]);
});

test("a retry of a long text resumes at the failed part", async (t) => {
  const { peer, channel } = await served(t);
  const text = "가나다라 ".repeat(1_000);
  let progress: Json = null;
  const save = async (noted: Json): Promise<void> => void (progress = noted);
  peer.next("accept", { status: 429 });
  const first = await channel.send({ ...message, text }, attempt({ save }));
  assert.deepEqual(first, {
    result: "retry",
    reason: "part 2 of 4: the receiver answered 429",
    destinationDown: true,
  });
  const second = await channel.send({ ...message, text }, attempt({ progress, save }));
  assert.equal(second.result, "delivered");
  assert.deepEqual(
    peer.accepted.map((request) => bodyOf(request)["title"]),
    ["1 / 4", "2 / 4", "3 / 4", "4 / 4"],
  );
});

test("the last part has the message's buttons, three at most", async (t) => {
  const seen: Message[] = [];
  const button = (label: string): NtfyAction => ({
    action: "http",
    label,
    url: "https://book.example/done",
    clear: true,
  });
  const { peer, channel } = await served(t, (message) => {
    seen.push(message);
    return ["a", "b", "c", "d"].map(button);
  });
  const long = { ...message, text: "word ".repeat(1_000) };
  await channel.send(long, attempt());
  assert.deepEqual(
    peer.accepted.map((request) => bodyOf(request)["actions"]),
    [undefined, ["a", "b", "c"].map(button)],
  );
  assert.deepEqual(seen, [long]);
});

test("a token without write access is rejected with advice", async (t) => {
  const { strange } = await served(t);
  const sent = await strange.send(message, attempt());
  assert.equal(sent.result, "rejected");
  assert.match(
    "reason" in sent ? sent.reason : "",
    /^the receiver answered 403: give the channel a token with write access to the topic: .*forbidden/,
  );
});

test("an invalid topic is rejected before sending", async (t) => {
  const { peer, channel } = await served(t);
  for (const address of ["a/b", "x".repeat(65), "주제", "a?b"]) {
    assert.equal((await channel.send({ ...message, address }, attempt())).result, "rejected");
  }
  assert.deepEqual(peer.requests, []);
});

test("a success without an id is unknown", async (t) => {
  const { peer, channel } = await served(t);
  peer.next({ status: 200, body: "<html>welcome" });
  const sent = await channel.send(message, attempt());
  assert.equal(sent.result, "unknown");
  assert.match("reason" in sent ? sent.reason : "", /check that it is an ntfy server/);
});

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { handClock } from "../../../test/hand-clock.ts";
import type { Message } from "../../features/notifications/channel.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch, type SafeFetchOptions } from "../../platform/fetch.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { failsOf, type Behaviour, type Receiver } from "../../testing/channels/receiver.ts";
import { webhookReceiver } from "../../testing/channels/webhook-receiver.ts";
import { webhook, type WebhookTarget } from "./webhook.ts";

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
const now = (): number => 1_800_000_000_500;

interface Given {
  hook?: WebhookTarget;
  find?(owner: string, id: string): Promise<WebhookTarget | undefined>;
  fetch?: Partial<SafeFetchOptions>;
}

async function hooked(t: TestContext, given: Given = {}) {
  const peer = await webhookReceiver({ secret, now });
  t.after(peer.close);
  const limits = { clock: systemClock(), timeoutMs: 5_000, bytesMax: 1_000 };
  const hook = given.hook ?? { url: peer.url, secret };
  const channel = webhook({
    fetch: safeFetch({ ...limits, allowHosts: [peer.host], ...given.fetch }),
    find: given.find ?? (async (owner, id) => (owner === "me" && id === "h1" ? hook : undefined)),
    now,
  });
  const send = (part: Partial<Message> = {}) => channel.send({ ...message, ...part }, attempt());
  return { peer, channel, send };
}

const message: Message = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  address: "h1",
  text: "약",
  type: "deadline_alert",
  priority: "high",
  at: 1_799_999_999_000,
  maybeRepeat: false,
  language: "en",
};

channelSuite("webhook", async (t) => {
  const { peer, channel } = await hooked(t);
  return {
    channel,
    address: "h1",
    secret: secret.slice("whsec_".length),
    sentCount: () => peer.requests.length,
    keys: () => peer.requests.map(({ headers }) => headers["webhook-id"] ?? ""),
    hang() {
      peer.always("hang");
      return peer.request(0);
    },
    faults: {
      "repeats the secret": () => peer.always({ status: 400, body: `your key is ${secret}` }),
      "answers with control characters": () =>
        peer.always({ status: 500, body: "\u001B[2J\u202E\u0000" }),
      "answers with invalid UTF-8": () => peer.always({ status: 404, body: "\uDC00\uFFFF" }),
      "refuses the connection": () => peer.close(),
      resets: () => peer.always("reset"),
      redirects: () => peer.always({ status: 302, headers: { location: peer.url } }),
    },
    seen: () => peer.accepted.map(({ body }) => saidIn(body)),
    fails: failsOf(peer),
  };
});

function saidIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { data: { message: string } }).data.message;
}

test("a request is signed, and contains the complete message", async (t) => {
  const { peer, send } = await hooked(t);
  const sent = await send({ maybeRepeat: true });
  assert.deepEqual(sent, { result: "delivered", receipt: { status: 200, id: "taken-1" } });
  const [request] = peer.accepted;
  assert.equal(request?.headers["webhook-id"], message.id);
  assert.equal(request?.headers["webhook-timestamp"], "1800000000");
  assert.deepEqual(JSON.parse(request?.body.toString() ?? ""), {
    type: "notification",
    timestamp: "2027-01-15T07:59:59.000Z",
    data: {
      id: message.id,
      message: "약",
      at: "2027-01-15T07:59:59.000Z",
      type: "deadline_alert",
      priority: "high",
      owner: "me",
      maybe_repeat: true,
    },
  });
});

test("a receiver with another secret refuses the request", async (t) => {
  const other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
  const peers: Receiver[] = [];
  const { peer, channel } = await hooked(t, {
    find: async () => ({ url: peers[0]?.url ?? "", secret: other }),
  });
  peers.push(peer);
  const sent = await channel.send(message, attempt());
  assert.equal(sent.result, "rejected");
  assert.match("reason" in sent ? sent.reason : "", /401: .*the signature is wrong/);
  assert.deepEqual(peer.accepted, []);
});

test("each status maps to its result", async (t) => {
  const { peer, send } = await hooked(t);
  const down = { destinationDown: true };
  const cases: [Behaviour, Awaited<ReturnType<typeof send>>][] = [
    [{ status: 204 }, { result: "delivered", receipt: { status: 204 } }],
    [
      { status: 202, body: '{"id": 7}' },
      { result: "delivered", receipt: { status: 202, id: "7" } },
    ],
    [
      { status: 200, body: "<p>ok" },
      { result: "delivered", receipt: { status: 200 } },
    ],
    [
      { status: 410, body: "bye" },
      { result: "rejected", reason: "the receiver is gone" },
    ],
    [
      { status: 404, body: "no\nsuch  page" },
      { result: "rejected", reason: "the receiver answered 404: no such page" },
    ],
    [{ status: 408 }, { result: "retry", reason: "the receiver answered 408" }],
    [{ status: 409 }, { result: "retry", reason: "the receiver answered 409" }],
    [{ status: 425 }, { result: "retry", reason: "the receiver answered 425" }],
    [{ status: 500 }, { result: "retry", reason: "the receiver answered 500", ...down }],
    [
      { status: 429, headers: { "retry-after": "7" } },
      { result: "retry", reason: "the receiver answered 429", afterMs: 7_000, ...down },
    ],
    [
      { status: 503, headers: { "retry-after": "Fri, 15 Jan 2027 08:01:00 GMT" } },
      { result: "retry", reason: "the receiver answered 503", afterMs: 59_500, ...down },
    ],
  ];
  for (const [behaviour, expected] of cases) {
    peer.next(behaviour);
    assert.deepEqual(await send(), expected);
  }
});

test("a receiver's reason is cut after 200 characters", async (t) => {
  const { peer, send } = await hooked(t);
  peer.next(
    { status: 400, body: "가".repeat(300) },
    { status: 200, body: `{"id":"${"x".repeat(900)}"}` },
  );
  const refused = await send();
  assert.equal(
    "reason" in refused && refused.reason.length,
    "the receiver answered 400: ".length + 200,
  );
  const taken = await send();
  assert.ok(taken.result === "delivered");
  assert.equal((taken.receipt as { id: string }).id.length, 200);
});

test("an answer over the size limit still counts by its status", async (t) => {
  const { peer, send } = await hooked(t);
  const body = "x".repeat(5_000);
  peer.next({ status: 200, body }, { status: 500, body });
  assert.deepEqual(await send(), { result: "delivered", receipt: { status: 200 } });
  assert.equal((await send()).result, "retry");
});

test("a connection cut after the message was sent makes it unknown", async (t) => {
  const { peer, send } = await hooked(t);
  peer.next("reset");
  assert.equal((await send()).result, "unknown");
  assert.equal(peer.requests.length, 1);
});

test("a receiver's timeout makes the message unknown, and a slow answer does not", async (t) => {
  const clock = handClock();
  const { peer, send } = await hooked(t, { fetch: { clock, timeoutMs: 1_000 } });
  const released = Promise.withResolvers<void>();
  peer.next("hang", { slowly: released.promise });
  const hanging = send();
  await peer.request(0);
  clock.advance(1_000);
  const sent = await hanging;
  assert.equal(sent.result, "unknown");
  assert.match("reason" in sent ? sent.reason : "", /did not answer within 1000 ms/);
  const slow = send();
  await peer.request(1);
  clock.advance(999);
  released.resolve();
  assert.equal((await slow).result, "delivered");
});

test("an unreachable receiver is down, and gets nothing", async (t) => {
  const { peer, send } = await hooked(t);
  await peer.close();
  const refused = await send();
  assert.deepEqual(
    { ...refused, reason: "" },
    { result: "retry", reason: "", destinationDown: true },
  );
  const lookup = (): Promise<string[]> => Promise.reject(new Error("ENOTFOUND"));
  const unknownName = await hooked(t, {
    hook: { url: "https://a.example/", secret },
    fetch: { lookup },
  });
  const unnamed = await unknownName.send();
  assert.deepEqual(
    { ...unnamed, reason: "" },
    { result: "retry", reason: "", destinationDown: true },
  );
});

test("a timeout before the connection is open means that the receiver is down", async (t) => {
  const clock = handClock();
  const asked = Promise.withResolvers<void>();
  const lookup = (): Promise<string[]> => {
    asked.resolve();
    return new Promise(() => undefined);
  };
  const fetch = { clock, timeoutMs: 1_000, lookup };
  const { send } = await hooked(t, { hook: { url: "https://a.example/", secret }, fetch });
  const sending = send();
  await asked.promise;
  clock.advance(1_000);
  const sent = await sending;
  assert.deepEqual({ ...sent, reason: "" }, { result: "retry", reason: "", destinationDown: true });
});

test("a forbidden address is rejected with the reason", async (t) => {
  const lookup = (): Promise<string[]> => Promise.resolve(["169.254.169.254"]);
  const cases: [url: string, reason: RegExp][] = [
    ["http://127.0.0.1:9/", /not https/],
    ["https://10.0.0.1/", /not on the public internet/],
    ["https://metadata.example/", /not on the public internet/],
    ["ftp://a.example/", /not a web address/],
    ["nonsense", /is not valid/],
  ];
  for (const [url, reason] of cases) {
    const { send } = await hooked(t, { hook: { url, secret }, fetch: { lookup } });
    const sent = await send();
    assert.equal(sent.result, "rejected", url);
    assert.match("reason" in sent ? sent.reason : "", reason);
  }
});

test("another owner's webhook, or an unreadable secret, is rejected", async (t) => {
  const { peer, send } = await hooked(t);
  assert.deepEqual(await send({ owner: "other" }), {
    result: "rejected",
    reason: 'this owner has no webhook "h1": create one, or choose another target',
  });
  const unreadable = await hooked(t, { hook: { url: peer.url, secret: "hunter2" } });
  const sent = await unreadable.send();
  assert.equal(sent.result, "rejected");
  assert.doesNotMatch(JSON.stringify(sent), /hunter2/);
});

test("a failed webhook lookup is retried", async (t) => {
  const { send } = await hooked(t, { find: () => Promise.reject(new Error("database is locked")) });
  assert.deepEqual(await send(), {
    result: "retry",
    reason: "the webhook could not be looked up: database is locked",
  });
});

test("a change is posted with its own time, signed as every message is", async (t) => {
  const { peer, send } = await hooked(t);
  const change = { kind: "event", id: "evt-1", state: "completed", seq: 7, at: 1_799_999_000_000 };
  assert.equal((await send({ change })).result, "delivered");
  const [{ body, headers } = assert.fail()] = peer.accepted;
  assert.equal(headers["webhook-id"], message.id);
  const at = "2027-01-15T07:43:20.000Z";
  assert.deepEqual(JSON.parse(body.toString()), {
    type: "daybook.change",
    timestamp: at,
    data: { ...change, at, maybe_repeat: false },
  });
});

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test, type TestContext } from "node:test";
import { SocketModeClient } from "@slack/socket-mode";
import {
  LogLevel,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from "@slack/web-api";
import { slackServer } from "./slack-server.ts";
import { signedRequest } from "./slack-told.ts";

const jane = { id: "U1", name: "jane" };
const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  setLevel: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setName: () => undefined,
};

async function served(t: TestContext) {
  const server = await slackServer({ channels: { C1: {} }, people: { U1: "D1" } });
  // Ends in reverse order: a client without its server would wait half a minute.
  const ends: (() => Promise<void>)[] = [server.close];
  t.after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  const client = new WebClient(server.token, {
    slackApiUrl: server.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger,
  });
  return { server, client, post: client.chat.postMessage, ends };
}

/** The service's refusal. */
async function refusal(asking: Promise<unknown>): Promise<unknown> {
  const error: unknown = await asking.then(
    () => assert.fail("the call was accepted"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebAPIPlatformError, String(error));
  return error.data.error;
}

const section = (text: string) => ({
  type: "section" as const,
  text: { type: "mrkdwn" as const, text },
});
const actions = {
  type: "actions" as const,
  block_id: "daybook",
  elements: [
    {
      type: "button" as const,
      action_id: "done",
      value: "done:1",
      text: { type: "plain_text" as const, text: "Done" },
    },
  ],
};

test("a message to a person arrives in their direct channel", async (t) => {
  const { server, client, post } = await served(t);
  const sent = await post({
    channel: "U1",
    text: "notice",
    blocks: [section("*약* &lt;!channel&gt; <https://a.example|here>"), actions],
  });
  assert.equal(sent.channel, "D1");
  assert.equal(sent.message?.text, "notice");
  const [message] = server.messages;
  assert.equal(message?.ts, sent.ts);
  assert.equal(message?.text, "약 <!channel> here");
  assert.deepEqual(message?.links, ["https://a.example"]);
  assert.deepEqual(message?.pings, []);
  assert.deepEqual(message?.buttons, [
    { text: "Done", action: "done", data: "done:1", block: "daybook" },
  ]);
  assert.equal((await client.conversations.open({ users: "U1" })).channel?.id, "D1");
  assert.equal((await client.auth.test()).user_id, "UBOT");
});

test("the mentions of a message are recorded", async (t) => {
  const { server, post } = await served(t);
  await post({ channel: "C1", text: "<!channel> <@U1> `<!here>`" });
  assert.deepEqual(server.messages[0]?.pings, ["!channel", "@U1", "!here"]);
});

test("an invalid message is refused with the service's error", async (t) => {
  const { server, client } = await served(t);
  server.channel("C2", { error: "is_archived" });
  server.channel("C3", { error: "not_in_channel" });
  const refused = (form: object) =>
    refusal(client.apiCall("chat.postMessage", { channel: "C1", text: "x", ...form }));
  assert.equal(await refused({ channel: "C9" }), "channel_not_found");
  assert.equal(await refused({ channel: "C2" }), "is_archived");
  assert.equal(await refused({ channel: "C3" }), "not_in_channel");
  assert.equal(await refused({ thread_ts: "1.000001" }), "thread_not_found");
  assert.equal(await refused({ text: "" }), "no_text");
  assert.equal(await refused({ text: "x".repeat(40_001) }), "msg_too_long");
  assert.equal(await refused({ blocks: [section("x".repeat(3_001))] }), "invalid_blocks");
  assert.equal(await refused({ blocks: [actions, actions] }), "invalid_blocks");
  const five = Array.from({ length: 5 }, () => section("x".repeat(2_900)));
  assert.equal(await refused({ blocks: five }), "msg_blocks_too_long");
  assert.equal(await refused({ treadh_ts: "1.1" }), "invalid_arguments");
  assert.equal(await refusal(client.apiCall("chat.shout", {})), "unknown_method");
  const stranger = new WebClient("xoxb-wrong", { slackApiUrl: server.apiUrl, logger });
  assert.equal(await refusal(stranger.auth.test()), "invalid_auth");
  assert.deepEqual(server.messages, []);
});

test("an invalid block is refused with its path", async (t) => {
  const { post } = await served(t);
  const blocks = [section("x".repeat(3_001))];
  const error: unknown = await post({ channel: "C1", text: "x", blocks }).catch(
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof WebAPIPlatformError);
  assert.deepEqual(error.data.response_metadata?.messages, [
    "[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
  ]);
});

test("a thread needs an existing message, and an edit one of the bot's", async (t) => {
  const { server, client, post } = await served(t);
  const { ts = "" } = await post({ channel: "C1", text: "root" });
  await post({ channel: "C1", text: "leaf", thread_ts: ts });
  assert.equal(server.messages[1]?.thread, ts);
  await client.chat.update({ channel: "C1", ts, text: "root ✓" });
  assert.equal(server.messages[0]?.text, "root ✓");
  assert.deepEqual(server.messages[0]?.before, [{ text: "root", buttons: [] }]);
  const wrong = client.chat.update({ channel: "C1", ts: "1.000009", text: "x" });
  assert.equal(await refusal(wrong), "message_not_found");
});

test("a file is named, uploaded and shown in this order, once, with its scope", async (t) => {
  const { server, client } = await served(t);
  const name = async (length: number) => {
    const ticket = await client.files.getUploadURLExternal({ filename: "a.txt", length });
    return { id: ticket.file_id ?? "", url: ticket.upload_url ?? "" };
  };
  const put = async (to: string, body: string, headers = {}) =>
    (await fetch(to, { method: "POST", body, headers })).status;
  const complete = (id: string, channel_id: string, thread_ts?: string) =>
    client.files.completeUploadExternal({
      files: [{ id }],
      channel_id,
      initial_comment: "all of it",
      ...(thread_ts === undefined ? {} : { thread_ts }),
    });
  const { id, url } = await name(5);
  assert.equal(await refusal(complete(id, "C1")), "file_not_found");
  assert.equal(await put(url, "four"), 400);
  assert.equal(await put(url, "hello", { authorization: `Bearer ${server.token}` }), 400);
  assert.equal(await put(url, "hello"), 200);
  assert.equal(await put(url, "hello"), 400);
  assert.equal(await refusal(complete(id, "U1")), "channel_not_found");
  assert.equal(await refusal(complete(id, "C1", "1.000001")), "thread_not_found");
  await complete(id, "D1");
  assert.equal(await refusal(complete(id, "D1")), "file_not_found");
  const [shown = assert.fail(), ...others] = server.messages;
  assert.deepEqual(others, []);
  assert.deepEqual([shown.channel, shown.text], ["D1", "all of it"]);
  assert.deepEqual(shown.file, { id, name: "a.txt", content: "hello" });
  const closed = await slackServer({ scopes: ["chat:write"] });
  t.after(closed.close);
  const other = new WebClient(closed.token, { slackApiUrl: closed.apiUrl, logger });
  const asked = other.files.getUploadURLExternal({ filename: "a.txt", length: 1 });
  assert.equal(await refusal(asked), "missing_scope");
});

test("the server can rate limit, lose an answer or a message, or close", async (t) => {
  const { server, post } = await served(t);
  const say = (text: string) => post({ channel: "C1", text });
  server.busy(1, 3);
  const busy: unknown = await say("x").catch((reason: unknown) => reason);
  assert.ok(busy instanceof WebAPIRateLimitedError);
  assert.equal(busy.retryAfter, 3);
  server.next("lose", "down");
  await assert.rejects(say("lost answer"), WebAPIRequestError);
  await assert.rejects(say("never came"), WebAPIRequestError);
  await say("arrived");
  assert.deepEqual(
    server.messages.map(({ text }) => text),
    ["lost answer", "arrived"],
  );
  await server.close();
  await assert.rejects(say("gone"), WebAPIRequestError);
});

interface Event {
  readonly ack: (response?: object) => Promise<void>;
  readonly body: { readonly event_id?: string; readonly response_url?: string };
  readonly event?: { readonly text: string; readonly thread_ts?: string };
  readonly retry_num?: number;
}

async function listening({ server, ends }: Awaited<ReturnType<typeof served>>) {
  const client = new SocketModeClient({
    appToken: server.appToken,
    clientOptions: { slackApiUrl: server.apiUrl },
    logger,
  });
  ends.push(() => client.disconnect());
  const heard: Event[] = [];
  const hear = (event: Event): void => {
    heard.push(event);
    void event.ack();
  };
  client.on("message", hear);
  client.on("interactive", hear);
  await client.start();
  return heard;
}

test("a socket receives messages and pressed buttons", async (t) => {
  const slack = await served(t);
  const { server, post } = slack;
  const heard = await listening(slack);
  const { ts = "" } = await post({
    channel: "C1",
    text: "x",
    blocks: [actions],
  });
  const told = await server.say("C1", jane, "a < b & <!channel>", { thread: ts });
  await server.press(ts, "done:1", jane);
  await server.again(told);
  const [said, pressed, again] = heard;
  assert.equal(said?.event?.text, "a &lt; b &amp; &lt;!channel&gt;");
  assert.equal(said?.event?.thread_ts, ts);
  assert.equal(again?.body.event_id, said?.body.event_id);
  assert.deepEqual([said?.retry_num, again?.retry_num], [0, 1]);
  const body = pressed?.body as {
    actions?: { value: string }[];
    container?: { message_ts: string };
  };
  assert.equal(body.actions?.[0]?.value, "done:1");
  assert.equal(body.container?.message_ts, ts);
});

test("a press can be answered at its response URL", async (t) => {
  const slack = await served(t);
  const { server, post } = slack;
  const heard = await listening(slack);
  const { ts = "" } = await post({
    channel: "C1",
    text: "x",
    blocks: [actions],
  });
  await server.press(ts, "done:1", jane);
  const url = heard[0]?.body.response_url ?? "";
  const answer = (body: object) => fetch(url, { method: "POST", body: JSON.stringify(body) });
  await answer({ text: "only you", response_type: "ephemeral", replace_original: false });
  await answer({ text: "x ✓", replace_original: true });
  assert.deepEqual(server.whispers, [{ text: "only you" }]);
  assert.deepEqual([server.messages[0]?.text, server.messages[0]?.buttons], ["x ✓", []]);
});

test("a socket needs the app's token and an unused ticket", async (t) => {
  const { server, client } = await served(t);
  assert.equal(await refusal(client.apps.connections.open()), "not_allowed_token_type");
  const app = new WebClient(server.appToken, { slackApiUrl: server.apiUrl, logger });
  const { url = "" } = await app.apps.connections.open();
  const outcome = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.addEventListener("error", () => resolve("refused"));
      socket.addEventListener("message", ({ data }) => resolve(String(data)));
    });
  assert.equal((JSON.parse(await outcome()) as { type: string }).type, "hello");
  assert.equal(await outcome(), "refused");
});

test("a handler gets signed requests: events as JSON, presses as a form", async (t) => {
  const { server, post } = await served(t);
  const requests: Request[] = [];
  server.deliverTo(async (request) => {
    requests.push(request.clone());
    return new Response();
  });
  const { ts = "" } = await post({
    channel: "C1",
    text: "x",
    blocks: [actions],
  });
  await server.say("D1", jane, "hi");
  await server.press(ts, "done:1", jane);
  const [event, press] = requests;
  const body = (await event?.text()) ?? "";
  const at = event?.headers.get("x-slack-request-timestamp") ?? "";
  const hmac = createHmac("sha256", server.signingSecret).update(`v0:${at}:${body}`);
  assert.equal(event?.headers.get("x-slack-signature"), `v0=${hmac.digest("hex")}`);
  assert.equal((JSON.parse(body) as { type: string }).type, "event_callback");
  const form = new URLSearchParams(await press?.text());
  assert.equal((JSON.parse(form.get("payload") ?? "") as { type: string }).type, "block_actions");
});

test("a request can be forged or late", async () => {
  const told = { type: "events_api" as const, payload: {} };
  const at = 1_800_000_000_000;
  const request = signedRequest(told, { secret: "other", at, base: "https://app.example" });
  assert.equal(request.headers.get("x-slack-request-timestamp"), "1800000000");
  const hmac = createHmac("sha256", "other").update("v0:1800000000:{}").digest("hex");
  assert.equal(request.headers.get("x-slack-signature"), `v0=${hmac}`);
});

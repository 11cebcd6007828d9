import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { chatFixture, type ChatFixture } from "../../../test/chat-fixture.ts";
import { link } from "../../features/accounts/operations/link.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { slackServer, type SlackServer } from "../../testing/chats/slack-server.ts";
import { signedRequest } from "../../testing/chats/slack-told.ts";
import type { SlackMessage } from "../../testing/chats/slack-world.ts";
import { slackApi } from "../channels/slack-api.ts";
import { slack } from "../channels/slack.ts";
import type { Chat, ChatHandler, ChatInput } from "./chat.ts";
import { slackSocket } from "./slack-socket.ts";
import { slackChat } from "./slack.ts";

const mina = { id: "U1", name: "mina" };
const unlinked = { id: "U9", name: "eve" };
const clock = systemClock();

interface Scenario {
  server: SlackServer;
  fixture: ChatFixture;
  chat: Chat;
  sent(isIt: (message: SlackMessage) => boolean): Promise<SlackMessage>;
  /** Sends a reminder with its buttons, as a delivery does. */
  remind(id: string, address: string): Promise<SlackMessage>;
}

type Mode = "socket" | "events";

async function scenario(t: TestContext, how: Mode, handler?: ChatHandler): Promise<Scenario> {
  const server = await slackServer({
    channels: { C1: {}, C2: {} },
    people: { U1: "D1", U9: "D9" },
  });
  const limits = { clock, timeoutMs: 10_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [server.host] });
  const { token, appToken, apiUrl, signingSecret } = server;
  const api = slackApi({ token, apiUrl, fetch });
  const fixture = chatFixture();
  const { code } = await link.run({}, { ...fixture.mina, scopes: ["admin"] });
  const here = { channel: "slack", address: "D1", sender: mina } as const;
  await fixture.text(`link ${code}`, here);
  const mode =
    how === "socket" ? { listen: slackSocket({ appToken, apiUrl, fetch }) } : { signingSecret };
  const chat = slackChat({ api, handler: handler ?? fixture.hear, log: fixture.log, clock, mode });
  t.after(async () => {
    await chat.stop();
    await server.close();
  });
  if (how === "events") server.deliverTo((request) => chat.handle?.(request) ?? assert.fail());
  await chat.start();
  const channel = slack({ api });
  return {
    server,
    fixture,
    chat,
    async sent(isIt) {
      await server.called(() => server.messages.some(isIt));
      return server.messages.find(isIt) ?? assert.fail();
    },
    async remind(id, address) {
      const about = {
        owner: "mina",
        type: "reminder",
        priority: "normal",
        language: "en",
      } as const;
      const message = { ...about, id, address, text: "*tea* & milk", at: 0, maybeRepeat: false };
      const { signal } = new AbortController();
      const sent = await channel.send(message, { signal, progress: null, save: async () => {} });
      assert.equal(sent.result, "delivered");
      return server.messages.at(-1) ?? assert.fail();
    },
  };
}

for (const how of ["socket", "events"] as const) {
  describe(`an app by ${how}`, () => {
    test("answers in the thread where it was asked, once", async (t) => {
      const { server, fixture, sent } = await scenario(t, how);
      const { payload } = await server.say("C1", unlinked, "a talk");
      const { event } = payload as { event: { ts: string } };
      const root = event.ts;
      const asked = await server.say("C1", mina, "<@UBOT> hi", { thread: root });
      await server.say("C1", mina, "/remind 내일 오후 3시 회의", { thread: root });
      const answer = await sent(({ text }) => /회의/.test(text));
      assert.deepEqual([answer.channel, answer.thread], ["C1", root]);
      const [record] = await fixture.live();
      assert.equal(record?.body.target, `slack:C1:${root}`);
      await server.again(asked);
      await server.say("D9", unlinked, "/list");
      await server.say("D1", mina, "list all");
      await sent(({ text, channel }) => channel === "D1" && /회의/.test(text));
      assert.equal((await fixture.live()).length, 1);
      assert.equal(server.messages.filter(({ channel }) => channel === "D9").length, 0);
    });
    test("a button moves the reminder, and the message shows it", async (t) => {
      const { server, fixture, remind } = await scenario(t, how);
      await fixture.say("remind 10m tea", { channel: "slack", address: "D1", sender: mina });
      const id = await fixture.delivered(1);
      const { ts } = await remind(id, "U1");
      await server.press(ts, `10m:${id}`, mina);
      await server.called(({ path }) => path.endsWith("chat.update"));
      const shown = server.messages.find((each) => each.ts === ts);
      assert.match(shown?.text ?? "", /^tea & milk\n⏰ Snoozed: .* \(in 10 min\)$/);
      assert.deepEqual(shown?.buttons, []);
      assert.deepEqual(server.whispers, []);
      assert.equal((await fixture.live()).length, 1);
    });
    test("a button under another's reminder whispers why not", async (t) => {
      const { server, fixture, remind } = await scenario(t, how);
      await fixture.say("/remind 10m tea", { from: "8" });
      const [record] = await fixture.live("jun");
      const { ts } = await remind(record?.id ?? "", "C1");
      await server.press(ts, `done:${record?.id}`, unlinked);
      await server.press(ts, `done:${record?.id}`, mina);
      await server.called(() => server.whispers.length > 0);
      assert.equal(server.whispers.length, 1);
      assert.match(server.whispers[0]?.text ?? "", /^There is no notification/);
      assert.equal(server.messages[0]?.buttons.length, 4);
    });
  });
}

describe("an event of Slack", () => {
  test("is read as typed, as a mention or as overheard", async (t) => {
    const heard: ChatInput[] = [];
    const { server, chat } = await scenario(t, "events", async (each) => {
      heard.push(each);
      return {};
    });
    const tell = async (event: object): Promise<void> => {
      const told = {
        type: "events_api",
        payload: {
          type: "event_callback",
          event: { type: "message", user: "U1", channel: "C1", ts: "1.000001", ...event },
          authorizations: [{ user_id: "UBOT" }],
        },
      } as const;
      const base = "https://x.example";
      const signing = { secret: server.signingSecret, at: clock.wall(), base };
      const answer = await chat.handle?.(signedRequest(told, signing));
      assert.equal(answer?.status, 200);
    };
    await tell({ text: "1m &lt;b&gt; &amp;lt; <http://a.b|a.b> <https://c.d> <#C2|talk> <@U2>" });
    await tell({ type: "app_mention", text: "<@UBOT>: list", ts: "1.000002" });
    await tell({ text: "<@UBOT>: list", ts: "1.000002" });
    await tell({ text: "root", ts: "1.000003", thread_ts: "1.000003" });
    await tell({ text: "leaf", ts: "1.000004", thread_ts: "1.000003" });
    await tell({ text: "of a bot", ts: "1.000005", bot_id: "B1" });
    await tell({ text: "changed", ts: "1.000006", subtype: "message_changed" });
    await tell({ text: "joined", ts: "1.000007", user: undefined });
    await tell({ text: "hi", ts: "1.000008", channel: "D1", channel_type: "im" });
    const seen = heard.map(({ address, content }) => {
      if (!("text" in content)) return assert.fail("nothing was said");
      const { event, ...text } = content;
      return [address, text, event?.type];
    });
    const alone = { replyTo: undefined, inThread: false };
    const among = { ...alone, overheard: true };
    const typed = "1m <b> &lt; a.b https://c.d #talk <@U2>";
    assert.deepEqual(seen, [
      ["C1", { text: typed, ...among }, "slack.channel.message"],
      ["C1", { text: "list", ...alone, overheard: false }, "slack.app_mention"],
      ["C1", { text: "root", ...among }, "slack.channel.message"],
      [
        "C1:1.000003",
        { text: "leaf", replyTo: "1.000003", inThread: true, overheard: true },
        "slack.thread.reply",
      ],
      ["D1", { text: "hi", ...alone, overheard: false }, "slack.channel.message"],
    ]);
  });
  test("over HTTP is accepted only with a valid, recent signature", async (t) => {
    const { server, fixture, chat } = await scenario(t, "events");
    const message = {
      type: "message",
      user: "U1",
      channel: "D1",
      channel_type: "im",
      ts: "1.000009",
    };
    const payload = { type: "event_callback", event: { ...message, text: "remind 10m x" } };
    const secret = server.signingSecret;
    const base = "https://x.example";
    const status = async (request: Request): Promise<number | undefined> =>
      (await chat.handle?.(request))?.status;
    const made = (more: object = {}): Request =>
      signedRequest({ type: "events_api", payload }, { secret, base, at: clock.wall(), ...more });
    assert.equal(await status(made({ secret: "another" })), 401);
    assert.equal(await status(made({ at: clock.wall() - 301_000 })), 401);
    assert.equal(await status(made({ at: clock.wall() + 301_000 })), 401);
    const good = made();
    const headers = Object.fromEntries(good.headers);
    const changed = { method: "POST", headers, body: `${await good.clone().text()} ` };
    assert.equal(await status(new Request(base, changed)), 401);
    for (const name of ["x-slack-signature", "x-slack-request-timestamp"]) {
      const { [name]: _, ...rest } = headers;
      const body = await good.clone().text();
      assert.equal(await status(new Request(base, { method: "POST", headers: rest, body })), 401);
    }
    assert.equal(await status(new Request(base)), 405);
    assert.deepEqual(await fixture.live(), []);
    const verify = { type: "url_verification", challenge: "c-1" };
    const asked = { type: "events_api", payload: verify } as const;
    const answer = await chat.handle?.(signedRequest(asked, { secret, base, at: clock.wall() }));
    assert.deepEqual(await answer?.json(), { challenge: "c-1" });
    assert.equal(await status(good), 200);
    assert.equal((await fixture.live()).length, 1);
    await chat.stop();
    assert.equal(await status(made()), 503);
  });
  test("over a socket is received again after Slack asked to reconnect", async (t) => {
    const { server, sent } = await scenario(t, "socket");
    await server.say("D1", mina, "help");
    await sent(({ text }) => /Commands/.test(text));
    server.socket.refresh();
    await server.called(
      () => server.calls.filter(({ path }) => path.endsWith("connections.open")).length === 2,
    );
    await server.say("D1", mina, "timezone");
    await sent(({ text }) => /Times are read in/.test(text));
  });
  test("is not received with a wrong token, which is logged once", async (t) => {
    const { server, fixture } = await scenario(t, "events");
    const limits = { clock, timeoutMs: 10_000, bytesMax: 1_000_000 };
    const fetch = safeFetch({ ...limits, allowHosts: [server.host] });
    const listen = slackSocket({ appToken: "xapp-wrong", apiUrl: server.apiUrl, fetch });
    const never = new AbortController();
    await assert.rejects(
      listen(async () => {}, never.signal),
      /invalid_auth/,
    );
    assert.doesNotMatch(fixture.lines.join(""), /xapp-wrong/);
  });
  test("names the missing package", async () => {
    const load = () => Promise.reject(new Error("not there"));
    const fetch = safeFetch({ clock, timeoutMs: 1_000, bytesMax: 1_000 });
    const listen = slackSocket({ appToken: "xapp-1", fetch, load });
    const { signal } = new AbortController();
    await assert.rejects(
      listen(async () => {}, signal),
      /npm install @slack\/socket-mode/,
    );
  });
});

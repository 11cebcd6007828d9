import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { chatFixture, commands, type ChatFixture } from "../../../test/chat-fixture.ts";
import { handClock, settled } from "../../../test/hand-clock.ts";
import { link } from "../../features/accounts/operations/link.ts";
import { systemClock, type Clock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { discordServer, type DiscordServer } from "../../testing/chats/discord-server.ts";
import type { DiscordMessage } from "../../testing/chats/discord-world.ts";
import { discord } from "../channels/discord.ts";
import type { Chat, ChatHandler } from "./chat.ts";
import { discordChat } from "./discord.ts";

const mina = { id: "42", username: "mina" };
const unlinked = { id: "43", username: "eve" };

interface Scenario {
  server: DiscordServer;
  fixture: ChatFixture;
  chat: Chat;
  remind(id: string, text?: string): Promise<DiscordMessage>;
}

async function scenario(
  t: TestContext,
  { handler, clock = systemClock() }: { handler?: ChatHandler; clock?: Clock } = {},
): Promise<Scenario> {
  const server = await discordServer({ channels: { "1": {}, "2": {} }, now: clock.wall });
  const limits = { clock: systemClock(), timeoutMs: 10_000, bytesMax: 1_000_000 };
  const fetch = safeFetch({ ...limits, allowHosts: [server.host] });
  const { token, publicKey, apiUrl } = server;
  const fixture = chatFixture();
  const here = { fetch, commands, log: fixture.log, clock, token, publicKey, apiUrl };
  const chat = discordChat({ ...here, handler: handler ?? fixture.hear });
  t.after(async () => {
    await chat.stop();
    await server.close();
  });
  server.deliverTo((request) => chat.handle?.(request) ?? assert.fail());
  await chat.start();
  const channel = discord({ fetch, token, apiUrl, now: clock.wall });
  return {
    server,
    fixture,
    chat,
    async remind(id, text = "**tea** & milk") {
      const about = {
        owner: "mina",
        type: "reminder",
        priority: "normal",
        language: "en",
      } as const;
      const message = { ...about, id, address: "1", text, at: 0, maybeRepeat: false };
      const { signal } = new AbortController();
      const sent = await channel.send(message, { signal, progress: null, save: async () => {} });
      assert.equal(sent.result, "delivered");
      return server.messages.at(-1) ?? assert.fail();
    },
  };
}

async function joined({ server, fixture }: Scenario): Promise<void> {
  const { code } = await link.run({}, { ...fixture.mina, scopes: ["admin"] });
  await server.command("1", mina, "start", { text: code });
  assert.match(server.messages.at(-1)?.text ?? "", /^You are linked/);
}

describe("an application", () => {
  test("shows its commands in both languages", async (t) => {
    const { server } = await scenario(t);
    await server.called(({ verb }) => verb === "PUT");
    assert.deepEqual(
      server.commands.map(({ name }) => name),
      commands.map(({ name }) => name),
    );
    const [remind] = server.commands;
    assert.match(remind?.description_localizations?.["ko"] ?? "", /[가-힣]/);
    assert.deepEqual(
      remind?.options?.map(({ name, required }) => [name, required]),
      [["text", true]],
    );
  });
  test("answers a command where it was typed", async (t) => {
    const at = await scenario(t);
    const { server, fixture } = at;
    await joined(at);
    const answer = await server.command("2", mina, "remind", {
      text: "내일 오후 3시 회의 @everyone",
    });
    assert.deepEqual([answer.status, answer.type], [200, 4]);
    const sent = server.messages.at(-1);
    assert.match(sent?.text ?? "", /회의 @.?everyone/);
    assert.deepEqual([sent?.channel, sent?.pings, sent?.isPrivate], ["2", [], false]);
    const [record] = await fixture.live();
    assert.equal(record?.body.target, "discord:2");
    assert.equal((await server.again(answer.interaction)).type, 5);
    assert.equal((await fixture.live()).length, 1);
  });
  test("a button moves the reminder, and the message shows it", async (t) => {
    const at = await scenario(t);
    const { server, fixture, remind } = at;
    await joined(at);
    await server.command("1", mina, "remind", { text: "10m tea" });
    const id = await fixture.delivered(1);
    const message = await remind(id);
    const answer = await server.press(message.id, `10m:${id}`, mina);
    assert.equal(answer.type, 7);
    const shown = server.messages.find((each) => each.id === message.id);
    assert.match(shown?.text ?? "", /^tea & milk\n\n⏰ Snoozed: .* \(in 10 min\)$/);
    assert.deepEqual(shown?.buttons, []);
    assert.equal((await server.again(answer.interaction)).type, 6);
    const full = await remind(id, "가".repeat(2_000));
    await server.press(full.id, `done:${id}`, mina);
    const after = server.messages.find((each) => each.id === full.id);
    assert.deepEqual([after?.text.length, after?.buttons], [2_000, []]);
    await server.called(() => server.messages.at(-1)?.text === "✓ Done");
    assert.equal(server.messages.at(-1)?.isPrivate, true);
    assert.deepEqual(await fixture.live(), []);
  });
  test("answers a stranger privately, and does nothing for them", async (t) => {
    const { server, fixture, remind } = await scenario(t);
    await server.command("1", unlinked, "remind", { text: "10m x" });
    const sent = server.messages.at(-1);
    assert.match(sent?.text ?? "", /^You are not linked/);
    assert.equal(sent?.isPrivate, true);
    await fixture.say("/remind 10m tea");
    const [record] = await fixture.live();
    const message = await remind(record?.id ?? "");
    assert.equal((await server.press(message.id, `done:${record?.id}`, unlinked)).type, 6);
    assert.equal(server.messages.find((each) => each.id === message.id)?.buttons.length, 4);
    assert.equal((await fixture.live()).length, 1);
  });
  test("accepts only requests with a recent signature", async (t) => {
    const clock = handClock();
    const at = await scenario(t, { clock });
    const { server, fixture, chat } = at;
    const { interaction } = await server.command("1", unlinked, "help");
    assert.equal((await server.again(interaction, "forged")).status, 401);
    const before = fixture.lines.length;
    const plain = (headers: Record<string, string>, body = "{}"): Request =>
      new Request("https://x.example", { method: "POST", headers, body });
    const signature = "0".repeat(128);
    for (const headers of [
      {},
      { "x-signature-ed25519": signature },
      { "x-signature-ed25519": signature, "x-signature-timestamp": `${clock.wall() / 1_000}` },
      { "x-signature-ed25519": "zz", "x-signature-timestamp": `${clock.wall() / 1_000}` },
    ]) {
      assert.equal((await chat.handle?.(plain(headers)))?.status, 401);
    }
    assert.equal((await chat.handle?.(new Request("https://x.example")))?.status, 405);
    assert.equal((await server.again({ type: 1 })).type, 1);
    for (const odd of [{}, { type: 2 }, { type: 9 }, []]) {
      assert.equal((await server.again(odd)).status, 400);
    }
    assert.equal(fixture.lines.length, before);
    let kept: Request | undefined;
    server.deliverTo(async (request) => {
      kept = request.clone();
      return (await chat.handle?.(request)) ?? assert.fail();
    });
    await server.again({ type: 1 });
    clock.advance(301_000);
    assert.equal((await chat.handle?.(kept ?? assert.fail()))?.status, 401);
  });
  test("sends a late answer, and the rest of a long one, afterwards", async (t) => {
    const clock = handClock();
    const free = Promise.withResolvers<void>();
    const text = `${"가".repeat(1_500)}\n\n${"나".repeat(1_500)}`;
    const handler: ChatHandler = async () => {
      await free.promise;
      return { text };
    };
    const { server } = await scenario(t, { handler, clock });
    const answering = server.command("1", mina, "list");
    while (!clock.waiting().includes(2_000)) await settled();
    clock.advance(2_000);
    assert.equal((await answering).type, 5);
    assert.equal(server.messages.length, 0);
    free.resolve();
    await server.called(() => server.messages.length === 2);
    assert.deepEqual(
      server.messages.map((message) => message.text[0]),
      ["가", "나"],
    );
  });
  test("refuses a malformed public key", async (t) => {
    const { fixture } = await scenario(t);
    const fetch = safeFetch({ clock: systemClock(), timeoutMs: 1_000, bytesMax: 1_000 });
    const here = {
      fetch,
      commands,
      handler: fixture.hear,
      log: fixture.log,
      clock: systemClock(),
      token: "t",
    };
    assert.throws(() => discordChat({ ...here, publicKey: "abc" }), { code: "invalid" });
  });
});

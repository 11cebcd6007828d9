import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { discordServer, type DiscordServer } from "../src/testing/chats/discord-server.ts";
import { slackServer, type SlackServer } from "../src/testing/chats/slack-server.ts";
import type { SlackMessage } from "../src/testing/chats/slack-world.ts";
import { smtpServer, type SmtpServer } from "../src/testing/chats/smtp.ts";
import { child, folder, type Child } from "./child.ts";
import { bin } from "./walk-book.ts";

const mina = { id: "U1", name: "mina" };
const discordMina = { id: "42", username: "mina" };

interface Scenario {
  readonly slack: SlackServer;
  readonly discord: DiscordServer;
  readonly mail: SmtpServer;
  /** The URL of the daemon. */
  readonly url: string;
  /** The first message in Slack that matches, in its current form. */
  seen(isIt: (message: SlackMessage) => boolean): Promise<SlackMessage>;
  /** Writes the settings, without Slack. */
  setLess(): void;
  /** Runs a command that must exit with this status, and returns its lines. */
  said(exit: number, ...args: string[]): Promise<string>;
}

/** The way Slack reaches the daemon: a socket, or requests. */
type Ear = (server: SlackServer) => string;
const bySocket: Ear = ({ appToken }) => `appToken: ${appToken}`;
const byRequests: Ear = ({ signingSecret }) => `signingSecret: ${signingSecret}`;

/** An installed daemon, with every service on this machine. */
async function scenario(t: TestContext, ear: Ear): Promise<Scenario> {
  const slack = await slackServer({ channels: { C1: {} }, people: { U1: "D1" } });
  const discord = await discordServer({ channels: { "1": {} } });
  const mail = await smtpServer();
  const home = folder(t);
  const file = join(home, "set.yaml");
  const lines = (inSlack: string): string => `channels:
  ${inSlack}
  discord:
    api: "${discord.apiUrl}/"
    token: ${discord.token}
    publicKey: "${discord.publicKey}"
    senders: [{ id: "42", owner: me }]
  email: { from: Daybook <day@book.example>, url: "${mail.url}" }
`;
  const who = "senders: [{ id: U1, owner: me }]";
  writeFileSync(
    file,
    lines(`slack: { api: "${slack.apiUrl}", token: ${slack.token}, ${ear(slack)}, ${who} }`),
  );
  const env = { DAYBOOK_HOME: home, DAYBOOK_LANGUAGE: "en", TZ: "UTC" };
  const run = (...args: string[]): Child => child(t, bin, [...args, "--config", file], env);
  const daemon = run("start");
  t.after(() => Promise.all([slack.close(), discord.close(), mail.close()]));
  await daemon.line(/is ready/);
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")) as { url: string };
  discord.deliverTo(async (request) => forwarded(request, `${url}/chats/discord`));
  return {
    slack,
    discord,
    mail,
    url,
    async seen(isIt) {
      await slack.called(() => slack.messages.some(isIt));
      return slack.messages.find(isIt) ?? assert.fail();
    },
    setLess: () => writeFileSync(file, lines("webhook: { allow: [] }")),
    async said(exit, ...args) {
      const typed = run(...args);
      assert.equal(await typed.ended, exit, typed.lines.join("\n"));
      return typed.lines.join("\n");
    },
  };
}

/** The same request at another address. */
async function forwarded(request: Request, url: string): Promise<Response> {
  const { method, headers } = request;
  return fetch(url, { method, headers, body: await request.text() });
}

describe("a daemon with the other chats", { timeout: 120_000 }, () => {
  for (const [how, ear] of [
    ["a socket", bySocket],
    ["requests", byRequests],
  ] as const) {
    test(`sends to a thread of Slack the reminder requested there, over ${how}`, async (t) => {
      const { slack, url, seen } = await scenario(t, ear);
      if (ear === byRequests)
        slack.deliverTo((request) => forwarded(request, `${url}/chats/slack`));
      else await slack.socket.open();
      const { payload } = await slack.say("C1", mina, "a talk");
      const { ts: thread } = (payload as { event: { ts: string } }).event;
      await slack.say("C1", mina, "/remind in 2s tea", { thread });
      const arrived = await seen(({ buttons }) => buttons.length > 0);
      assert.deepEqual([arrived.channel, arrived.thread], ["C1", thread]);
      assert.match(arrived.text, /tea/);
      await slack.press(arrived.ts, arrived.buttons[1]?.data ?? "", mina);
      const moved = await seen(({ ts, before }) => ts === arrived.ts && before.length > 0);
      assert.deepEqual(moved.buttons, []);
      assert.match(moved.text, /Snoozed/);
      assert.ok(slack.messages.every((each) => each.thread === thread));
    });
  }

  test("receives from Discord, sends there and by mail, and keeps chats until a restart", async (t) => {
    const { slack, discord, mail, said, setLess } = await scenario(t, bySocket);
    await discord.called(({ verb }) => verb === "PUT");
    const asked = await discord.command("1", discordMina, "remind", { text: "in 1s tea" });
    assert.equal(asked.status, 200);
    await discord.called(() => discord.messages.some(({ buttons }) => buttons.length > 0));
    await said(0, "remind", "**hi**", "--at", "+0s", "--target", "email:jane@book.example");
    const { to, headers, text } = await mail.mail(0);
    assert.deepEqual(to, ["jane@book.example"]);
    assert.match(headers["message-id"]?.join("") ?? "", /@book\.example>$/);
    assert.equal(text?.trim(), "hi");
    setLess();
    assert.equal(
      await said(0, "config", "reload"),
      "Changed: channels.slack.\nTakes effect after a restart: channels.slack.",
    );
    await slack.say("D1", mina, "/help");
    await said(0, "remind", "hello", "--at", "+0s", "--target", "slack:D1");
    await slack.called(() => slack.messages.some((each) => each.text.includes("hello")));
  });
});

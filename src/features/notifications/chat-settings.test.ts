import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadConfig, type Loaded } from "../../app/config/load.ts";
import { hasCode } from "../../platform/errors.ts";

function load(channels: string, env: Record<string, string> = {}): Loaded {
  const text = `channels: { ${channels} }`;
  const readText = (path: string): string | undefined =>
    path === "/place/daybook.yaml" ? text : undefined;
  return loadConfig({ env, flags: {}, cwd: "/place", isTerminal: false, readText });
}

const key = "0123456789abcdef".repeat(4);

describe("a chat", () => {
  test("takes its token from a variable and the rest from the file", () => {
    const env = {
      DAYBOOK_TELEGRAM_TOKEN: "1:a",
      DAYBOOK_TELEGRAM_API: "http://127.0.0.1:8281/",
      DAYBOOK_SLACK_TOKEN: "xoxb-1",
      DAYBOOK_SLACK_API: "http://127.0.0.1:8282/api/",
      DAYBOOK_DISCORD_TOKEN: "d",
    };
    const { config, origins, warnings } = load(
      "telegram: { senders: [{ id: -7, owner: me }] }, slack: { appToken: { env: APP } }",
      { ...env, APP: "xapp-1" },
    );
    const { telegram, slack, discord, email } = config.channels;
    assert.deepEqual(telegram, {
      token: "1:a",
      api: "http://127.0.0.1:8281",
      mode: "polling",
      senders: [{ id: "-7", owner: "me" }],
      maxMessages: 20,
      charsMax: 4_096,
    });
    const app = { token: "xoxb-1", appToken: "xapp-1", api: "http://127.0.0.1:8282/api" };
    assert.deepEqual(slack, { ...app, senders: [], maxMessages: 20 });
    assert.deepEqual(discord, { token: "d", senders: [], maxMessages: 20 });
    assert.equal(email, undefined);
    assert.deepEqual(warnings, []);
    const shown = new Map(origins.map(({ key: name, value }) => [name, value]));
    assert.equal(shown.get("channels.telegram.token"), "***");
    assert.equal(shown.get("channels.slack.appToken"), "***");
    assert.equal(shown.get("channels.telegram.senders"), '[{"id":-7,"owner":"me"}]');
  });

  const wrong: [channels: string, expected: RegExp][] = [
    [
      "telegram: { senders: [{ id: 7, owner: daybook }] }",
      /senders\S* is "daybook", which is reserved for the system: write another owner/,
    ],
    [
      "telegram: { senders: [{ id: '', owner: me }] }",
      /senders\[0\]\.id is "": write an id in quotes/,
    ],
    ["discord: { senders: [{ id: 803511102246789120, owner: me }] }", /write an id in quotes/],
    ["slack: { senders: { U1: me } }", /senders is a group of keys: write a list like/],
    ["telegram: { mode: webhook }", /secret is missing: write \{ env: NAME \}/],
    ["telegram: { mode: webhook, secret: short }", /secret does not fit: write 16 to 256/],
    ["telegram: { maxMessageLength: 5000 }", /write a whole number from 256 to 4096/],
    ["telegram: { api: ftp://a }", /api is "ftp:\/\/a": write a complete http/],
    [`discord: { publicKey: "${key}0" }`, /publicKey.*64 hexadecimal digits/],
    ["email: { from: a@b.example }", /url is missing: write smtp:/],
    ["email: { from: a, url: smtp://b }", /from is "a": write an address/],
    ["email: { from: a@b.example, url: 'http://u:pw@b' }", /url .*write smtp:/],
    ["email: { from: a@b.example, url: 'smtp://u:%@b' }", /url .*write smtp:/],
  ];
  for (const [channels, expected] of wrong) {
    test(`is refused with ${channels}`, () => {
      assert.throws(
        () => load(channels),
        (error) => {
          assert.ok(hasCode(error, "invalid"));
          assert.match(error.message, expected);
          assert.doesNotMatch(error.message, /short|:pw@/);
          return true;
        },
      );
    });
  }

  test("is valid with every key", () => {
    const secret = "0123456789abcdef";
    const { config } = load(
      `telegram: { mode: webhook, secret: ${secret} }, discord: { publicKey: "${key}" }, ` +
        "email: { from: Day <a@b.example>, url: 'smtps://u:p%25@b:1' }",
    );
    assert.equal(config.channels.telegram?.secret, secret);
    assert.equal(config.channels.discord?.publicKey, key);
    assert.deepEqual(config.channels.email, {
      from: "Day <a@b.example>",
      url: "smtps://u:p%25@b:1",
    });
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { hasCode } from "../../platform/errors.ts";
import {
  discordAddress,
  emailAddress,
  ntfyTopic,
  slackAddress,
  telegramAddress,
} from "./chat-address.ts";

function assertRefused(read: (address: string) => unknown, addresses: readonly string[]): void {
  for (const address of addresses) {
    assert.throws(
      () => read(address),
      (error) => hasCode(error, "invalid") && /: write the target like /.test(error.message),
      JSON.stringify(address),
    );
  }
}

/** No service has any of these. */
const nonsense = [
  "",
  " ",
  "0",
  "-",
  ":",
  "null",
  "__proto__",
  "1 ",
  " 1",
  "1\n",
  "1;2",
  "../1",
  "é",
];

test("a Telegram address is a chat, or a topic in it", () => {
  assert.deepEqual(telegramAddress("42"), { chat: 42 });
  assert.deepEqual(telegramAddress("-1001234567890"), { chat: -1_001_234_567_890 });
  assert.deepEqual(telegramAddress("-1001234567890:7"), { chat: -1_001_234_567_890, thread: 7 });
  assertRefused(telegramAddress, [
    ...nonsense,
    "-0",
    "007",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "@name",
    "１",
    "9".repeat(17),
    "9007199254740993",
    "1:",
    "1:0",
    "1:-7",
    "1:07",
    "1:7:8",
    "1:2147483648",
    "1:x",
    ":7",
  ]);
});

test("a Slack address is a channel or a person, or a thread", () => {
  assert.deepEqual(slackAddress("C0123456789"), { channel: "C0123456789" });
  assert.deepEqual(slackAddress("U1"), { channel: "U1" });
  assert.deepEqual(slackAddress("D1:1700000000.000100"), {
    channel: "D1",
    thread: "1700000000.000100",
  });
  assertRefused(slackAddress, [
    ...nonsense,

    "C",
    "c1",
    "#general",
    "@jane",
    "X1",
    "C1:",
    "C1:1",
    "C1:1.1",
    "C1:1.000001:2",
    "<!channel>",
  ]);
});

test("a Discord address is the id of a channel or a thread", () => {
  assert.deepEqual(discordAddress("18446744073709551615"), { channel: "18446744073709551615" });
  assertRefused(discordAddress, [
    ...nonsense,
    "18446744073709551616",
    "-1",
    "1:2",
    "01",
    "1".repeat(21),
  ]);
});

test("an e-mail address is one mailbox, without a name", () => {
  for (const address of ["me@example.org", "a.b+c@x-y.example", "나@예.한국", "root@localhost"]) {
    assert.equal(emailAddress(address), address);
  }
  assertRefused(emailAddress, [
    ...nonsense,
    "me",
    "@x.org",
    "me@",
    "a@b@c.org",
    ".a@x.org",
    "a.@x.org",
    "a..b@x.org",
    "a@x..org",

    "a@.org",
    "a@x.org.",
    "a@-x.org",
    "a@x-.org",
    '"a b"@x.org',
    "a@[127.0.0.1]",
    "A <a@x.org>",
    "a@x.org,b@x.org",
    "a@x.org\r\nBcc: b@x.org",
    "a\n@x.org",
    `${"a".repeat(65)}@x.org`,
    `a@${"x".repeat(64)}.org`,
  ]);
});

test("an ntfy address is a topic", () => {
  assert.equal(ntfyTopic("0-my_Topic"), "0-my_Topic");
  assertRefused(ntfyTopic, ["", " ", ":", "a/b", "a b", "é", "a".repeat(65)]);
});

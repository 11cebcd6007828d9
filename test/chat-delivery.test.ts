import assert from "node:assert/strict";
import { test } from "node:test";
import { testDaybook } from "../src/app/testing-kit/testing-kit.ts";
import { readMarkdown } from "../src/platform/markup/read.ts";
import { visible } from "../src/platform/markup/runs.ts";
import { telegramHere } from "./chat-telegram.ts";

const target = "telegram:7";
/** Real milliseconds to wait for an answer before virtual time advances. */
const patienceMs = 20_000;

/** Text of this length, in distinct lines. */
function lines(count: number, line: (at: number) => string): string {
  let text = "";
  for (let at = 0; text.length < count; at += 1) text += line(at);
  return text
    .slice(0, count - 1)
    .toWellFormed()
    .replaceAll("\uFFFD", ".");
}

/** 12,000 characters, 9,000 of them in one fence. */
function longText(): string {
  const code = lines(9_000, (at) => `if (a${at} < b && "👩‍👩‍👧‍👦") say('<b>&amp;</b> ${at} 줄');\n`);
  const fence = `\`\`\`ts\n${code}\n\`\`\``;
  const words = lines(
    12_000 - fence.length - 20,
    (at) => `**${at}번** 👍🏽 <i>_a_ & \`b<c\` [x](https://a.example/?q=${at})\n\n`,
  );
  const half = words.indexOf("\n\n", words.length / 2);
  return `${words.slice(0, half)}\n\n${fence}\n\n${words.slice(half).trim()}`;
}

test("12,000 characters with a long fence arrive in order, each part as valid HTML", async (t) => {
  const { peer, channel } = await telegramHere(t);
  const book = await testDaybook({ channels: [channel], patienceMs });
  const message = longText();
  assert.ok(message.length > 11_900 && message.length <= 12_000, String(message.length));
  const { id } = await book.remind({ message, at: "now", target });
  await book.advance("1 minute");
  assert.equal((await book.show({ id })).state, "delivered");
  const solid = (text: string): string => text.replaceAll(/\s/g, "");
  const parts = peer.messages.map(({ text }) => text);
  assert.ok(parts.length >= 3);
  assert.equal(solid(parts.join("")), solid(visible(readMarkdown(message))));
  // An invalid part would have been refused, and sent again without formatting.
  assert.equal(peer.calls.length, parts.length);
  const forms = peer.calls.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  assert.ok(forms.every((form) => form["parse_mode"] === "HTML"));
  for (const { text } of peer.messages) assert.ok(text.length <= 4_096 && text.isWellFormed());
  const fences = peer.messages.flatMap(({ entities }) =>
    entities.filter(({ type }) => type === "pre"),
  );
  assert.ok(fences.length >= 3, "the fence goes on as code in every part that it is in");
  assert.ok(fences.every(({ language }) => language === "ts"));
});

const count = 300;

test("a service that loses every third answer loses no message", async (t) => {
  const { peer, channel } = await telegramHere(t);
  let lost = 0;
  peer.always(({ number }) => {
    if (number % 3 !== 2) return "accept";
    lost += 1;
    return "lose";
  });
  const book = await testDaybook({ channels: [channel], patienceMs });
  const asked = new Map<string, string>();
  for (let at = 0; at < count; at += 1) {
    const message = `message ${at}`;
    const { id } = await book.remind({ message, at: `+${at % 60}s`, target });
    asked.set(message, id);
  }
  await book.advance("1 hour");
  const copies = Map.groupBy(peer.messages, ({ text }) => text);
  assert.deepEqual([...copies.keys()].toSorted(), [...asked.keys()].toSorted());
  const { explain } = book.as({});
  for (const [message, id] of asked) {
    const { notification, history } = await explain({ id });
    assert.equal(notification?.state, "delivered", message);
    const notes = history.map(({ note }) => note ?? "");
    const unknown = notes.filter((note) => note.startsWith("fate unknown"));
    assert.equal(unknown.length, (copies.get(message)?.length ?? 0) - 1, notes.join("\n"));
  }
  assert.ok(lost >= count / 3);
  assert.equal(peer.messages.length, count + lost);
});

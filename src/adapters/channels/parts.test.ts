import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import type { Sent } from "../../features/notifications/receipt.ts";
import type { Json } from "../../platform/json.ts";
import { telegramHtml } from "../../platform/markup/telegram.ts";
import { attempt } from "../../testing/channels/conformance.ts";
import { inParts, plainPieces, richPieces, type Part } from "./parts.ts";

const message: Message = {
  id: "n1",
  owner: "me",
  address: "a",
  text: "one two three four",
  type: "reminder",
  priority: "normal",
  at: 0,
  maybeRepeat: false,
  language: "en",
};

/** Sends parts of five characters to a fake peer, and keeps the saved progress. */
function bench() {
  const parts: Part[] = [];
  const saved: Json[] = [];
  const answers: Sent[] = [];
  const send = inParts(plainPieces({ sizeMax: 5 }), async (part) => {
    parts.push(part);
    return answers.shift() ?? { result: "delivered", receipt: parts.length };
  });
  const save = async (progress: Json): Promise<void> => void saved.push(progress);
  const again = (part: Partial<Message> = {}) =>
    send({ ...message, ...part }, attempt({ progress: saved.at(-1) ?? null, save }));
  const sent = () =>
    parts.splice(0).map(({ id, text, maybeRepeat }) => ({ id, text, maybeRepeat }));
  return { parts, saved, answers, send, again, sent };
}

test("a short message is sent unchanged, without progress", async () => {
  const { again, parts, saved } = bench();
  assert.deepEqual(await again({ text: "short" }), { result: "delivered", receipt: 1 });
  const short = { ...message, text: "short" };
  assert.deepEqual(parts, [
    { ...short, plain: "short", part: 1, of: 1, receipts: [], fullMessage: short },
  ]);
  assert.deepEqual(saved, []);
});

test("a long message is sent in parts with ids of their own, all in the receipt", async () => {
  const { again, sent, saved } = bench();
  assert.deepEqual(await again(), { result: "delivered", receipt: [1, 2, 3, 4] });
  assert.deepEqual(
    sent().map(({ id, text }) => [id, text]),
    [
      ["n1", "one"],
      ["n1#2", "two"],
      ["n1#3", "three"],
      ["n1#4", "four"],
    ],
  );
  // The delivery itself saves the last one.
  const noted = saved.map((progress) => (progress as { done: Json }).done);
  assert.deepEqual(noted, [[1], [1, 2], [1, 2, 3]]);
});

test("a retry resumes at the failed part, and only that part may be a repeat", async () => {
  const { again, answers, sent } = bench();
  answers.push(
    { result: "delivered", receipt: "a" },
    { result: "retry", reason: "429", afterMs: 5_000, destinationDown: true },
  );
  assert.deepEqual(await again(), {
    result: "retry",
    reason: "part 2 of 4: 429",
    afterMs: 5_000,
    destinationDown: true,
  });
  sent();
  const second = await again({ maybeRepeat: true });
  assert.deepEqual(second, { result: "delivered", receipt: ["a", 1, 2, 3] });
  assert.deepEqual(sent(), [
    { id: "n1#2", text: "two", maybeRepeat: true },
    { id: "n1#3", text: "three", maybeRepeat: false },
    { id: "n1#4", text: "four", maybeRepeat: false },
  ]);
});

test("a text edited between attempts is sent from its start", async () => {
  const { again, answers, sent } = bench();
  answers.push({ result: "delivered", receipt: "a" }, { result: "unknown", reason: "reset" });
  assert.deepEqual(await again(), { result: "unknown", reason: "part 2 of 4: reset" });
  sent();
  await again({ text: "six seven eight" });
  assert.deepEqual(
    sent().map(({ text }) => text),
    ["six", "seven", "eight"],
  );
});

test("after an edit back and forth, every part may be a repeat on each retry", async () => {
  const { again, answers, sent } = bench();
  const repeats = () => sent().map(({ text, maybeRepeat }) => [text, maybeRepeat]);
  const [arrives, lost] = [
    { result: "delivered", receipt: "a" } as const,
    { result: "unknown", reason: "reset" } as const,
  ];
  answers.push(arrives, arrives, lost);
  await again();
  answers.push(arrives, lost);
  await again({ text: "six seven eight", maybeRepeat: true });
  repeats();
  answers.push(arrives, lost);
  await again({ maybeRepeat: true });
  assert.deepEqual(repeats(), [
    ["one", true],
    ["two", true],
  ]);
  await again({ maybeRepeat: true });
  assert.deepEqual(repeats(), [
    ["two", true],
    ["three", true],
    ["four", true],
  ]);
});

test("a rejected part rejects the message, and the reason names the part", async () => {
  const { again, answers, sent } = bench();
  answers.push({ result: "rejected", reason: "too rude" });
  assert.deepEqual(await again(), { result: "rejected", reason: "part 1 of 4: too rude" });
  assert.equal(sent().length, 1);
});

test("an abort between parts sends no further part", async () => {
  const { send, parts } = bench();
  const stopping = new AbortController();
  const save = async (): Promise<void> => stopping.abort();
  const sent = await send(message, attempt({ signal: stopping.signal, save }));
  assert.deepEqual(sent, { result: "retry", reason: "told to stop before part 2 of 4" });
  assert.equal(parts.length, 1);
});

test("a delivered part whose progress cannot be saved makes the message unknown", async () => {
  const { send, parts } = bench();
  const save = (): Promise<void> => Promise.reject(new Error("lease lost"));
  const sent = await send(message, attempt({ save }));
  assert.equal(sent.result, "unknown");
  assert.match("reason" in sent ? sent.reason : "", /part 1 of 4 was delivered, .*lease lost/);
  assert.equal(parts.length, 1);
});

test("unreadable progress counts as none", async () => {
  const { send, parts } = bench();
  for (const progress of [7, "x", [], {}, { text: "other", done: [1] }, { done: 3 }]) {
    assert.equal((await send(message, attempt({ progress }))).result, "delivered");
    assert.equal(parts.splice(0).length, 4);
  }
});

test("long receipts of parts are cut", async () => {
  const { again, answers } = bench();
  answers.push({ result: "delivered", receipt: { id: "x".repeat(5_000) } });
  const { receipt } = (await again()) as { receipt: readonly string[] };
  assert.equal(receipt[0]?.length, 300);
});

test("Markdown is split as sent, and each part has its visible text", async () => {
  const parts: Part[] = [];
  const send = inParts(richPieces(30, telegramHtml), async (part) => {
    parts.push(part);
    return { result: "delivered", receipt: parts.length };
  });
  await send({ ...message, text: "**one two three four** <five>" }, attempt());
  assert.deepEqual(
    parts.map(({ text, plain }) => [text, plain]),
    [
      ["<b>one two three four</b> ", "one two three four "],
      ["&lt;five&gt;", "<five>"],
    ],
  );
  assert.deepEqual(
    parts.map(({ fullMessage }) => fullMessage.text),
    ["**one two three four** <five>", "**one two three four** <five>"],
  );
});

test("a part of only white space is not sent", async () => {
  const texts: string[] = [];
  const send = inParts(richPieces(30, telegramHtml), async ({ plain }) => {
    texts.push(plain.trim());
    return { result: "delivered", receipt: null };
  });
  const text = `\`\`\`\na${"\n".repeat(500)}b\n\`\`\``;
  assert.equal((await send({ ...message, text }, attempt())).result, "delivered");
  assert.deepEqual(texts, ["a", "b"]);
  const nothing = await send({ ...message, text: " \n " }, attempt());
  assert.equal(nothing.result, "rejected");
});

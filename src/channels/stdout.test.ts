import assert from "node:assert/strict";
import { test } from "node:test";
import { stdout } from "./stdout.ts";

const message = { id: "1", owner: "me", address: "daemon", maybeRepeat: false };
const { signal } = new AbortController();

test("a message is printed, and the receipt is its number", async () => {
  const printed: string[] = [];
  const channel = stdout({
    write(text) {
      printed.push(text);
      return Promise.resolve();
    },
  });
  await channel.send({ ...message, text: "안녕" }, signal);
  const sent = await channel.send({ ...message, text: "two\nlines" }, signal);
  assert.deepEqual(printed, ["🔔 안녕\n", "🔔 two\nlines\n"]);
  assert.deepEqual(sent, { result: "delivered", receipt: { line: 2 } });
});

test("a message cannot steer the terminal", async () => {
  let printed = "";
  const channel = stdout({ write: async (text) => void (printed = text) });
  await channel.send({ ...message, text: "\u001B[2J\u202Egone" }, signal);
  assert.equal(printed, "🔔 �[2J�gone\n");
});

test("a terminal that cannot be written to is not a delivery", async () => {
  const channel = stdout({ write: () => Promise.reject(new Error("EPIPE")) });
  const sent = await channel.send({ ...message, text: "x" }, signal);
  assert.deepEqual(sent, { result: "retry", reason: "EPIPE", destinationDown: true });
});

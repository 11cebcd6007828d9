import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../features/notifications/channel.ts";
import { harmless } from "../../platform/text.ts";
import { attempt, channelSuite } from "../../testing/channels/conformance.ts";
import { stdout } from "./stdout.ts";

const message: Omit<Message, "text"> = {
  id: "1",
  owner: "me",
  address: "daemon",
  type: "reminder",
  priority: "normal",
  at: 0,
  maybeRepeat: false,
  language: "en",
};

channelSuite("stdout", () => {
  const printed: string[] = [];
  let write = (): Promise<void> => Promise.resolve();
  return {
    channel: stdout({
      write(text) {
        printed.push(text);
        return write();
      },
    }),
    address: "daemon",
    sentCount: () => printed.length,
    hang() {
      const begun = Promise.withResolvers<void>();
      write = () => {
        begun.resolve();
        return new Promise(() => undefined);
      };
      return begun.promise;
    },
    faults: {
      "the terminal is closed": () => (write = () => Promise.reject(new Error("EPIPE"))),
      "an error with control characters": () =>
        (write = () => Promise.reject(new Error("\u001B[2J"))),
    },
    seen: () => printed.map((text) => text.replace(/^🔔 /u, "").replace(/\n$/, "")),
    shows: harmless,
  };
});

test("a message is printed, and the receipt is its line number", async () => {
  const printed: string[] = [];
  const channel = stdout({
    write(text) {
      printed.push(text);
      return Promise.resolve();
    },
  });
  await channel.send({ ...message, text: "안녕" }, attempt());
  const sent = await channel.send({ ...message, text: "two\nlines" }, attempt());
  assert.deepEqual(printed, ["🔔 안녕\n", "🔔 two\nlines\n"]);
  assert.deepEqual(sent, { result: "delivered", receipt: { line: 2 } });
});

test("a message cannot control the terminal", async () => {
  let printed = "";
  const channel = stdout({ write: async (text) => void (printed = text) });
  await channel.send({ ...message, text: "\u001B[2J\u202Egone" }, attempt());
  assert.equal(printed, "🔔 �[2J�gone\n");
});

test("a failed write to the terminal is not a delivery", async () => {
  const channel = stdout({ write: () => Promise.reject(new Error("EPIPE")) });
  const sent = await channel.send({ ...message, text: "x" }, attempt());
  assert.deepEqual(sent, { result: "retry", reason: "EPIPE", destinationDown: true });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "../../../test/hand-clock.ts";
import type { ChatAnswer } from "../../kernel/chat.ts";
import { log } from "../../platform/log.ts";
import type { ChatInput } from "./chat.ts";
import { conversations, type Conversations } from "./conversations.ts";

interface Fixture {
  chats: Conversations;
  happened: string[];
  lines: string[];
  /** Takes an input at an address; its answer waits for `free`. */
  take(address: string, id: string): Promise<void>;
  /** Releases the handling or the answering of an input. */
  free(what: string): Promise<void>;
}

function fixture(handler?: (input: ChatInput) => Promise<ChatAnswer>): Fixture {
  const happened: string[] = [];
  const lines: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (what: string): PromiseWithResolvers<void> => {
    const made = gates.get(what) ?? Promise.withResolvers<void>();
    gates.set(what, made);
    return made;
  };
  const gated = async (what: string): Promise<void> => {
    happened.push(`${what}?`);
    await gate(what).promise;
    happened.push(what);
  };
  const noted = log({
    write: (line) => void lines.push(line),
    clock: { wall: () => 0 },
    level: "debug",
    format: "json",
    color: false,
  });
  const usual = async ({ id }: ChatInput): Promise<ChatAnswer> => {
    await gated(`handle ${id}`);
    return { text: id };
  };
  const chats = conversations({ handler: handler ?? usual, log: noted });
  return {
    chats,
    happened,
    lines,
    take(address, id) {
      const sender = { id: "1", name: "" };
      const input = { channel: "telegram", id, sender, address, content: { text: "" } };
      return chats.take(input, ({ text = "" }) => gated(`answer ${text}`));
    },
    async free(what) {
      gate(what).resolve();
      await settled();
    },
  };
}

test("at one address, an input is handled after the one before, whose answer may be pending", async () => {
  const { take, free, happened, chats } = fixture();
  const first = take("a", "1");
  void take("a", "2");
  await settled();
  assert.deepEqual(happened, ["handle 1?"]);
  await free("handle 1");
  await first;
  assert.deepEqual(happened.splice(0), ["handle 1?", "handle 1", "answer 1?", "handle 2?"]);
  await free("handle 2");
  assert.deepEqual(happened.splice(0), ["handle 2"]);
  await free("answer 1");
  assert.deepEqual(happened.splice(0), ["answer 1", "answer 2?"]);
  let isIdle = false;
  const idle = chats.idle().then(() => (isIdle = true));
  await settled();
  assert.equal(isIdle, false);
  await free("answer 2");
  await idle;
});

test("addresses do not wait for each other", async () => {
  const { take, free, happened } = fixture();
  void take("a", "1");
  void take("b", "2");
  await settled();
  await free("handle 2");
  await free("answer 2");
  assert.deepEqual(happened, ["handle 1?", "handle 2?", "handle 2", "answer 2?", "answer 2"]);
});

test("a repeated input is handled once, and acknowledged only when it is handled", async () => {
  const { take, free, happened } = fixture();
  void take("a", "1");
  let isHeard = false;
  const again = take("a", "1").then(() => (isHeard = true));
  await settled();
  assert.equal(isHeard, false);
  await free("handle 1");
  await again;
  await free("answer 1");
  await take("a", "1");
  assert.deepEqual(happened, ["handle 1?", "handle 1", "answer 1?", "answer 1"]);
});

test("an address with too many pending answers waits before the next input", async () => {
  const { take, free, happened, chats } = fixture(async ({ id }) => ({ text: id }));
  const all = Array.from({ length: 30 }, (_, at) => take("a", `${at}`));
  await Promise.all(all.slice(0, 20));
  let isMore = false;
  void all[20]?.then(() => (isMore = true));
  await settled();
  assert.equal(isMore, false);
  for (let at = 0; at < 30; at += 1) await free(`answer ${at}`);
  await chats.idle();
  assert.equal(happened.filter((what) => !what.endsWith("?")).length, 30);
});

test("a failure is logged, and the next input is handled and answered", async () => {
  const { take, chats, lines } = fixture(async ({ id }) => {
    if (id === "bad") throw new Error("broken");
    return {};
  });
  const answered: string[] = [];
  const heard = (id: string): ChatInput => {
    return { channel: "x", id, sender: { id: "1", name: "" }, address: "a", content: { text: "" } };
  };
  void take("a", "bad");
  void chats.take(heard("1"), () => Promise.reject(new Error("gone")));
  void chats.take(heard("2"), async () => void answered.push("2"));
  await chats.idle();
  assert.deepEqual(answered, ["2"]);
  assert.equal(lines.length, 2);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "../../../test/hand-clock.ts";
import { log } from "../../platform/log.ts";
import type { Heard, Told } from "./chat.ts";
import { inOrder, type Ears } from "./conversations.ts";

interface Scene {
  ears: Ears;
  happened: string[];
  lines: string[];
  /** Hears it in a place; the answer waits until it is let go. */
  take(place: string, id: string): Promise<void>;
  /** Lets the hearing or the answering of one go on. */
  free(what: string): Promise<void>;
}

function scene(hear?: (heard: Heard) => Promise<Told>): Scene {
  const happened: string[] = [];
  const lines: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (what: string): PromiseWithResolvers<void> => {
    const made = gates.get(what) ?? Promise.withResolvers<void>();
    gates.set(what, made);
    return made;
  };
  const passing = async (what: string): Promise<void> => {
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
  const usual = async ({ id }: Heard): Promise<Told> => {
    await passing(`hear ${id}`);
    return { text: id };
  };
  const ears = inOrder({ hear: hear ?? usual, log: noted });
  return {
    ears,
    happened,
    lines,
    take(place, id) {
      const sender = { id: "1", name: "" };
      const heard = { channel: "telegram", id, sender, place, what: { said: "" } };
      return ears.hear(heard, ({ text = "" }) => passing(`answer ${text}`));
    },
    async free(what) {
      gate(what).resolve();
      await settled();
    },
  };
}

test("in a place, the next is heard after the one before, whose answer may still be under way", async () => {
  const { take, free, happened, ears } = scene();
  const first = take("a", "1");
  void take("a", "2");
  await settled();
  assert.deepEqual(happened, ["hear 1?"]);
  await free("hear 1");
  await first;
  assert.deepEqual(happened.splice(0), ["hear 1?", "hear 1", "answer 1?", "hear 2?"]);
  await free("hear 2");
  assert.deepEqual(happened.splice(0), ["hear 2"]);
  await free("answer 1");
  assert.deepEqual(happened.splice(0), ["answer 1", "answer 2?"]);
  let isIdle = false;
  const idle = ears.idle().then(() => (isIdle = true));
  await settled();
  assert.equal(isIdle, false);
  await free("answer 2");
  await idle;
});

test("places do not wait for each other", async () => {
  const { take, free, happened } = scene();
  void take("a", "1");
  void take("b", "2");
  await settled();
  await free("hear 2");
  await free("answer 2");
  assert.deepEqual(happened, ["hear 1?", "hear 2?", "hear 2", "answer 2?", "answer 2"]);
});

test("what is told again is heard once, and known to be heard only then", async () => {
  const { take, free, happened } = scene();
  void take("a", "1");
  let isHeard = false;
  const again = take("a", "1").then(() => (isHeard = true));
  await settled();
  assert.equal(isHeard, false);
  await free("hear 1");
  await again;
  await free("answer 1");
  await take("a", "1");
  assert.deepEqual(happened, ["hear 1?", "hear 1", "answer 1?", "answer 1"]);
});

test("a place where answers pile up is heard no further until they are out", async () => {
  const { take, free, happened, ears } = scene(async ({ id }) => ({ text: id }));
  const all = Array.from({ length: 30 }, (_, at) => take("a", `${at}`));
  await Promise.all(all.slice(0, 20));
  let isMore = false;
  void all[20]?.then(() => (isMore = true));
  await settled();
  assert.equal(isMore, false);
  for (let at = 0; at < 30; at += 1) await free(`answer ${at}`);
  await ears.idle();
  assert.equal(happened.filter((what) => !what.endsWith("?")).length, 30);
});

test("what fails is told, and the next is heard and answered", async () => {
  const { take, ears, lines } = scene(async ({ id }) => {
    if (id === "bad") throw new Error("broken");
    return {};
  });
  const answered: string[] = [];
  const heard = (id: string): Heard => {
    return { channel: "x", id, sender: { id: "1", name: "" }, place: "a", what: { said: "" } };
  };
  void take("a", "bad");
  void ears.hear(heard("1"), () => Promise.reject(new Error("gone")));
  void ears.hear(heard("2"), async () => void answered.push("2"));
  await ears.idle();
  assert.deepEqual(answered, ["2"]);
  assert.equal(lines.length, 2);
});

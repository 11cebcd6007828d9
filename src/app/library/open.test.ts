import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Channel, Message } from "../../features/notifications/channel.ts";
import { makeNotification } from "../../features/notifications/kind.ts";
import { hasCode } from "../../platform/errors.ts";
import { loadConfig } from "../config/load.ts";
import { open, type Daybook, type OpenOptions } from "./open.ts";

interface Heard {
  channel: Channel;
  messages: Message[];
  /** The next message to come. */
  next(): Promise<Message>;
}

/** A channel that keeps what it is given. */
function ear(): Heard {
  const messages: Message[] = [];
  let waiting = Promise.withResolvers<Message>();
  const channel: Channel = {
    name: "ear",
    send(message) {
      messages.push(message);
      waiting.resolve(message);
      waiting = Promise.withResolvers();
      return Promise.resolve({ result: "delivered", receipt: messages.length });
    },
  };
  return { channel, messages, next: () => waiting.promise };
}

async function ask(book: Daybook, message: string): Promise<string> {
  const where = { target: "ear:mina", origin: "ear:mina" };
  const draft = makeNotification({ message, at: 0, atText: "now", ...where });
  return (await book.ledger.of("mina", "test").append(draft)).id;
}

describe("an open book", { timeout: 120_000 }, () => {
  test("says what is written into it, and keeps the receipt", async () => {
    const { channel, next } = ear();
    const book = await open({ store: "memory:", channels: [channel] });
    await book.start();
    const heard = next();
    const id = await ask(book, "hi");
    const { maybeRepeat, ...message } = await heard;
    const said = { id, owner: "mina", address: "mina", text: "hi", at: 0 };
    const kind = { type: "reminder", priority: "normal", language: "en" };
    assert.deepEqual(message, { ...said, ...kind });
    assert.equal(maybeRepeat, false);
    await book.stop();
    const record = await book.ledger.of("mina", "test").get(id);
    assert.equal(record?.state, "delivered");
    assert.deepEqual(record?.outcome, { receipt: 1, reason: null, maybeDelivered: false });
    await book.close();
  });
  test("does nothing before it is started", async () => {
    const { channel, messages, next } = ear();
    const book = await open({ store: "memory:", channels: [channel] });
    const id = await ask(book, "early bird");
    assert.equal((await book.ledger.of("mina", "test").get(id))?.attempt, 0);
    const heard = next();
    await book.start();
    await heard;
    await book.close();
    assert.equal(messages.length, 1);
  });
  test("knows nothing of another in the same process", async () => {
    const rooms = await Promise.all(
      ["one", "two", "three"].map(async (name) => {
        const { channel, messages, next } = ear();
        const book = await open({ store: "memory:", channels: [channel] });
        return { name, book, messages, next };
      }),
    );
    await Promise.all(rooms.map(({ book }) => book.start()));
    const heard = rooms.map(({ next }) => next());
    await Promise.all(rooms.map(({ book, name }) => ask(book, name)));
    await Promise.all(heard);
    await Promise.all(rooms.map(({ book }) => book.close()));
    for (const { name, messages } of rooms) {
      assert.deepEqual(
        messages.map(({ text }) => text),
        [name],
      );
    }
  });
  test("can be stopped and started again, and twice does no harm", async () => {
    const { channel, messages, next } = ear();
    const book = await open({ store: "memory:", channels: [channel] });
    for (const word of ["first", "second"]) {
      await Promise.all([book.start(), book.start()]);
      const heard = next();
      await ask(book, word);
      await heard;
      await Promise.all([book.stop(), book.stop()]);
    }
    const silent = await ask(book, "nobody works");
    assert.equal((await book.ledger.of("mina", "test").get(silent))?.state, "pending");
    await book.close();
    await book.close();
    assert.deepEqual(
      messages.map(({ text }) => text),
      ["first", "second"],
    );
  });
  test("fails what has no channel, and says why", async () => {
    const book = await open({ store: "memory:" });
    const mina = book.ledger.of("mina", "test");
    const id = await ask(book, "hello?");
    await book.start();
    await book.stop();
    const record = await mina.get(id);
    assert.equal(record?.state, "failed");
    assert.deepEqual(record?.outcome, {
      receipt: null,
      reason: 'the channel "ear" is not configured on this node',
      maybeDelivered: false,
    });
    await book.close();
    await assert.rejects(mina.get(id), (error) => hasCode(error, "closed"));
  });
  test("is copied to a file while it is in use", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-open-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const book = await open({ store: `sqlite:${join(folder, "book.db")}` });
    const id = await ask(book, "keep me");
    assert.equal((await book.backup(join(folder, "copy.db"))).records, 1);
    await book.close();
    const copy = await open({ store: `sqlite:${join(folder, "copy.db")}` });
    assert.equal((await copy.ledger.of("mina", "test").get(id))?.state, "pending");
    await copy.close();
  });
  test("runs what task() made, and says so of a name", async () => {
    const book = await open({ store: "memory:" });
    const nameAlone = "nope" as unknown as Parameters<Daybook["run"]>[0];
    await assert.rejects(book.run(nameAlone, {}), {
      code: "invalid",
      message: "run takes what task() made: give that, or ask for one by its name with runTask.",
    });
    await book.close();
  });
  test("cannot be copied when it is only in memory, and says so", async () => {
    const book = await open({ store: "memory:" });
    await assert.rejects(book.backup("x"), (error) => hasCode(error, "unsupported"));
    await book.close();
  });
  test("is refused with the sentence that the file would get, and every problem at once", async () => {
    const options = { store: "banana", timezone: "Asia/Soul", leaseSeconds: 0, keepDays: 0.5 };
    const file = Object.entries(options).map(([key, value]) => `${key}: ${value}`);
    const readText = (path: string): string | undefined =>
      path === "/a/daybook.yaml" ? file.join("\n") : undefined;
    const parts = { env: {}, flags: {}, cwd: "/a", isTerminal: false, readText };
    const said = (error: unknown): string[] => {
      assert.ok(hasCode(error, "invalid"), String(error));
      return error.message.split("\n").map((line) => line.replace(/^\S+ {2}/, ""));
    };
    const ours = said(await open(options).catch((error: unknown) => error)).toSorted();
    assert.deepEqual(ours, [
      "keepDays is 0.5: write a whole number from 1 to 36500.",
      "leaseSeconds is 0: write a number from 1 to 21600.",
      'store is "banana": write sqlite:PATH, file:FOLDER, postgres://…, or memory: for a trial.',
      'timezone is "Asia/Soul": write a time zone like "Asia/Seoul".',
    ]);
    assert.throws(
      () => loadConfig(parts),
      (error) => (assert.deepEqual(said(error).toSorted(), ours), true),
    );
  });
  const wrong: [options: unknown, says: string][] = [
    [undefined, "open()  store is missing: write sqlite:PATH, file:"],
    ["memory:", 'open()  the options object is "memory:": write keys and values'],
    [{ store: "memory:", timezoen: "UTC" }, 'unknown key "timezoen": did you mean "timezone"?'],
    [{ store: "memory:", leaseMs: 5 }, 'unknown key "leaseMs": '],
    [{ store: "memory:", http: {} }, 'unknown key "http": use one of store, timezone, '],
    [{ store: "memory:", owners: { mina: { quite: 1 } } }, 'in owners.mina: did you mean "quiet"?'],
    [{ store: "memory:", channels: {} }, "channels is a group of keys: write a list of channels"],
    [{ store: "memory:", channels: [{ name: "X" }] }, "channels[0] is invalid: write a list"],
    [{ store: "memory:", log: "info" }, 'log is "info": write a function of a line'],
    [{ store: "memory:", timezone: () => "secret" }, "timezone is a function: write a time zone"],
    [{ store: { env: "DAYBOOK_NO_SUCH" } }, "store needs the variable DAYBOOK_NO_SUCH: set it"],
  ];
  for (const [options, says] of wrong) {
    test(`is refused with ${JSON.stringify(options)}: ${says}`, async () => {
      const opening = open(options as OpenOptions);
      await assert.rejects(opening, (error) => {
        return hasCode(error, "invalid") && error.message.includes(says);
      });
    });
  }
  test("goes by what is set for an owner, and what is undefined counts as not set", async () => {
    const quiet = { from: "22:00", to: "07:00" };
    const owners = { mina: { timezone: "Asia/Seoul", language: "ko", quiet } } as const;
    const unset: object = { language: undefined };
    const book = await open({ store: "memory:", timezone: "UTC", owners, ...unset });
    const { profile: hers } = await book.as({ owner: "mina", by: "mina" }).whoami({});
    const { profile: mine } = await book.whoami({});
    assert.deepEqual([hers.timezone.value, hers.language.value], ["Asia/Seoul", "ko"]);
    assert.deepEqual([mine.timezone.value, mine.language.value], ["UTC", "en"]);
    await book.close();
  });
});

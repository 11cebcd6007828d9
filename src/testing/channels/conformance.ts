import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, test, type TestContext } from "node:test";
import { unmarked, type Message, type SendAttempt } from "../../features/notifications/channel.ts";
import { readSent, type Sent } from "../../features/notifications/receipt.ts";
import { arrivalCases } from "./arrival-cases.ts";
import { markCases } from "./mark-cases.ts";
import type { MakeRig, Marker, Rig, Sender } from "./rig.ts";

const message: Omit<Message, "address"> = {
  id: "01980000-0000-7000-8000-000000000001",
  owner: "me",
  text: "약 먹을 시간",
  type: "reminder",
  priority: "normal",
  at: 1_800_000_000_000,
  maybeRepeat: false,
  language: "en",
};

/** An attempt with defaults. */
export function attempt(given: Partial<SendAttempt> = {}): SendAttempt {
  const { signal } = new AbortController();
  return { signal, progress: null, save: () => Promise.resolve(), ...given };
}

/** The contract of every channel. */
export function channelSuite(name: string, make: MakeRig): void {
  const sender: Sender = async (t: TestContext) => {
    const rig = await make(t);
    const send = async (part: Partial<Message> = {}, given: Partial<SendAttempt> = {}) => {
      const sent = await rig.channel.send(
        { ...message, address: rig.address, ...part },
        attempt(given),
      );
      assertReadable(sent, rig);
      return sent;
    };
    return { rig, send };
  };
  const marker: Marker = async (t, text = "약 먹을 시간") => {
    const { rig, send } = await sender(t);
    const { mark: show } = rig.channel;
    assert.equal(
      show === undefined,
      rig.marked === undefined,
      "a rig with marks shows received messages",
    );
    const sent = await send({ text });
    const receipt = "receipt" in sent ? sent.receipt : null;
    const said = { ...message, text, address: rig.address, receipt };
    const mark: Awaited<ReturnType<Marker>>["mark"] = async (part, given = {}) => {
      const marked = (await show?.({ ...said, ...part }, attempt(given))) ?? unmarked;
      assertReadable(marked, rig);
      return marked;
    };
    return { rig, sent, mark };
  };
  void describe(`${name} as a channel`, () => {
    plainCases(sender);
    abortCases(sender);
    hostileCases(sender);
    faultCases(sender, make);
    arrivalCases(sender);
    markCases(marker);
  });
}

/** The result survives parsing, and has no control characters and no secret. */
function assertReadable(sent: Sent, { secret }: Rig): void {
  assert.deepEqual(readSent(sent), sent);
  const text = JSON.stringify(sent);
  if (secret !== undefined) assert.ok(!text.includes(secret), `a secret leaks: ${text}`);
  if ("reason" in sent) assert.doesNotMatch(sent.reason, /[\p{Cc}\p{Bidi_Control}]/u);
}

function plainCases(sender: Sender): void {
  void test("a sent message is delivered, with a receipt", async (t) => {
    const { rig, send } = await sender(t);
    const sent = await send();
    assert.equal(sent.result, "delivered", JSON.stringify(sent));
    assert.equal(rig.sentCount(), 1);
  });
  void test("a message keeps its key on every attempt, and no other message has it", async (t) => {
    const { rig, send } = await sender(t);
    if (rig.keys === undefined) return t.skip("this medium has no idempotency key");
    await send();
    await send({ maybeRepeat: true });
    await send({ id: "01980000-0000-7000-8000-000000000002" });
    const [first, repeat, other] = rig.keys();
    assert.ok(first);
    assert.equal(repeat, first);
    assert.notEqual(other, first);
  });
}

function abortCases(sender: Sender): void {
  void test("an abort before the call sends nothing, and the message can be retried", async (t) => {
    const { rig, send } = await sender(t);
    const sent = await send({}, { signal: AbortSignal.abort() });
    assert.equal(sent.result, "retry");
    assert.equal("destinationDown" in sent, false);
    assert.equal(rig.sentCount(), 0);
  });
  void test("an abort during the call never ends in a delivery", async (t) => {
    const { rig, send } = await sender(t);
    const stopping = new AbortController();
    const arrived = rig.hang();
    const sending = send({}, { signal: stopping.signal });
    await Promise.race([arrived, sending]);
    assert.equal(rig.sentCount(), 1, "the request is in flight");
    stopping.abort(new Error("the lease is lost"));
    const sent = await sending;
    assert.ok(["unknown", "retry"].includes(sent.result), JSON.stringify(sent));
    // A message that arrived must not be retried as if it had not.
    if ((rig.seen?.() ?? []).length > 0) assert.equal(sent.result, "unknown");
  });
  void test("a finished call leaves no listener on the signal", async (t) => {
    const { send } = await sender(t);
    const { signal } = new AbortController();
    await send({}, { signal });
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
}

const hostileTexts: Readonly<Record<string, string>> = {
  "control characters": "\u0000\u0007\u001B[2J\u001B]0;owned\u0007\r\n\u202Egone\u0085",
  "half a surrogate pair": "\uD83D and \uDE00",
  "a text like an option": "--help",
  "a text like a script": `"; do shell script "touch /tmp/x" --'$(id)\`id\`%s\\n<b>&amp;`,
  "a million characters": "가나다 ".repeat(250_000),
  "a million line ends": `x${"\n".repeat(1_000_000)}x`,
};

function hostileCases(sender: Sender): void {
  for (const [what, text] of Object.entries(hostileTexts)) {
    void test(`a message with ${what} is delivered, and so is the next one`, async (t) => {
      const { send } = await sender(t);
      const sent = await send({ text });
      assert.equal(sent.result, "delivered", JSON.stringify(sent));
      assert.equal((await send()).result, "delivered");
    });
  }
  void test("an unknown address gets an answer, with any characters", async (t) => {
    const { send } = await sender(t);
    for (const address of ["../..", "a b", "é", "x".repeat(200), "'\"$(id)", "-x", "__proto__"]) {
      await send({ address });
    }
  });
}

function faultCases(sender: Sender, make: MakeRig): void {
  void test("no failure of the peer throws or counts as a delivery", async (t) => {
    const { faults } = await make(t);
    for (const name of Object.keys(faults)) {
      const { rig, send } = await sender(t);
      await rig.faults[name]?.();
      const sent = await send();
      assert.notEqual(sent.result, "delivered", `${name}: ${JSON.stringify(sent)}`);
    }
    assert.ok(Object.keys(faults).length > 0, "the rig has at least one failure");
  });
  void test("progress that cannot be saved does not throw", async (t) => {
    const { send } = await sender(t);
    await send(
      { text: "word ".repeat(2_000) },
      { save: () => Promise.reject(new Error("no store")) },
    );
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Channel, Mark, Message } from "./channel.ts";
import { deliverer } from "./controller.ts";
import { makeNotification, type NotificationKind, notificationKind } from "./kind.ts";
import { makeMark } from "./mark.ts";
import type { Sent } from "./receipt.ts";

const proof = { chat: 7, messages: [41] };
const shown: Sent = { result: "delivered", receipt: { marked: 41 } };

interface Chat extends Channel {
  readonly sent: Message[];
  readonly marks: Mark[];
}

/** A channel that shows marks with the result of the test. */
function chat(answer: (mark: Mark) => Sent | Promise<Sent> = () => shown): Chat {
  const [sent, marks]: [Message[], Mark[]] = [[], []];
  return {
    name: "fake",
    sent,
    marks,
    async send(message) {
      sent.push(message);
      return { result: "delivered", receipt: proof };
    },
    async mark(mark) {
      marks.push(mark);
      return answer(mark);
    },
  };
}

async function get(at: NodeFixture, id: string): Promise<LedgerRecord<NotificationKind>> {
  const record = await at.ledger.of("mina", "mina").get(id);
  return is(notificationKind, record) ? record : assert.fail(`there is no ${id}`);
}

async function ask(
  at: NodeFixture,
  placement: Parameters<typeof makeNotification>[1] = {},
): Promise<string> {
  const body = { message: "**tea**", at: at.kernel.now(), atText: "now", origin: null };
  const draft = makeNotification({ ...body, target: "fake:7" }, placement);
  return (await at.ledger.of("mina", "mina").append(draft)).id;
}

async function mark(at: NodeFixture, id: string, message = "✓ Done"): Promise<string> {
  const words = { message, now: at.kernel.now(), change: message };
  return (await at.ledger.of("mina", "mina").append(makeMark(await get(at, id), words))).id;
}

async function run(at: NodeFixture, to: Channel, profile: Partial<Profile> = {}): Promise<void> {
  const { clock, ledger } = at;
  const reader = { ...plainProfile, ...profile };
  const options = { channels: [to], clock, ledger, profile: () => Promise.resolve(reader) };
  await runController(deliverer(options), at.ports, at.options).start();
  await at.pass(0);
}

/** The state of a mark and its proof. */
async function end(at: NodeFixture, id: string): Promise<unknown[]> {
  const { state, outcome } = await get(at, id);
  return [state, outcome?.receipt ?? outcome?.reason];
}

test("a mark changes the sent message, and sends no other", async () => {
  const at = nodeFixture();
  const to = chat();
  const id = await ask(at);
  await run(at, to, { language: "ko" });
  const made = await mark(at, id);
  await at.pass(0);
  assert.deepEqual(await end(at, made), ["delivered", { marked: 41 }]);
  const [{ id: of, text, address, language, mark: words, receipt } = assert.fail()] = to.marks;
  assert.deepEqual([of, text, address, language], [id, "**tea**", "7", "ko"]);
  assert.deepEqual([words, receipt], ["✓ Done", proof]);
  assert.equal(to.sent.length, 1, "only the message itself");
});

test("quiet hours do not delay a mark", async () => {
  const at = nodeFixture();
  const to = chat();
  const id = await ask(at, { priority: "high" });
  await run(at, to, { quiet: { from: "00:00", to: "23:59" } });
  const made = await mark(at, id);
  await at.pass(0);
  assert.deepEqual(await end(at, made), ["delivered", { marked: 41 }]);
});

test("a channel without marks ends the mark without a retry", async () => {
  const at = nodeFixture();
  const { mark: _, ...to } = chat();
  const id = await ask(at);
  await run(at, to);
  const made = await mark(at, id);
  await at.pass(0);
  assert.deepEqual(await end(at, made), ["delivered", { unsupported: true }]);
});

test("a mark waits for a message that is being sent", async () => {
  const at = nodeFixture();
  const to = chat();
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const slow = { ...to, send: () => promise };
  const id = await ask(at);
  await run(at, slow);
  const made = await mark(at, id);
  await at.pass(0);
  assert.deepEqual(to.marks, []);
  assert.deepEqual(await end(at, made), ["pending", "the message is not sent yet"]);
  resolve({ result: "delivered", receipt: proof });
  await at.pass(10_000);
  assert.deepEqual(await end(at, made), ["delivered", { marked: 41 }]);
});

test("a message that never arrived gets no mark", async () => {
  const at = nodeFixture();
  const to = { ...chat(), send: async (): Promise<Sent> => ({ result: "rejected", reason: "no" }) };
  const id = await ask(at);
  await run(at, to);
  const made = await mark(at, id);
  await at.pass(0);
  assert.deepEqual(to.marks, []);
  assert.equal((await get(at, made)).state, "delivered");
});

test("the newest of several marks is shown, even after retries", async () => {
  const at = nodeFixture();
  const answers: Sent[] = [{ result: "retry", reason: "busy", afterMs: 60_000 }];
  const to = chat(() => answers.shift() ?? shown);
  const id = await ask(at);
  await run(at, to);
  const older = await mark(at, id, "⏰ Put off");
  await at.pass(0);
  const newer = await mark(at, id, "✓ Done");
  await at.pass(120_000);
  assert.deepEqual(
    to.marks.map((each) => each.mark),
    ["⏰ Put off", "✓ Done"],
  );
  assert.deepEqual(await end(at, newer), ["delivered", { marked: 41 }]);
  const why = { nothing: `a newer mark is shown: ${newer}` };
  assert.deepEqual(await end(at, older), ["delivered", why]);
});

test("a newer mark waits for an older one in progress", async () => {
  const at = nodeFixture();
  const { promise, resolve } = Promise.withResolvers<Sent>();
  const to = chat(({ mark: words }) => (words === "⏰ Put off" ? promise : shown));
  const id = await ask(at);
  await run(at, to);
  await mark(at, id, "⏰ Put off");
  await at.pass(0);
  const newer = await mark(at, id, "✓ Done");
  await at.pass(0);
  assert.equal(to.marks.length, 1);
  resolve(shown);
  await at.pass(10_000);
  assert.deepEqual(to.marks.map((each) => each.mark).at(-1), "✓ Done");
  assert.equal((await get(at, newer)).state, "delivered");
});

test("a mark that cannot be shown fails without a notice to its owner", async () => {
  for (const result of ["rejected", "retry"] as const) {
    const at = nodeFixture();
    const id = await ask(at);
    const to = chat(() => ({ result, reason: "no" }));
    await run(at, to);
    const made = await mark(at, id);
    await at.pass(6 * 3_600_000);
    assert.equal((await get(at, made)).state, "failed");
    assert.equal(to.marks.length, result === "retry" ? 12 : 1);
    const { records } = await at.ledger.of("mina", "mina").list({ kind: notificationKind });
    assert.deepEqual(
      records.map((record) => record.id),
      [id, made],
    );
  }
});

test("a failed mark is shown after a manual retry", async () => {
  const at = nodeFixture();
  const answers: Sent[] = [{ result: "rejected", reason: "closed" }];
  const to = chat(() => answers.shift() ?? shown);
  const id = await ask(at);
  await run(at, to);
  const failed = await get(at, await mark(at, id));
  await at.pass(0);
  const again = { ...makeNotification(failed.body), parent: failed.id };
  const { id: made } = await at.ledger.of("mina", "mina").append(again);
  await at.pass(0);
  assert.deepEqual(await end(at, made), ["delivered", { marked: 41 }]);
});

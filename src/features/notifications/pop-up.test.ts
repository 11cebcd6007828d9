import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { popUp } from "../../adapters/channels/desktop.ts";
import { is } from "../../kernel/kind.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { runController } from "../../kernel/runtime.ts";
import { log } from "../../platform/log.ts";
import { nodeFixture, type NodeFixture } from "../../testing/node-fixture.ts";
import { timeOfDay } from "../../time/times.ts";
import { plainProfile } from "../accounts/profile.ts";
import type { Channel } from "./channel.ts";
import { deliverer } from "./controller.ts";
import { makeNotification, socketQueue, type NotificationKind, notificationKind } from "./kind.ts";
import { popUpController, unreadQueue } from "./pop-up.ts";
import type { Sent } from "./receipt.ts";

interface Screen extends Channel {
  readonly shown: string[];
}

function screen(answer: () => Promise<Sent>): Screen {
  const shown: string[] = [];
  const send: Channel["send"] = ({ text }) => {
    shown.push(text);
    return answer();
  };
  return { name: "desktop", shown, send };
}
const yes = (): Promise<Sent> => Promise.resolve({ result: "delivered", receipt: { shown: true } });

/** A node that shows pop-ups for Mina's inbox. */
async function point(at: NodeFixture, to: Channel, set: Partial<Profile> = {}): Promise<string[]> {
  const { clock, ledger, ports, options } = at;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const quietly = log({ write, clock, level: "warn", format: "json", color: false });
  const channels = [popUp(to, { clock, log: quietly })];
  const profile = (): Promise<Profile> => Promise.resolve({ ...plainProfile, ...set });
  const delivery = popUpController(deliverer({ channels, clock, ledger, profile }));
  const lane = "inbox:mina";
  await runController({ ...delivery, queue: socketQueue }, ports, { ...options, lane }).start();
  return lines;
}

async function ask(at: NodeFixture, message: string, inMs = 0): Promise<string> {
  const due = at.kernel.now() + inMs;
  const body = { message, at: due, atText: "then", target: "inbox:mina", origin: null };
  return (await at.ledger.of("mina", "mina").append(makeNotification(body))).id;
}

async function found(at: NodeFixture, id: string): Promise<LedgerRecord<NotificationKind>> {
  const record = await at.ledger.of("mina", "mina").get(id);
  assert.ok(is(notificationKind, record));
  return record;
}

describe("a pop-up", () => {
  test("announces a message once, at its time, and leaves it unread", async () => {
    const at = nodeFixture();
    const to = screen(yes);
    await point(at, to);
    const id = await ask(at, "tea", 60_000);
    await at.pass(59_999);
    assert.deepEqual(to.shown, []);
    await at.pass(86_400_000);
    assert.deepEqual(to.shown, ["tea"]);
    const { state, queue, attempt, outcome } = await found(at, id);
    assert.deepEqual([state, queue, attempt], ["pending", unreadQueue, 0]);
    assert.deepEqual(outcome, { receipt: null, reason: null, maybeDelivered: false });
  });

  test("that fails is logged, and the message still waits", async () => {
    const at = nodeFixture();
    const to = screen(() => Promise.resolve({ result: "rejected", reason: "no display" }));
    const lines = await point(at, to);
    const id = await ask(at, "tea");
    await at.pass(60_000);
    assert.deepEqual(to.shown, ["tea"]);
    assert.match(lines.join("\n"), /pop-up failed.*no display/);
    assert.doesNotMatch(lines.join("\n"), /tea/);
    assert.equal((await found(at, id)).queue, unreadQueue);
  });

  test("that hangs delays the message by at most six seconds", async () => {
    const at = nodeFixture();
    const never = new Promise<Sent>(() => undefined);
    await point(
      at,
      screen(() => never),
    );
    const id = await ask(at, "tea");
    await at.pass(6_100);
    assert.equal((await found(at, id)).queue, unreadQueue);
  });

  test("in quiet hours waits for their end, and announces only the digest", async () => {
    const at = nodeFixture();
    const to = screen(yes);
    const minutes = (count: number): string =>
      timeOfDay(at.kernel.now() + count * 60_000, plainProfile.zone);
    await point(at, to, { quiet: { from: minutes(-1), to: minutes(10) } });
    await ask(at, "tea");
    await ask(at, "cake");
    await at.pass(9 * 60_000);
    assert.deepEqual(to.shown, []);
    await at.pass(60 * 60_000);
    assert.equal(to.shown.length, 1);
    assert.match(to.shown[0] ?? "", /tea[^]*cake/);
  });
});

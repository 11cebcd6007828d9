import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { pendingWork } from "../src/app/testing-kit/pending-work.ts";
import { setProfile } from "../src/features/accounts/operations/profile.ts";
import { plainProfile } from "../src/features/accounts/profile.ts";
import type { Channel } from "../src/features/notifications/channel.ts";
import { deliverer } from "../src/features/notifications/controller.ts";
import { scheduler } from "../src/features/schedules/controller.ts";
import { runController } from "../src/kernel/runtime.ts";
import type { TelegramServer } from "../src/testing/chats/telegram-server.ts";
import { fakeRunner, runFixture } from "../src/testing/run-fixture.ts";
import { chatFixture, type ChatFixture } from "./chat-fixture.ts";
import { group, telegramHere } from "./chat-telegram.ts";

interface Scenario {
  readonly peer: TelegramServer;
  readonly fixture: ChatFixture;
  /** Advances virtual time and waits for the messages. */
  pass(ms: number): Promise<void>;
}

/** A node that decides slots, runs them and sends their output, and Mina in a group. */
async function scenario(t: TestContext): Promise<Scenario> {
  const { peer, channel } = await telegramHere(t);
  const at = runFixture();
  const { ledger, clock, kernel } = at;
  const waits = pendingWork(() => kernel.runUntil(kernel.now()), 20_000);
  const sent: Channel = { ...channel, send: (...given) => waits.on(channel.send(...given)) };
  const profile = () => Promise.resolve(plainProfile);
  const agent = fakeRunner(({ input }) => ({
    result: "completed",
    said: `did: ${(input as { agent: string }).agent}`,
  }));
  await at.node({ ...agent, name: "agent" });
  const parts = { ledger, clock, profile };
  await runController(scheduler(parts), at.ports, at.options).start();
  await runController(deliverer({ ...parts, channels: [sent] }), at.ports, at.options).start();
  return {
    peer,
    fixture: chatFixture({ ledger, now: kernel.now }),
    async pass(ms) {
      const until = kernel.now() + ms;
      do {
        await waits.settled();
        await kernel.runUntil(until, waits.isBusy);
      } while (waits.isBusy());
    },
  };
}

test("a schedule created in a topic reports its runs in that topic only", async (t) => {
  const { peer, fixture, pass } = await scenario(t);
  await setProfile.run({ home: "telegram:7" }, fixture.mina);
  await fixture.text("/every 1h read the news", { address: `${group}:7` });
  await fixture.text("/every 2h count the mail", { address: `${group}:8` });
  await pass(6.5 * 3_600_000);
  const said = peer.messages.map(({ chat, thread, text }) => ({ chat, thread, text }));
  const news = said.filter(({ text }) => text.includes("read the news"));
  const mail = said.filter(({ text }) => text.includes("count the mail"));
  assert.deepEqual([news.length, mail.length], [6, 3]);
  assert.equal(said.length, 9);
  for (const { chat, thread } of news) assert.deepEqual([chat, thread], [group, 7]);
  for (const { chat, thread } of mail) assert.deepEqual([chat, thread], [group, 8]);
});

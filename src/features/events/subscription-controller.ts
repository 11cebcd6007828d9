import type { Controller } from "../../kernel/controller.ts";
import { is } from "../../kernel/kind.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Claimed } from "../../kernel/record.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { notificationKind } from "../notifications/kind.ts";
import { webhookKind } from "../notifications/webhook.ts";
import { turnsIn } from "./state-changes.ts";
import { decideTelling, type FeedSeen } from "./subscription-cursor.ts";
import { untold, type SubscriptionKind, subscriptionKind } from "./subscription.ts";

interface SubscriberOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  /** How often the feed is looked at. */
  pollMs?: number;
  /** As long as nothing happens nothing is written; but how far was read is, this often. */
  quietMsMax?: number;
}

type Subscription = Claimed<SubscriptionKind>;

/** How many subscriptions a node follows: each waits for what happens. */
export const subscriptionsAtOnce = 1_000;

/** Tells programs of changes in their owner's book, in the order of the feed. */
export function subscriber(options: SubscriberOptions): Controller<SubscriptionKind, FeedSeen> {
  const { ledger, clock, profile, pollMs = 1_000, quietMsMax = 10 * 60_000 } = options;
  const look = async (record: Subscription): Promise<FeedSeen | undefined> => {
    const book = ledger.of(record.owner, record.by);
    const { telling, asking } = record.outcome ?? untold;
    if (telling === null) return undefined;
    const missing: string[] = [];
    let reason = "";
    // The last one is on its way for longest.
    for (const { id } of telling.messages.toReversed()) {
      const message = await book.get(id);
      if (message?.endedAt === null) return { saw: "on its way" };
      if (message?.state === "delivered") continue;
      missing.push(id);
      if (is(notificationKind, message)) reason = message.outcome?.reason ?? message.state;
    }
    const { language } = await profile(record.owner);
    const webhook = await book.get(record.body.webhook);
    const url = is(webhookKind, webhook) ? webhook.body.url : record.body.webhook;
    return { saw: "arrivals", asking, missing, reason, url, language };
  };
  const follow = async (record: Subscription, signal: AbortSignal): Promise<FeedSeen> => {
    const book = ledger.of(record.owner, record.by);
    const { toldTo, asking } = record.outcome ?? untold;
    const from = toldTo ?? (await book.changes({ id: record.id, limit: 1 })).cursor;
    const until = clock.mono() + quietMsMax;
    const readTurns = turnsIn(book, record.body);
    for (let place = from; !signal.aborted;) {
      const { changes, to, isAll } = await readTurns(place);
      const isOver = clock.mono() >= until && to !== from;
      if (changes.length > 0 || isOver) return { saw: "changes", asking, from: place, to, changes };
      place = to;
      if (!isAll) continue;
      await sleep(clock, pollMs, signal);
      if ((await book.get(record.id))?.revision !== record.revision) break; // asked for something else
    }
    return { saw: "stopped" };
  };
  return {
    name: "subscriber",
    kind: subscriptionKind,
    async act(record, { signal }) {
      if (record.state === "paused") return { saw: "stopped" };
      return (await look(record)) ?? follow(record, signal);
    },
    decide: decideTelling,
  };
}

import { recordOf } from "../../kernel/book.ts";
import type { Controller } from "../../kernel/controller.ts";
import { is, isEnd } from "../../kernel/kind.ts";
import type { Ledger, Book } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Change } from "../../kernel/query.ts";
import type { Claimed } from "../../kernel/record.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { notificationKind, type RecordChange, webhookKind } from "../notifications/index.ts";
import { isChangeMessage } from "./subscription-delivery.ts";
import { decideFeed, type FeedStep } from "./subscription-verdict.ts";
import {
  nothingSent,
  type SubscriptionKind,
  subscriptionKind,
  subscribedKinds,
} from "./subscription.ts";

interface SubscriberOptions {
  ledger: Ledger;
  clock: Clock;
  profile(owner: string): Promise<Profile>;
  /** How often the feed is polled. */
  pollMs?: number;
  /** Polls without changes write nothing, but the cursor is written this often. */
  quietMsMax?: number;
}

type Subscription = Claimed<SubscriptionKind>;

/** The most subscriptions of a node: each waits for changes all the time. */
export const subscriptionsAtOnce = 1_000;

/** Sends changes in a book to the webhooks that subscribe to them, in the order of the feed. */
export function subscriber(options: SubscriberOptions): Controller<SubscriptionKind, FeedStep> {
  const { ledger, clock, profile, pollMs = 1_000, quietMsMax = 10 * 60_000 } = options;
  const readMessages = async (record: Subscription): Promise<FeedStep | undefined> => {
    const book = ledger.of(record.owner, record.by);
    const { inFlight, generation } = record.outcome ?? nothingSent;
    if (inFlight === null) return undefined;
    const missing: string[] = [];
    let reason = "";
    // The last message is in flight for longest.
    for (const { id } of inFlight.messages.toReversed()) {
      const message = await book.get(id);
      if (message?.endedAt === null) return { step: "in flight" };
      if (message?.state === "delivered") continue;
      missing.push(id);
      if (is(notificationKind, message)) reason = message.outcome?.reason ?? message.state;
    }
    const { language } = await profile(record.owner);
    const webhook = await recordOf(book, webhookKind, record.body.webhook);
    const url = webhook?.body.url ?? record.body.webhook;
    return { step: "ended", generation, missing, reason, url, language };
  };
  const readFeed = async (record: Subscription, signal: AbortSignal): Promise<FeedStep> => {
    const book = ledger.of(record.owner, record.by);
    const { cursor, generation } = record.outcome ?? nothingSent;
    const from = cursor ?? (await book.changes({ id: record.id, limit: 1 })).cursor;
    const until = clock.mono() + quietMsMax;
    const readPage = stateChangesIn(book, record.body);
    for (let after = from; !signal.aborted;) {
      const { changes, to, isLast } = await readPage(after);
      const isOverdue = clock.mono() >= until && to !== from;
      if (changes.length > 0 || isOverdue)
        return { step: "changes", generation, from: after, to, changes };
      after = to;
      if (!isLast) continue;
      await sleep(clock, pollMs, signal);
      if ((await book.get(record.id))?.revision !== record.revision) break; // a replay or resume
    }
    return { step: "stopped" };
  };
  return {
    name: "subscriber",
    kind: subscriptionKind,
    async act(record, { signal }) {
      if (record.state === "paused") return { step: "stopped" };
      return (await readMessages(record)) ?? readFeed(record, signal);
    },
    decide: decideFeed,
  };
}

interface StateChanges {
  readonly changes: readonly Omit<RecordChange, "seq">[];
  readonly to: string;
  /** The feed had no more changes. */
  readonly isLast: boolean;
}

/** A page of the feed is the most that is in flight: its messages must end before the next page is sent. */
const pageSize = 50;
const historyPage = 500;

/** Reads a book's feed page by page, and keeps the changes of state that the subscription names. */
function stateChangesIn(
  book: Book,
  { kinds, states }: Pick<SubscriptionKind["body"], "kinds" | "states">,
): (after: string) => Promise<StateChanges> {
  /** The state of each record after the last change that was read. */
  const lastStates = new Map<string, string>();
  const wanted: readonly string[] = kinds;
  const isStateChange = async (change: Change): Promise<boolean> => {
    const kind = subscribedKinds[change.kind];
    if (kind === undefined || change.what === "appended" || isEnd(kind, change.state)) return true;
    if (Object.keys(kind.states).length === 1) return false; // there is no other live state
    const before = lastStates.get(change.id) ?? (await stateBefore(book, change));
    return before !== change.state;
  };
  return async (after) => {
    const page = await book.changes({ after, limit: pageSize });
    const changes: Omit<RecordChange, "seq">[] = [];
    for (const change of page.changes) {
      const { kind, id, state, at, what } = change;
      // The messages of subscriptions are left out, or each would cause the next.
      if (!wanted.includes(kind) || isChangeMessage(id) || stateless.has(what)) continue;
      const isNew = await isStateChange(change);
      lastStates.set(id, state);
      if (isNew && (states.length === 0 || states.includes(state))) {
        changes.push({ kind, id, state, at });
      }
    }
    return { changes, to: page.cursor, isLast: page.changes.length < pageSize };
  };
}

/** Changes that leave a record in its state. */
const stateless: ReadonlySet<Change["what"]> = new Set(["kept", "lapsed", "cancelling"]);

/** The state of a record before a change. */
async function stateBefore(book: Book, { id, revision }: Change): Promise<string | undefined> {
  let state: string | undefined;
  for (let after: string | undefined; ;) {
    const page = await book.changes({ id, limit: historyPage, after });
    for (const change of page.changes) {
      if (change.revision >= revision) return state;
      ({ state } = change);
    }
    if (page.changes.length < historyPage) return state;
    after = page.cursor;
  }
}

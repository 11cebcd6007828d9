import type { Controller } from "../../kernel/controller.ts";
import { is, isEnd } from "../../kernel/kind.ts";
import type { Ledger, Book } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import type { Change } from "../../kernel/reading.ts";
import type { Claimed } from "../../kernel/record.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { notificationKind, type RecordChange, webhookKind } from "../notifications/index.ts";
import { isChangeMessage } from "./subscription-delivery.ts";
import { decideFeed, type FeedSeen } from "./subscription-verdict.ts";
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
    const { inFlight, generation } = record.outcome ?? nothingSent;
    if (inFlight === null) return undefined;
    const missing: string[] = [];
    let reason = "";
    // The last one is on its way for longest.
    for (const { id } of inFlight.messages.toReversed()) {
      const message = await book.get(id);
      if (message?.endedAt === null) return { saw: "on its way" };
      if (message?.state === "delivered") continue;
      missing.push(id);
      if (is(notificationKind, message)) reason = message.outcome?.reason ?? message.state;
    }
    const { language } = await profile(record.owner);
    const webhook = await book.get(record.body.webhook);
    const url = is(webhookKind, webhook) ? webhook.body.url : record.body.webhook;
    return { saw: "arrivals", generation, missing, reason, url, language };
  };
  const follow = async (record: Subscription, signal: AbortSignal): Promise<FeedSeen> => {
    const book = ledger.of(record.owner, record.by);
    const { cursor, generation } = record.outcome ?? nothingSent;
    const from = cursor ?? (await book.changes({ id: record.id, limit: 1 })).cursor;
    const until = clock.mono() + quietMsMax;
    const readTurns = stateChangesIn(book, record.body);
    for (let place = from; !signal.aborted;) {
      const { changes, to, isAll } = await readTurns(place);
      const isOver = clock.mono() >= until && to !== from;
      if (changes.length > 0 || isOver)
        return { saw: "changes", generation, from: place, to, changes };
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
    decide: decideFeed,
  };
}

interface StateChanges {
  readonly changes: readonly Omit<RecordChange, "seq">[];
  readonly to: string;
  /** There was nothing more in the feed. */
  readonly isAll: boolean;
}

/** So many changes are looked at, and at most told, at once; then all of it has to arrive before more is told. */
const pageSize = 50;
const historyPage = 500;

/** Reads a book's feed page by page: records of some kinds that came to another state. */
function stateChangesIn(
  book: Book,
  { kinds, states }: Pick<SubscriptionKind["body"], "kinds" | "states">,
): (after: string) => Promise<StateChanges> {
  /** The state of each record as of the last change that was read of it. */
  const known = new Map<string, string>();
  const wanted: readonly string[] = kinds;
  const isTurn = async (change: Change): Promise<boolean> => {
    const kind = subscribedKinds[change.kind];
    if (kind === undefined || change.what === "appended" || isEnd(kind, change.state)) return true;
    if (Object.keys(kind.states).length === 1) return false; // it has no other to come from
    const before = known.get(change.id) ?? (await stateBefore(book, change));
    return before !== change.state;
  };
  return async (after) => {
    const page = await book.changes({ after, limit: pageSize });
    const changes: Omit<RecordChange, "seq">[] = [];
    for (const change of page.changes) {
      const { kind, id, state, at, what } = change;
      // What tells of changes is no change to tell of: that would never end.
      if (!wanted.includes(kind) || isChangeMessage(id) || quiet.has(what)) continue;
      const isNews = await isTurn(change);
      known.set(id, state);
      if (isNews && (states.length === 0 || states.includes(state))) {
        changes.push({ kind, id, state, at });
      }
    }
    return { changes, to: page.cursor, isAll: page.changes.length < pageSize };
  };
}

/** These leave a record in its state. */
const quiet: ReadonlySet<Change["what"]> = new Set(["kept", "lapsed", "cancelling"]);

/** The state a record was in before a change. */
async function stateBefore(book: Book, { id, revision }: Change): Promise<string | undefined> {
  let state: string | undefined;
  for (let after: string | undefined; ;) {
    const query = { id, limit: historyPage };
    const page = await book.changes(after === undefined ? query : { ...query, after });
    for (const change of page.changes) {
      if (change.revision >= revision) return state;
      ({ state } = change);
    }
    if (page.changes.length < historyPage) return state;
    after = page.cursor;
  }
}

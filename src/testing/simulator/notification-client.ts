import { findProfile } from "../../features/accounts/profile.ts";
import { operations } from "../../features/index.ts";
import { expiryOf } from "../../features/notifications/expiry.ts";
import type { NotificationKind } from "../../features/notifications/kind.ts";
import type { Book, Ledger } from "../../kernel/ledger.ts";
import type { Body } from "../../kernel/shape.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { sleep, type Clock } from "../../platform/clock.ts";
import { hasCode } from "../../platform/errors.ts";
import type { Ids } from "../../platform/ids.ts";
import { fraction, type Random } from "../../platform/random.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import {
  drawEdit,
  drawHolds,
  drawNotification,
  drawPriority,
  drawProfile,
} from "./notification-drafts.ts";
import { contextOf } from "./operation-context.ts";
import { owners } from "./targets.ts";

const { done, snooze } = operations;

export interface ClientOptions {
  name: string;
  ledger: Ledger;
  clock: Clock;
  random: Random;
  ids: Ids;
  oracle: Oracle;
  /** What clients made, by owner: shared, so that strangers may try. */
  notificationIds: Map<string, string[]>;
  /** Somebody wants quiet hours. */
  wantsQuiet: boolean;
  /** It asks until then, by the kernel's clock. */
  busy(): boolean;
}

interface OwnRecord {
  id: string;
  revision: number;
  body: Body<NotificationKind>;
}

/** What a client remembers. */
interface Client extends ClientOptions {
  owner: string;
  book: Book;
  /** Records it was told of, with the revision it saw last. */
  own: OwnRecord[];
  /** Drafts it sent under a key, to be sent again. */
  keyed: DraftOf<NotificationKind>[];
  count: number;
}

type Action = (client: Client) => Promise<void>;

/** What clients do, and how often. A later capability adds its asks here. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [40, appendOne],
  [8, appendAgain],
  [4, appendTwo],
  [16, editOne],
  [10, cancelOne],
  [8, snoozeOne],
  [4, doneOne],
  [5, getOne],
  [3, listSome],
  [4, accessOthersRecord],
  [5, setQuietHours],
];
const total = actions.reduce((sum, [weight]) => sum + weight, 0);

/** One thing after another, as a person or a program asks; errors are answers. */
export async function runClient(options: ClientOptions): Promise<void> {
  const { random, clock, ledger, name } = options;
  const owner = pick(random, owners);
  const book = ledger.of(owner, name);
  const client: Client = { ...options, owner, book, own: [], keyed: [], count: 0 };
  if (chance(random, 0.4)) await setQuietHours(client);
  while (options.busy()) {
    let at = fraction(random) * total;
    const [, action] = actions.find(([weight]) => (at -= weight) < 0) ?? [0, appendOne];
    await action(client);
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 20 : 6_000));
  }
}

/** Asks again while the store is busy or the answer was lost, as a client with a key may. */
async function retried<T>(client: Client, action: () => Promise<T>): Promise<T | undefined> {
  for (let tries = 0; tries < 12; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (hasCode(error, "bug", "invalid", "unsupported")) {
        client.oracle.reportViolation("a valid request does not fail as a bug", String(error));
      }
      if (!hasCode(error, "busy", "unknown")) return undefined;
      await sleep(client.clock, 100 + intBelow(client.random, 1_000));
    }
  }
  return undefined;
}

async function send(client: Client, draft: DraftOf<NotificationKind>): Promise<void> {
  const made = await retried(client, () => client.book.append(draft, { append: expiryOf(draft) }));
  if (made === undefined) return;
  client.oracle.appendAcknowledged(made.id);
  rememberRecord(client, made.id, draft.body, made.record?.revision);
}

async function appendOne(client: Client): Promise<void> {
  const draft: DraftOf<NotificationKind> = { ...drawNotification(client), ...drawHolds(client) };
  if (!chance(client.random, 0.4)) return send(client, draft);
  const { id: _made, ...keyed } = draft;
  const key = { name: `key ${intBelow(client.random, 8)}` };
  client.keyed.push({ ...keyed, key });
  return send(client, { ...keyed, key });
}

/** The same words under the same key, perhaps long after. */
async function appendAgain(client: Client): Promise<void> {
  const draft = client.keyed[intBelow(client.random, client.keyed.length)];
  if (draft !== undefined) await send(client, draft);
}

/** Two records in one unit, sometimes with a third part that cannot be: then neither may be. */
async function appendTwo(client: Client): Promise<void> {
  const [first, second] = [drawNotification(client), drawNotification(client)];
  const bad = chance(client.random, 0.3) ? { wake: [{ id: "no such record" }] } : {};
  const ends = expiryOf(second).map((end) => ({ ...end, parent: second.id }));
  const consequences = { append: [second, ...expiryOf(first), ...ends], ...bad };
  const made = await retried(client, () => client.book.append(first, consequences));
  if (made === undefined) return;
  for (const { id, body } of [first, second]) {
    client.oracle.appendAcknowledged(id);
    rememberRecord(client, id, body);
  }
}

function rememberRecord(
  { own, notificationIds, owner }: Client,
  id: string,
  body: Body<NotificationKind>,
  revision = 1,
): void {
  own.push({ id, revision, body });
  notificationIds.set(owner, [...(notificationIds.get(owner) ?? []), id]);
}

function someRecord({ own, random }: Client): OwnRecord | undefined {
  // The newest are the ones still alive.
  const back = Math.floor(own.length * fraction(random) ** 2);
  return own[own.length - 1 - back];
}

async function editOne(client: Client): Promise<void> {
  const one = someRecord(client);
  if (one === undefined) return;
  const body = drawEdit(client, one.body);
  const { random, book } = client;
  const when = chance(random, 0.7) ? { wakeAt: body.at } : {};
  const guard = chance(random, 0.5) ? { ifRevision: one.revision } : {};
  const urgency = chance(random, 0.2) ? drawPriority(random) : {};
  const edit = { kind: "notification" as const, id: one.id, body, ...when, ...guard, ...urgency };
  // Not asked again after a lost answer: another edit may have come between.
  const edited = await book.edit(edit).catch(() => undefined);
  if (edited !== undefined) one.revision = edited.revision;
}

async function cancelOne(client: Client): Promise<void> {
  const one = someRecord(client);
  if (one === undefined) return;
  await retried(client, () => client.book.cancel({ id: one.id, reason: "changed my mind" }));
}

/** Puts off what waits, or what was said and is then said once more. */
async function snoozeOne(client: Client): Promise<void> {
  const one = someRecord(client);
  if (one === undefined) return;
  const at = `+${1 + intBelow(client.random, 40)}s`;
  const put = await retried(client, () => snooze.run({ id: one.id, at }, contextOf(client)));
  if (put === undefined) return;
  client.oracle.appendAcknowledged(put.id);
  if (put.id !== one.id) rememberRecord(client, put.id, one.body, put.revision);
}

async function doneOne(client: Client): Promise<void> {
  const one = someRecord(client);
  if (one !== undefined) await retried(client, () => done.run({ id: one.id }, contextOf(client)));
}

async function getOne(client: Client): Promise<void> {
  const one = someRecord(client);
  if (one === undefined) return;
  const found = await retried(client, () => client.book.get(one.id));
  if (found !== undefined) one.revision = found.revision;
}

async function listSome(client: Client): Promise<void> {
  const page = await retried(client, () => client.book.list({ limit: 5, order: "newest" }));
  const strange = page?.records.find(({ owner }) => owner !== client.owner);
  if (strange !== undefined)
    client.oracle.reportViolation("a list contains records of one owner only", strange.id);
}

/** Nothing of another owner can be seen, changed or cancelled. */
async function accessOthersRecord({
  random,
  notificationIds,
  owner,
  book,
  oracle,
}: Client): Promise<void> {
  const others = owners
    .filter((each) => each !== owner)
    .flatMap((each) => notificationIds.get(each) ?? []);
  const id = others[intBelow(random, others.length)];
  if (id === undefined) return;
  const actions = [
    () => book.get(id),
    () => book.edit({ kind: "notification", id, note: "mine now" }),
    () => book.cancel({ id }),
  ] as const;
  const found = await pick<() => Promise<unknown>>(random, actions)().catch(() => undefined);
  if (found !== undefined)
    oracle.reportViolation("records of another owner are not accessible", id);
}

/** The owner's own settings: written once, then changed. */
async function setQuietHours(client: Client): Promise<void> {
  const { ledger, owner, book, wantsQuiet } = client;
  if (!wantsQuiet) return;
  const draft = drawProfile(client);
  const found = await retried(client, () => findProfile(ledger, owner));
  if (found === undefined) await retried(client, () => book.append(draft));
  else await retried(client, () => book.edit({ kind: "profile", id: found.id, body: draft.body }));
}

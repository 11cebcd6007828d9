import { findProfile, makeProfile } from "../../features/accounts/profile.ts";
import {
  requestedAgain,
  deleted,
  finished,
  paused,
  resumed,
  snoozed,
  type NagChange,
  pageDeletion,
} from "../../features/nags/change.ts";
import { makeNag, type NagKind, nagKind } from "../../features/nags/kind.ts";
import { makePage, pageEdit, pageRecordId, pageKind } from "../../features/nags/page.ts";
import { is } from "../../kernel/kind.ts";
import type { Book } from "../../kernel/ledger.ts";
import type { AnyRecord, LedgerRecord } from "../../kernel/record.ts";
import { sleep } from "../../platform/clock.ts";
import { chance, intBelow, pick } from "../chance.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { ClientPorts } from "./client-process.ts";
import { drawProfileChange, drawSnooze, drawNag } from "./nag-drafts.ts";
import { drawProfile } from "./notification-drafts.ts";
import { retried } from "./request-retry.ts";
import type { Scale } from "./scale.ts";

export interface NagClientOptions extends ClientPorts {
  name: string;
  owner: string;
  oracle: Oracle;
  /** Every nag it may have made. */
  made: string[];
  scale: Scale;
  /** Somebody wants quiet hours. */
  wantsQuiet: boolean;
  busy(): boolean;
}

interface NagClient extends NagClientOptions {
  book: Book;
  count: number;
}

type Nag = LedgerRecord<NagKind>;
type Change = (client: NagClient, record: Nag) => NagChange;

/** What it does with a nag that is there. */
const changes: readonly [Change, ...Change[]] = [
  (client, record) => snoozed(record, drawSnooze(client, nowOf(client))),
  (client, record) => snoozed(record, drawSnooze(client, nowOf(client))),
  (_, record) => paused(record),
  (client, record) => resumed(record, nowOf(client)),
  (client, record) => resumed(record, nowOf(client)),
  (client, record) => requestedAgain(record, drawNag(client, nowOf(client)), null),
];
const ends: readonly [Change, ...Change[]] = [
  (_, record) => finished(record),
  (_, record) => deleted(record),
];

const soonMs = 12 * 3_600_000;
/** Asks to be nagged, about texts and pages, and changes its mind: also while it is being said. */
export async function runNagClient(options: NagClientOptions): Promise<void> {
  const { ledger, owner, name, clock, random, scale } = options;
  const client: NagClient = { ...options, book: ledger.of(owner, name), count: 0 };
  for (let first = scale.nags; first > 0; first -= 1) await create(client);
  while (options.busy()) {
    await sleep(clock, intBelow(random, chance(random, 0.3) ? 50 : scale.nagClientMs));
    const soon =
      scale.name === "year" && chance(random, 0.7) ? await awaitDueNag(client) : undefined;
    const id = soon ?? client.made[intBelow(random, client.made.length)];
    const what = intBelow(random, 20);
    if (id === undefined || what < 3) await create(client);
    else if (what < 5) await changePage(client);
    else if (what === 5 && options.wantsQuiet) await changeProfile(client);
    else await change(client, id);
  }
}

async function create(client: NagClient): Promise<void> {
  const { owner, ids, made, book, oracle, random } = client;
  client.count += 1;
  const now = nowOf(client);
  const pageId = chance(random, 0.4) ? pageOf(client) : undefined;
  const about = pageId === undefined ? { text: textOf(client) } : { page: pageId };
  if (pageId !== undefined) await write(client, pageId);
  const priority = pick(random, ["high", "normal", "normal", "low"] as const);
  const asked = { ...drawNag(client, now), about };
  const draft = { ...makeNag(asked, { owner, quiet: null, priority }), id: ids() };
  made.push(draft.id);
  const written = await retried(client, () => book.append(draft));
  if (written !== undefined) oracle.appendAcknowledged(draft.id);
}

async function write(client: NagClient, pageId: string): Promise<void> {
  const { book, owner } = client;
  const page = makePage(owner, { pageId, title: textOf(client), body: "" });
  await retried(client, async () => {
    const found = await book.get(page.id);
    if (is(pageKind, found)) await book.edit(pageEdit(found, page.body));
    else await book.append(page);
  });
}

/** Few pages, so that some are nagged about already. */
function pageOf({ random, owner, scale }: NagClient): string {
  return `page ${intBelow(random, scale.nags)} of ${owner}`;
}

function textOf({ name, count, random }: NagClient): string {
  return `${name} must do ${count}, ${intBelow(random, 1_000)}`;
}

/** Reads it again when somebody wrote meanwhile, as an operation does. */
async function change(client: NagClient, id: string): Promise<void> {
  const { book, random, scale } = client;
  const isEnd = chance(random, scale.name === "year" ? 0.03 : 0.25);
  const made = pick(random, isEnd ? ends : changes);
  await retried(client, async () => {
    const record = await book.get(id);
    if (!is(nagKind, record) || record.endedAt !== null || record.cancelling) return;
    const { edit, consequences } = made(client, record);
    await book.edit(edit, consequences);
  });
}

async function changePage(client: NagClient): Promise<void> {
  const { book, owner, random } = client;
  const pageId = pageOf(client);
  const isGone = chance(random, 0.3);
  client.count += 1;
  const words = textOf(client);
  await retried(client, async () => {
    const page = await book.get(pageRecordId(owner, pageId));
    if (!is(pageKind, page)) return;
    if (!isGone) return void (await book.edit(pageEdit(page, { title: words })));
    const { records } = await book.list({ kind: nagKind, parent: page.id, live: true });
    const { edit, consequences } = pageDeletion(page, records);
    await book.edit(edit, consequences);
  });
}

/** Those that are counted in their owner's day hear of it in the same commit. */
async function changeProfile(client: NagClient): Promise<void> {
  const { book, ledger, owner, scale } = client;
  const body = scale.name === "year" ? drawProfileChange(client) : drawProfile(client).body;
  await retried(client, async () => {
    const { records } = await book.list({ kind: nagKind, state: "active", live: true, limit: 500 });
    const wake = records.map(({ id }) => ({ id }));
    const found = await findProfile(ledger, owner);
    if (found === undefined) await book.append(makeProfile(body), { wake });
    else await book.edit({ kind: "profile", id: found.id, body }, { wake });
  });
}

/** Waits until one is about to be said: in a long world, chance alone would hardly meet that. */
async function awaitDueNag({ book, clock, random }: NagClient): Promise<string | undefined> {
  const query = { kind: nagKind, state: "active", live: true, limit: 500 } as const;
  const { records } = await book.list(query).catch(() => ({ records: [] }));
  const waitMs = (each: AnyRecord): number =>
    is(nagKind, each) ? (each.outcome?.nextAt ?? 0) - clock.wall() : -1;
  const soon = records.filter((each) => waitMs(each) >= 0 && waitMs(each) < soonMs);
  const found = soon[intBelow(random, soon.length)];
  if (found === undefined) return undefined;
  await sleep(clock, waitMs(found) + intBelow(random, chance(random, 0.7) ? 300 : 60_000));
  return found.id;
}

function nowOf({ clock }: NagClient): number {
  return Math.floor(clock.wall());
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { choreKind } from "../../features/nodes/chore.ts";
import { type NodeKind, nodeKind } from "../../features/nodes/node.ts";
import { notificationKind } from "../../features/notifications/kind.ts";
import type { Book, Ledger, Work } from "../../kernel/ledger.ts";
import type { Change } from "../../kernel/reading.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../kernel/record.ts";
import { registered } from "../../kernel/registered.ts";
import type { DraftOf, Hold, Key, Placement } from "../../kernel/unit.ts";
import type { ClaimRequest } from "../../kernel/work-unit.ts";
import { hasCode, type ErrorCode } from "../../platform/errors.ts";

/** A store under test, with its clock in our hand. */
interface Subject {
  ledger: Ledger;
  setNow(ms: number): void;
  close(): Promise<void>;
}

export type Open = () => Promise<Subject>;

/** What a case works with: two owners, the workers, and the time. */
export interface Fixture {
  ledger: Ledger;
  ann: Book;
  bob: Book;
  work: Work;
  setNow(ms: number): void;
}

/** The time at which every case begins. */
export const start = 1_000_000;

/** Registers a case over a fresh store. */
export type Holds = (sentence: string, run: (fixture: Fixture) => Promise<void>) => void;

export function holdsOver(open: Open): Holds {
  return (sentence, run) => {
    // A signal that never comes is a failure, not a suite that hangs.
    test(sentence, { timeout: 20_000 }, async () => {
      const { ledger: store, setNow, close } = await open();
      const ledger = registered(store, [nodeKind, choreKind, notificationKind]);
      try {
        setNow(start);
        const ann = ledger.of("ann", "ann@cli");
        const bob = ledger.of("bob", "bob@cli");
        await run({ ledger, ann, bob, work: ledger.work, setNow });
      } finally {
        await close();
      }
    });
  };
}

type NodeDraft = DraftOf<NodeKind>;

export interface Wish extends Placement {
  name?: string;
  wakeAt?: number;
  ends?: "stopped" | "lost" | "cancelled";
  outcome?: { reason: string };
  id?: string;
  key?: Key;
  parent?: string | null;
  holds?: readonly Hold[];
  note?: string;
}

export function bodyOf(name: string): LedgerRecord<NodeKind>["body"] {
  return { name, version: "1", host: "here", pid: 7 };
}

/** A record that nobody must look at, unless it is wished otherwise. */
export function node(wish: Wish = {}): NodeDraft {
  const { name = "n", ends, wakeAt, ...rest } = wish;
  const draft = { kind: "node" as const, body: bodyOf(name), ...rest };
  if (ends !== undefined) return { ...draft, ends };
  return wakeAt === undefined
    ? { ...draft, state: "running" }
    : { ...draft, state: "running", wakeAt };
}

/** A record that is due at once. */
export function due(wish: Wish = {}): NodeDraft {
  return node({ wakeAt: start, ...wish });
}

export async function put(book: Book, draft: NodeDraft): Promise<LedgerRecord<NodeKind>> {
  const { fresh, record } = await book.append(draft);
  assert.ok(fresh && record, "the draft was written before");
  return record;
}

export async function claimAll(
  work: Work,
  request: Partial<ClaimRequest<NodeKind>> = {},
): Promise<readonly Claimed<NodeKind>[]> {
  const all = { kind: nodeKind, holder: "w1", leaseMs: 1000, limit: 100, ...request } as const;
  return (await work.claim(all)).records;
}

export async function claimOne(
  work: Work,
  request: Partial<ClaimRequest<NodeKind>> = {},
): Promise<Claimed<NodeKind>> {
  const [record, ...others] = await claimAll(work, request);
  assert.ok(record && others.length === 0, "not exactly one record is due");
  return record;
}

/** A record under a lease of 1000 ms, from the start. */
export async function leased(
  { ann, work }: Pick<Fixture, "ann" | "work">,
  wish: Wish = {},
): Promise<Claimed<NodeKind>> {
  const { id } = await put(ann, due(wish));
  const record = (await claimAll(work)).find((each) => each.id === id);
  assert.ok(record);
  return record;
}

/** Names the lease of a claimed record, and the revision it was claimed in. */
export function under(record: Claimed): { id: string; fence: number; revision: number } {
  return { id: record.id, fence: record.lease.fence, revision: record.revision };
}

export async function read(book: Book, id: string): Promise<AnyRecord> {
  const record = await book.get(id);
  assert.ok(record, `there is no record ${id}`);
  return record;
}

/** Wakes as a consequence of a record that says nothing else. */
export async function wake(book: Book, id: string): Promise<void> {
  await book.append(node({ ends: "stopped" }), { wake: [{ id }] });
}

export async function historyOf(book: Book, id: string): Promise<readonly Change[]> {
  return (await book.changes({ id, limit: 500 })).changes;
}

export async function whats(book: Book, id: string): Promise<readonly string[]> {
  return (await historyOf(book, id)).map(({ what }) => what);
}

/** Everything that an owner can see, and what the workers see. */
export async function everything({ ann, bob, work }: Fixture): Promise<unknown> {
  const books = [ann, bob].map(async (book) => [
    await book.list({ limit: 500 }),
    (await book.changes({ limit: 500 })).changes,
  ]);
  return [await Promise.all(books), await work.stats()];
}

/** What is refused leaves no trace. */
export async function writesNothing(fixture: Fixture, run: () => Promise<unknown>): Promise<void> {
  const before = await everything(fixture);
  await run();
  assert.deepEqual(await everything(fixture), before);
}

export async function fails(
  asked: Promise<unknown>,
  code: ErrorCode,
  details?: Record<string, unknown>,
): Promise<void> {
  await assert.rejects(asked, (error: unknown) => {
    assert.ok(hasCode(error, code), `expected ${code}, got ${String(error)}`);
    if (details) assert.deepEqual(error.details, details);
    return true;
  });
}

/** The code of a refused unit, or its result. */
export function codeOf(answer: { result: string; error?: { code: string } } | undefined): string {
  return answer?.error?.code ?? answer?.result ?? "none";
}

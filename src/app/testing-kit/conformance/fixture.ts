import assert from "node:assert/strict";
import { test } from "node:test";
import { choreKind, type NodeKind, nodeKind } from "../../../features/nodes/index.ts";
import { notificationKind } from "../../../features/notifications/index.ts";
import { guardKinds } from "../../../kernel/kind-guard.ts";
import type { Book, Ledger, Work } from "../../../kernel/ledger.ts";
import type { Change } from "../../../kernel/query.ts";
import type { AnyRecord, Claimed, LedgerRecord } from "../../../kernel/record.ts";
import type { DraftOf, Hold, Key, Placement } from "../../../kernel/unit.ts";
import type { ClaimRequest } from "../../../kernel/work-unit.ts";
import { hasCode, type ErrorCode } from "../../../platform/errors.ts";

/** An empty store under test. */
export interface StoreUnderTest {
  readonly ledger: Ledger;
  /** Sets the store's clock. */
  setNow(ms: number): void;
  /** Called once, at the end of a case; the ledger may be closed by then. */
  close(): Promise<void>;
}

/** Opens an empty store. */
export type OpenStore = () => Promise<StoreUnderTest>;

/** The inputs of a case: the books of two owners, the work of all owners, and the store's clock. */
export interface Fixture {
  ledger: Ledger;
  ann: Book;
  bob: Book;
  work: Work;
  setNow(ms: number): void;
}

/** The store's time when a case starts. */
export const start = 1_000_000;

/** Registers a case on an empty store. */
export type Test = (sentence: string, run: (fixture: Fixture) => Promise<void>) => void;

export function testOver(open: OpenStore): Test {
  return (sentence, run) => {
    // A hint that never arrives fails its case; without a timeout the suite would hang.
    test(sentence, { timeout: 20_000 }, async () => {
      const { ledger: store, setNow, close } = await open();
      const ledger = guardKinds(store, [nodeKind, choreKind, notificationKind]);
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

export interface NodeFields extends Placement {
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

/** The draft of a record that is not due, unless the fields say otherwise. */
export function node(fields: NodeFields = {}): NodeDraft {
  const { name = "n", ends, wakeAt, ...rest } = fields;
  const draft = { kind: "node" as const, body: bodyOf(name), ...rest };
  if (ends !== undefined) return { ...draft, ends };
  return wakeAt === undefined
    ? { ...draft, state: "running" }
    : { ...draft, state: "running", wakeAt };
}

/** The draft of a record that is due at once. */
export function due(fields: NodeFields = {}): NodeDraft {
  return node({ wakeAt: start, ...fields });
}

export async function put(book: Book, draft: NodeDraft): Promise<LedgerRecord<NodeKind>> {
  const { fresh, record } = await book.append(draft);
  assert.ok(fresh && record, "the draft should be new");
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

/** A record under a lease of 1000 ms from the start. */
export async function leased(
  { ann, work }: Pick<Fixture, "ann" | "work">,
  fields: NodeFields = {},
): Promise<Claimed<NodeKind>> {
  const { id } = await put(ann, due(fields));
  const record = (await claimAll(work)).find((each) => each.id === id);
  assert.ok(record);
  return record;
}

/** The lease of a claimed record, and the revision it was claimed in. */
export function leaseOf(record: Claimed): { id: string; fence: number; revision: number } {
  return { id: record.id, fence: record.lease.fence, revision: record.revision };
}

export async function read(book: Book, id: string): Promise<AnyRecord> {
  const record = await book.get(id);
  assert.ok(record, `there is no record ${id}`);
  return record;
}

/** Wakes a record as the consequence of an unrelated append. */
export async function wake(book: Book, id: string): Promise<void> {
  await book.append(node({ ends: "stopped" }), { wake: [{ id }] });
}

export async function historyOf(book: Book, id: string): Promise<readonly Change[]> {
  return (await book.changes({ id, limit: 500 })).changes;
}

export async function changeNames(book: Book, id: string): Promise<readonly string[]> {
  return (await historyOf(book, id)).map(({ what }) => what);
}

/** Everything that the owners and the workers can see. */
export async function visibleState({ ann, bob, work }: Fixture): Promise<unknown> {
  const books = [ann, bob].map(async (book) => [
    await book.list({ limit: 500 }),
    (await book.changes({ limit: 500 })).changes,
  ]);
  return [await Promise.all(books), await work.stats()];
}

/** Asserts that a refused call changes nothing that can be seen. */
export async function writesNothing(fixture: Fixture, run: () => Promise<unknown>): Promise<void> {
  const before = await visibleState(fixture);
  await run();
  assert.deepEqual(await visibleState(fixture), before);
}

export async function fails(
  call: Promise<unknown>,
  code: ErrorCode,
  details?: Record<string, unknown>,
): Promise<void> {
  await assert.rejects(call, (error: unknown) => {
    assert.ok(hasCode(error, code), `expected ${code}, got ${String(error)}`);
    if (details) assert.deepEqual(error.details, details);
    return true;
  });
}

/** The code of a refused unit, or its result. */
export function codeOf(answer: { result: string; error?: { code: string } } | undefined): string {
  return answer?.error?.code ?? answer?.result ?? "none";
}

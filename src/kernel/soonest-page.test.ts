import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { choreKind, type ChoreKind } from "../features/nodes/chore.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { memory } from "../stores/memory/memory.ts";
import type { Book } from "./ledger.ts";
import { matchingPage } from "./list-all.ts";
import type { LedgerRecord } from "./record.ts";
import { sortedMax, soonestPage } from "./soonest-page.ts";

type Chore = LedgerRecord<ChoreKind>;

/** Chores that are named by their positions, with these times. */
async function bookWith(times: readonly number[]): Promise<Book> {
  const now = (): number => 1_000;
  const book = memory({ now, ids: ids({ wall: now }, seededRandom(1)) }).of("ann", "ann");
  for (const [at, everyMs] of times.entries()) {
    await book.append({ kind: "chore", body: { name: `c${at}`, everyMs }, state: "waiting" });
  }
  return book;
}

/** It has no time. */
const none = 99;
const every = {
  matches: () => true,
  dueAt: ({ body }: Chore) => (body.everyMs === none ? null : body.everyMs),
};
const query = { kind: choreKind, live: true } as const;

/** The names on each page. */
async function pages(
  read: (after?: string) => ReturnType<typeof soonestPage<ChoreKind>>,
): Promise<string[][]> {
  const found: string[][] = [];
  let after: string | null | undefined;
  while (after !== null) {
    const { records, next }: Awaited<ReturnType<typeof read>> = await read(after);
    found.push(records.map(({ body }) => body.name));
    after = next;
  }
  return found;
}

describe("a page of what is next", () => {
  test("is in order of time, across pages; what has no time comes last", async () => {
    const book = await bookWith([30, none, 10, 20, 10]);
    const read = (after?: string) => soonestPage(book, { ...query, limit: 2, after }, every);
    const [first = [], second = [], third = []] = await pages(read);
    assert.deepEqual(first.toSorted(), ["c2", "c4"]); // the same time
    assert.deepEqual([second, third], [["c3", "c0"], ["c1"]]);
  });
  test("has only those that match", async () => {
    const book = await bookWith([3, 2, 1]);
    const matches = ({ body }: Chore): boolean => body.name !== "c1";
    assert.deepEqual(
      await pages((after) => soonestPage(book, { ...query, after }, { ...every, matches })),
      [["c2", "c0"]],
    );
  });
  test("lists the newest first when there are too many to sort", { timeout: 120_000 }, async () => {
    const book = await bookWith(Array.from({ length: sortedMax + 1 }, (_, at) => at));
    const { records, next } = await soonestPage(book, { ...query, limit: 2 }, every);
    assert.deepEqual(
      records.map(({ body }) => body.name),
      [`c${sortedMax}`, `c${sortedMax - 1}`],
    );
    const second = await soonestPage(book, { ...query, limit: 1, after: next ?? "" }, every);
    assert.deepEqual(
      second.records.map(({ body }) => body.name),
      [`c${sortedMax - 2}`],
    );
    const sorted = soonestPage(book, { ...query, after: "5.x" }, every);
    await assert.rejects(sorted, /More than 10000 records wait now/);
  });
  for (const after of ["banana", ".", "5.", "-1.x", "1e3.x"]) {
    test(`refuses the cursor "${after}"`, async () => {
      const page = soonestPage(await bookWith([]), { ...query, after }, every);
      await assert.rejects(page, /must be the cursor of an earlier page/);
    });
  }
});

describe("a page of matching records", () => {
  test("is whole although few match, and the next page continues after it", async () => {
    const book = await bookWith(Array.from({ length: 1_300 }, () => none));
    const matches = ({ body }: Chore): boolean => body.name.endsWith("99");
    const read = (after?: string) => matchingPage(book, { ...query, limit: 5, after }, matches);
    const expected = Array.from({ length: 13 }, (_, at) => `c${at * 100 + 99}`);
    const found = await pages(read);
    assert.deepEqual(found.flat(), expected);
    assert.deepEqual(
      found.map(({ length }) => length),
      [5, 5, 3],
    );
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { choreKind } from "../features/nodes/chore.ts";
import { ids } from "../platform/ids.ts";
import { seededRandom } from "../platform/random.ts";
import { memory } from "../stores/memory/memory.ts";
import type { Book } from "./ledger.ts";
import { recordsIn } from "./list-all.ts";

async function bookWith(count: number): Promise<Book> {
  const now = (): number => 1_000;
  const book = memory({ now, ids: ids({ wall: now }, seededRandom(1)) }).of("ann", "ann");
  for (let made = 0; made < count; made += 1) {
    await book.append({ kind: "chore", body: { name: "c", everyMs: 1 }, state: "waiting" });
  }
  return book;
}

async function countIn(book: Book, max?: number): Promise<number> {
  const listed = await Array.fromAsync(recordsIn(book, { kind: choreKind }, max));
  return new Set(listed.map(({ id }) => id)).size;
}

test("all records of a book are read, page after page", async () => {
  assert.equal(await countIn(await bookWith(0)), 0);
  assert.equal(await countIn(await bookWith(500)), 500);
  assert.equal(await countIn(await bookWith(1_001)), 1_001);
});

test("no more records are read than the maximum", async () => {
  const book = await bookWith(620);
  assert.equal(await countIn(book, 3), 3);
  assert.equal(await countIn(book, 501), 501);
  assert.equal(await countIn(book, 10_000), 620);
});

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ledgerConformance } from "../../app/testing-kit/conformance/conformance.ts";
import type { ChoreKind } from "../../features/nodes/chore.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import { storeNow } from "../../kernel/store-clock.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { sqlite, type SqliteOptions } from "./sqlite.ts";

const draft: DraftOf<ChoreKind> = {
  kind: "chore",
  state: "waiting",
  body: { name: "sweep", everyMs: 1000 },
  wakeAt: 1,
};

ledgerConformance("the SQLite store in its thread", async () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const sharedNow = new Float64Array(new SharedArrayBuffer(8));
  const ledger = await sqlite({ path: join(folder, "book.db"), sharedNow });
  return {
    ledger,
    setNow: (ms) => (sharedNow[0] = ms),
    async close() {
      await ledger.close();
      rmSync(folder, { recursive: true });
    },
  };
});

async function withLedger(
  run: (ledger: Ledger, path: string) => Promise<void>,
  more: Partial<SqliteOptions> = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const path = join(folder, "book.db");
  const ledger = await sqlite({ path, busyMs: 50, ...more });
  try {
    await run(ledger, path);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true });
  }
}

test("concurrent opens of a new ledger share one file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-"));
  const ledgers = await many(4, () => sqlite({ path: join(folder, "book.db") }));
  await Promise.all(ledgers.map((each) => each.of("ann", "ann").append(draft)));
  const stats = await Promise.all(ledgers.map((each) => each.work.stats()));
  assert.deepEqual(
    stats.map(({ records }) => records),
    [4, 4, 4, 4],
  );
  await Promise.all(ledgers.map((each) => each.close()));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes(".new-")),
    [],
  );
  rmSync(folder, { recursive: true });
});

function many<T>(count: number, make: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => make(n)));
}

/** Transactions in the write-ahead log: frames that say how large the database is after a commit. */
function commitsIn(log: Buffer): number {
  const pageBytes = log.readUInt32BE(8);
  const frames = Math.floor((log.length - 32) / (24 + pageBytes));
  const isCommit = (_: unknown, n: number): boolean =>
    log.readUInt32BE(32 + n * (24 + pageBytes) + 4) > 0;
  return Array.from({ length: frames }).filter(isCommit).length;
}

test("calls of the same turn share a commit", () =>
  withLedger(async (ledger, path) => {
    await many(200, () => ledger.of("ann", "cli").append(draft));
    assert.equal((await ledger.work.stats()).records, 200);
    assert.equal(commitsIn(readFileSync(`${path}-wal`)), 1);
  }));

test("calls made during a commit share the next one", () =>
  withLedger(async (ledger, path) => {
    const ann = ledger.of("ann", "cli");
    const first = ann.append(draft);
    await Promise.resolve().then(() => undefined); // the first is on its way now
    await Promise.all([first, many(200, () => ann.append(draft))]);
    assert.equal((await ledger.work.stats()).records, 201);
    assert.ok(commitsIn(readFileSync(`${path}-wal`)) <= 2);
  }));

test("input that is not JSON fails only its own call", () =>
  withLedger(async (ledger) => {
    const ann = ledger.of("ann", "cli");
    const key = { name: "k", calls: 1n };
    const [bad, good] = await Promise.allSettled([
      ann.append({ ...draft, key }),
      ann.append(draft),
    ]);
    assert.equal(bad.status, "rejected");
    assert.equal(good.status, "fulfilled");
  }));

test("close waits for pending calls, and later calls fail", () =>
  withLedger(async (ledger, path) => {
    const calls = many(50, () => ledger.of("ann", "cli").append(draft));
    await ledger.close();
    assert.equal((await calls).length, 50);
    await assert.rejects(ledger.work.stats(), (error) => hasCode(error, "closed"));
    const again = await sqlite({ path });
    assert.equal((await again.work.stats()).records, 50);
    await again.close();
  }));

test("a write waits for another process's write, then answers busy", () =>
  withLedger(async (ledger, path) => {
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    const ann = ledger.of("ann", "cli");
    await assert.rejects(ann.append(draft), (error) => hasCode(error, "busy"));
    assert.equal((await ann.list({})).records.length, 0); // reading needs no lock
    await storeNow(ledger.work); // nor does reading the time
    other.exec("rollback");
    other.close();
    assert.equal((await ann.append(draft)).fresh, true);
  }));

test("thousands of concurrent large bodies are all written", () =>
  withLedger(async (ledger) => {
    const body = { name: "x".repeat(10_000), everyMs: 1 };
    await many(2500, () => ledger.of("ann", "cli").append({ ...draft, body }));
    assert.equal((await ledger.work.stats()).records, 2500);
  }));

for (const step of ["started", "written", "committed"] as const) {
  test(`when the thread exits (${step}), its pending calls are unknown`, () =>
    withLedger(
      async (ledger) => {
        const ann = ledger.of("ann", "cli");
        await ann.append(draft);
        const results = await Promise.allSettled([ann.append(draft), ann.append(draft)]);
        for (const result of results) {
          assert.ok(result.status === "rejected" && hasCode(result.reason, "unknown"));
        }
        await assert.rejects(ann.append(draft), (error) => hasCode(error, "unavailable"));
      },
      { endAt: { step, nth: 2, what: "thread" } },
    ));
}

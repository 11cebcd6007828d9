import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import driver from "postgres";
import { bookFixture } from "../../../../test/book-fixture.ts";
import { both, none, pull, push } from "../../../../test/sync-client.ts";
import type { Context } from "../../../kernel/operation.ts";
import { postgres } from "../../../stores/postgres/postgres.ts";
import { postgresServer } from "../../../testing/postgres/server.ts";
import { nagKind } from "../kind.ts";

describe("a pull", () => {
  test("has everything at first, without deleted records", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    await push(at.mina, { page: { created: [{ id: "p2" }] } });
    await push(at.mina, { page: { deleted: ["p2"] } }, (await pull(at.mina)).timestamp);
    for (const first of [undefined, 0, "null"]) {
      const { changes, experimentalStrategy } = await pull(at.mina, first);
      assert.deepEqual(
        changes.page.created.map(({ id }) => id),
        ["p1"],
      );
      assert.deepEqual([changes.page.deleted, experimentalStrategy], [[], undefined]);
    }
  });
  test("is empty when nothing changed, and keeps the timestamp", async () => {
    const at = bookFixture();
    const fresh = await pull(at.mina);
    assert.deepEqual(fresh.changes, { page: none, alarm: none });
    assert.ok(fresh.timestamp > 0);
    await push(at.mina, both);
    const first = await pull(at.mina, fresh.timestamp);
    assert.equal(first.changes.page.updated.length, 1, "its own page, as an update");
    const again = await pull(at.mina, first.timestamp);
    assert.deepEqual(again, { changes: { page: none, alarm: none }, timestamp: first.timestamp });
  });
  test("has another client's new page as created", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    await push({ ...at.mina, by: "laptop" }, { page: { created: [{ id: "p2" }] } });
    const { changes } = await pull(at.mina, timestamp);
    assert.deepEqual(
      changes.page.created.map(({ id }) => id),
      ["p2"],
    );
  });
  test("misses no change of the same millisecond", async () => {
    const at = bookFixture();
    let seen = (await pull(at.mina)).timestamp;
    const pulled: string[] = [];
    for (let n = 0; n < 30; n += 1) {
      await push(at.mina, { page: { created: [{ id: `p${n}` }] } });
      if (n % 3 > 0) continue;
      const { changes, timestamp } = await pull(at.mina, seen);
      pulled.push(...changes.page.updated.map(({ id }) => id));
      seen = timestamp;
    }
    pulled.push(...(await pull(at.mina, seen)).changes.page.updated.map(({ id }) => id));
    assert.deepEqual(
      pulled,
      Array.from({ length: 30 }, (_, n) => `p${n}`),
    );
  });
  test("misses no change when the clock is set back", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    at.clock.advance(600_000);
    await push(at.mina, { page: { created: [{ id: "p2" }] } });
    const { timestamp } = await pull(at.mina);
    at.clock.step(-300_000);
    await push(at.mina, { page: { created: [{ id: "p3" }] } });
    const { changes } = await pull(at.mina, timestamp);
    assert.ok(changes.page.updated.some(({ id }) => id === "p3"));
  });
  test("since an unknown or a pruned position has everything", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    for (const since of [at.clock.wall(), 1_600_000_000_000_000]) {
      const { changes, experimentalStrategy } = await pull(at.mina, since);
      assert.equal(experimentalStrategy, "replacement");
      assert.deepEqual(
        changes.page.updated.map(({ id }) => id),
        ["p1"],
      );
    }
  });
  test("has neither claims nor lapsed leases", async () => {
    const at = bookFixture();
    await push(at.mina, both);
    const { timestamp } = await pull(at.mina);
    const claim = { kind: nagKind, holder: "n1", leaseMs: 1_000, limit: 10 } as const;
    assert.equal((await at.ledger.work.claim(claim)).records.length, 1);
    assert.deepEqual((await pull(at.mina, timestamp)).changes.alarm, none);
    at.clock.advance(5_000);
    assert.equal((await at.ledger.work.claim(claim)).records.length, 1);
    const later = await pull(at.mina, timestamp);
    assert.deepEqual(later.changes, { page: none, alarm: none });
    await push(at.mina, { alarm: { deleted: ["a1"] } }, timestamp);
  });
  test("reads only the changed records of many", async () => {
    const at = bookFixture();
    const many = Array.from({ length: 1_200 }, (_, n) => ({ id: `p${n}` }));
    await push(at.mina, { page: { created: many } });
    at.clock.advance(120_000);
    await push(at.mina, { page: { created: [{ id: "new" }] } });
    const { timestamp } = await pull(at.mina);
    at.clock.advance(120_000);
    await push(at.mina, { page: { updated: [{ id: "p7", title: "x" }] } }, timestamp);
    let records = 0;
    const { ledger } = at.mina;
    const counted: Context["ledger"] = {
      ...ledger,
      of(owner, by) {
        const book = ledger.of(owner, by);
        return {
          ...book,
          async list(query) {
            const page = await book.list(query);
            if (["page", "nag"].includes(query.kind?.name ?? "")) records += page.records.length;
            return page;
          },
          async get(id) {
            records += 1;
            return book.get(id);
          },
        };
      },
    };
    const { changes } = await pull({ ...at.mina, ledger: counted }, timestamp);
    assert.deepEqual(
      changes.page.updated.map(({ id }) => id),
      ["p7"],
    );
    assert.ok(records < 5, String(records));
  });
});

const server = await postgresServer();
const skip = "missing" in server ? server.missing : false;
after(() => ("missing" in server ? undefined : server.stop()));

test("a late commit is in a later pull, and nothing of it is missed", { skip }, async () => {
  if ("missing" in server) return;
  const url = await server.database();
  const ledger = await postgres({ url });
  const sql = driver(url, { max: 1 });
  const { mina } = bookFixture();
  const as: Context = { ...mina, ledger };
  try {
    await push(as, both);
    const { timestamp } = await pull(as);
    const release = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const open = sql.begin(async (within) => {
      await within`select pg_current_xact_id()`;
      started.resolve();
      await release.promise;
    });
    await started.promise;
    await push(as, { page: { created: [{ id: "p2" }] } });
    const during = await pull(as, timestamp);
    assert.deepEqual([during.changes.page, during.timestamp], [none, timestamp]);
    release.resolve();
    await open;
    const { changes } = await pull(as, during.timestamp);
    assert.deepEqual(
      changes.page.updated.map(({ id }) => id),
      ["p2"],
    );
  } finally {
    await sql.end();
    await ledger.close();
  }
});

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import driver from "postgres";
import type { Draft } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { type Executor, fromDrizzle, fromKysely, fromPg, fromPostgres } from "./executors.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const server = await postgresServer();
const skip = "missing" in server ? server.missing : false;
const body = { name: "sweep", everyMs: 1000 };
const chore: Draft = { kind: "chore", state: "waiting", body };

let url = "";
let ledger: PostgresLedger;

before(async () => {
  if ("missing" in server) return;
  url = await server.database();
  ledger = await postgres({ url });
  const sql = driver(url, { max: 1 });
  await sql.unsafe("create table orders (name text)");
  await sql.end();
});

after(async () => {
  if ("missing" in server) return;
  await ledger.close();
  await server.stop();
});

/** Runs a function in a transaction of the library, which commits unless the function throws. */
type Transact = (run: (executor: Executor) => Promise<void>) => Promise<void>;

const libraries: Record<string, Transact> = {
  async postgres(run) {
    const sql = driver(url, { max: 1 });
    try {
      await sql.begin((transaction) => run(fromPostgres(transaction)));
    } finally {
      await sql.end();
    }
  },
  async pg(run) {
    const client = new pg.Client(url);
    await client.connect();
    try {
      await client.query("begin");
      await run(fromPg(client));
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw error;
    } finally {
      await client.end();
    }
  },
  async Kysely(run) {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    try {
      await kysely
        .transaction()
        .execute((transaction) => run(fromKysely(transaction, CompiledQuery.raw)));
    } finally {
      await kysely.destroy();
    }
  },
  async Drizzle(run) {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    try {
      await drizzle(pool).transaction((transaction) => run(fromDrizzle(transaction, drizzleSql)));
    } finally {
      await pool.end();
    }
  },
};

async function orders(name: string): Promise<number> {
  const sql = driver(url, { max: 1 });
  const found = await sql.unsafe("select 1 from orders where name = $1", [name]);
  await sql.end();
  return found.length;
}

/** Inserts an order of the caller, and a record with a consequence, a key and a hold. */
async function order(executor: Executor, name: string): Promise<void> {
  await executor.query("insert into orders (name) values ($1)", [name]);
  const book = ledger.within(executor).of(name, "shop");
  const draft = { ...chore, id: name, key: { name }, holds: [`order:${name}`], wakeAt: 1 };
  const answer = await book.append(draft, { append: [chore] });
  assert.deepEqual([answer.fresh, answer.id, answer.record?.state], [true, name, "waiting"]);
  assert.equal((await book.append(draft)).fresh, false);
}

for (const [library, transact] of Object.entries(libraries)) {
  test(`${library}: an append is committed with the caller's own writes`, { skip }, async () => {
    const name = `${library}-kept`;
    await transact((executor) => order(executor, name));
    assert.equal(await orders(name), 1);
    const { records } = await ledger.of(name, "reader").list({});
    assert.deepEqual(
      records.map(({ parent }) => parent),
      [null, name],
    );
    assert.equal((await ledger.of(name, "reader").changes({})).changes.length, 2);
  });

  test(`${library}: an append is undone when the caller rolls back`, { skip }, async () => {
    const name = `${library}-gone`;
    const committed = transact(async (executor) => {
      await order(executor, name);
      throw new Error("the shop is closed");
    });
    await assert.rejects(committed, /closed/);
    assert.equal(await orders(name), 0);
    assert.deepEqual((await ledger.of(name, "reader").list({})).records, []);
    await ledger.of(name, "reader").append({ ...chore, holds: [`order:${name}`] });
  });

  test(`${library}: a refusal leaves the caller's transaction usable`, { skip }, async () => {
    const name = `${library}-refused`;
    await ledger.of("other", "x").append({ ...chore, holds: [name] });
    await transact(async (executor) => {
      await executor.query("insert into orders (name) values ($1)", [name]);
      const append = ledger
        .within(executor)
        .of(name, "shop")
        .append({ ...chore, holds: [name] });
      await assert.rejects(append, (error) => hasCode(error, "held"));
    });
    assert.equal(await orders(name), 1);
    assert.deepEqual((await ledger.of(name, "reader").list({})).records, []);
  });
}

test("an edit and a cancel are part of the caller's transaction", { skip }, async () => {
  const { id } = await ledger.of("ann", "x").append(chore);
  await libraries["postgres"]?.(async (executor) => {
    const book = ledger.within(executor).of("ann", "shop");
    assert.equal((await book.edit({ kind: "chore", id, note: "first" })).revision, 2);
    assert.equal((await book.cancel({ id })).result, "cancelled");
    await assert.rejects(book.append({ ...chore, queue: "node" }), (error) =>
      hasCode(error, "invalid"),
    );
    assert.equal((await ledger.of("ann", "x").get(id))?.revision, 1, "not committed yet");
  });
  assert.equal((await ledger.of("ann", "x").get(id))?.state, "cancelled");
});

test("a hint after the commit wakes the queue", { skip }, async () => {
  const hinted = new Promise<void>((resolve) => {
    ledger.work.onHint("chore@within", resolve);
  });
  let hint = (): void => undefined;
  await libraries["postgres"]?.(async (executor) => {
    const within = ledger.within(executor);
    await within.of("ann", "shop").append({ ...chore, queue: "chore@within", wakeAt: 1 });
    ({ hint } = within);
  });
  hint();
  await hinted;
});

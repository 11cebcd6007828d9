import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test, type TestContext } from "node:test";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import driver from "postgres";
import * as z from "zod";
import { operations } from "../../features/index.ts";
import { task } from "../../features/tasks/function.ts";
import { hasCode } from "../../platform/errors.ts";
import { fromDrizzle, fromKysely } from "../../stores/postgres/executors.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { open, type Daybook } from "./open.ts";
import { adding, type Transaction } from "./transaction.ts";

const double = task({
  name: "double",
  input: z.object({ n: z.number() }),
  run: ({ n }) => ({ twice: n * 2 }),
});

/** A shop with a table of its own where the book is. */
interface Shop {
  daybook: Daybook;
  /** Begins, and commits unless it throws. */
  transact(run: (transaction: Transaction) => Promise<void>): Promise<void>;
  /** Writes a row of the shop's. */
  order(transaction: Transaction, name: string): Promise<void>;
  orders(): Promise<readonly string[]>;
}

async function opened(t: TestContext, store: string): Promise<Daybook> {
  const daybook = await open({ store, tasks: [double] });
  t.after(() => daybook.close());
  return daybook;
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "daybook-within-"));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

async function sqliteShop(t: TestContext): Promise<Shop> {
  const path = join(folder(t), "shop.db");
  const daybook = await opened(t, `sqlite:${path}`);
  const database = new DatabaseSync(path);
  t.after(() => database.close());
  database.exec("create table orders (name text)");
  return {
    daybook,
    async transact(run) {
      database.exec("begin");
      try {
        await run(database);
        database.exec("commit");
      } catch (error) {
        database.exec("rollback");
        throw error;
      }
    },
    async order(_, name) {
      database.prepare("insert into orders (name) values (?)").run(name);
    },
    orders: () =>
      Promise.resolve(
        database
          .prepare("select name from orders")
          .all()
          .map((row) => String(row["name"])),
      ),
  };
}

const server = await postgresServer();
after(() => ("missing" in server ? undefined : server.stop()));
const insert = "insert into orders (name) values ($1)";

type Library = (pool: pg.Pool, url: string) => Pick<Shop, "transact" | "order">;

const libraries: Readonly<Record<string, Library>> = {
  postgres: (_, url) => ({
    async transact(run) {
      const sql = driver(url, { max: 1 });
      try {
        await sql.begin((transaction) => run(transaction));
      } finally {
        await sql.end();
      }
    },
    async order(transaction, name) {
      await (transaction as unknown as driver.TransactionSql).unsafe(insert, [name]);
    },
  }),
  pg: (pool) => ({
    async transact(run) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        await run(client);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    async order(transaction, name) {
      await (transaction as pg.PoolClient).query(insert, [name]);
    },
  }),
  Kysely: (pool) => ({
    async transact(run) {
      const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
      await kysely.transaction().execute((each) => run(fromKysely(each, CompiledQuery.raw)));
    },
    async order(transaction, name) {
      await (transaction as ReturnType<typeof fromKysely>).query(insert, [name]);
    },
  }),
  Drizzle: (pool) => ({
    transact: (run) => drizzle(pool).transaction((each) => run(fromDrizzle(each, drizzleSql))),
    async order(transaction, name) {
      await (transaction as ReturnType<typeof fromDrizzle>).query(insert, [name]);
    },
  }),
};

async function postgresShop(t: TestContext, library: Library): Promise<Shop> {
  assert.ok(!("missing" in server));
  const url = await server.database();
  const daybook = await opened(t, url);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  t.after(() => pool.end());
  await pool.query("create table orders (name text)");
  return {
    daybook,
    ...library(pool, url),
    orders: async () =>
      (await pool.query<{ name: string }>("select name from orders")).rows.map(({ name }) => name),
  };
}

const skip = "missing" in server ? server.missing : false;
type Stores = [name: string, make: (t: TestContext) => Promise<Shop>, skip: string | false][];
const stores: Stores = [
  ["SQLite", sqliteShop, false],
  ...Object.entries(libraries).map(([name, library]): Stores[number] => [
    name,
    (t) => postgresShop(t, library),
    skip,
  ]),
];

async function messages({ daybook }: Shop): Promise<readonly string[]> {
  return (await daybook.list({})).notifications.map(({ message }) => message).toSorted();
}

for (const [name, make, skipped] of stores) {
  describe(`in a transaction of the caller's, ${name}`, { skip: skipped, timeout: 120_000 }, () => {
    test("what is asked is committed with the caller's own rows, and runs then", async (t) => {
      const shop = await make(t);
      const { daybook } = shop;
      await daybook.start();
      const asked = Promise.withResolvers<ReturnType<Daybook["within"]>>();
      const handles: Awaited<ReturnType<Daybook["run"]>>[] = [];
      await shop.transact(async (transaction) => {
        await shop.order(transaction, "o1");
        const inside = daybook.within(transaction);
        await inside.remind({ message: "pack it", at: "+1h", collapse_key: "o1" });
        await inside.remind({ message: "pack it well", at: "+1h", collapse_key: "o1" });
        handles.push(await inside.run(double, { n: 4 }, { key: "o1" }));
        assert.equal((await inside.run(double, { n: 4 }, { key: "o1" })).fresh, false);
        asked.resolve(inside);
      });
      (await asked.promise).hint();
      assert.deepEqual(await shop.orders(), ["o1"]);
      assert.deepEqual(await messages(shop), ["pack it well"]);
      assert.deepEqual(await handles[0]?.result(), { twice: 8 });
    });
    test("nothing is there when the caller takes it back", async (t) => {
      const shop = await make(t);
      const asked = shop.transact(async (transaction) => {
        await shop.order(transaction, "o1");
        const inside = shop.daybook.within(transaction);
        await inside.remind({ message: "pack it", at: "+1h" });
        await inside.run(double, { n: 4 }, { key: "o1" });
        assert.deepEqual(await messages(shop), [], "not committed yet");
        throw new Error("sold out");
      });
      await assert.rejects(asked, /sold out/);
      assert.deepEqual([await shop.orders(), await messages(shop)], [[], []]);
      assert.equal((await shop.daybook.run(double, { n: 4 }, { key: "o1" })).fresh, true);
    });
    test("a refusal leaves the caller's transaction usable", async (t) => {
      const shop = await make(t);
      const about = { at: "+1h", related_task_id: "t1" };
      await shop.daybook.remind({ message: "first", ...about });
      await shop.transact(async (transaction) => {
        await shop.order(transaction, "o1");
        const inside = shop.daybook.within(transaction);
        const again = inside.remind({ message: "the same day", ...about });
        await assert.rejects(again, (error) => hasCode(error, "held"));
        // @ts-expect-error: a text is no number
        await assert.rejects(inside.run(double, { n: "x" }), (error) => hasCode(error, "invalid"));
        await inside.remind({ message: "after that", at: "+1h" });
        await shop.order(transaction, "o2");
      });
      assert.deepEqual(await shop.orders(), ["o1", "o2"]);
      assert.deepEqual(await messages(shop), ["after that", "first"]);
    });
    test("an event has happened if the transaction has, and not otherwise", async (t) => {
      const shop = await make(t);
      const emit = async (transaction: Transaction, name: string): Promise<void> => {
        await shop.order(transaction, name);
        await shop.daybook.within(transaction).emitEvent({ type: "order.made", name });
      };
      await shop.transact((transaction) => emit(transaction, "evt-1"));
      const undone = shop.transact(async (transaction) => {
        await emit(transaction, "evt-2");
        throw new Error("sold out");
      });
      await assert.rejects(undone, /sold out/);
      const { events } = await shop.daybook.listEvents({});
      assert.deepEqual([await shop.orders(), events.map(({ id }) => id)], [["evt-1"], ["evt-1"]]);
    });
    test("it is asked in the book of whom the caller says", async (t) => {
      const shop = await make(t);
      await shop.transact(async (transaction) => {
        const inside = shop.daybook.within(transaction, { owner: "mina", by: "shop" });
        await inside.remind({ message: "hers", at: "+1h" });
      });
      assert.deepEqual(await messages(shop), []);
      const { notifications } = await shop.daybook.as({ owner: "mina" }).list({});
      assert.deepEqual(
        notifications.map(({ message, created_by: by }) => [message, by]),
        [["hers", "shop"]],
      );
    });
  });
}

describe("what cannot be shared is refused at once", { timeout: 120_000 }, () => {
  test("by a book in memory, and by one in files", async (t) => {
    for (const store of ["memory:", `file:${join(folder(t), "book")}`]) {
      const daybook = await opened(t, store);
      const database = new DatabaseSync(":memory:");
      assert.throws(
        () => daybook.within(database),
        (error) => hasCode(error, "unsupported"),
      );
      database.close();
    }
  });
  test("by SQLite: another file, and no transaction, before and after", async (t) => {
    const path = join(folder(t), "shop.db");
    const daybook = await opened(t, `sqlite:${path}`);
    const other = new DatabaseSync(":memory:");
    other.exec("begin");
    assert.throws(() => daybook.within(other), /is not to .*shop\.db/);
    other.close();
    const own = new DatabaseSync(path);
    t.after(() => own.close());
    assert.throws(() => daybook.within(own), /begin one first/);
    own.exec("begin");
    const inside = daybook.within(own);
    own.exec("commit");
    const late = inside.remind({ message: "late", at: "+1h" });
    await assert.rejects(late, /begin one first/);
    assert.throws(() => daybook.within({ query: () => Promise.resolve([]) }), /a DatabaseSync/);
  });
  test("by PostgreSQL: what is no transaction", { skip }, async (t) => {
    assert.ok(!("missing" in server));
    const url = await server.database();
    const daybook = await opened(t, url);
    const database = new DatabaseSync(":memory:");
    assert.throws(() => daybook.within(database), /a transaction of postgres or pg/);
    database.close();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    t.after(() => pool.end());
    const asked = daybook.within(pool).remind({ message: "x", at: "+1h" });
    await assert.rejects(asked, /transaction/i);
  });
});

test("only what adds is offered inside", () => {
  for (const name of adding) assert.equal(operations[name].effect, "adds", name);
});

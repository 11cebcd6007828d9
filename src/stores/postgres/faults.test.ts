import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { after, test } from "node:test";
import driver from "postgres";
import type { Draft } from "../../kernel/unit.ts";
import { type ErrorCode, hasCode } from "../../platform/errors.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { checkServer } from "./database.ts";
import { postgres, type PostgresLedger } from "./postgres.ts";

const server = await postgresServer({ fsync: true });
const skip = "missing" in server ? server.missing : false;
after(() => ("missing" in server ? undefined : server.stop()));

const body = { name: "sweep", everyMs: 1000 };
const chore: Draft = { kind: "chore", state: "waiting", body };

function found(): Exclude<typeof server, { missing: string }> {
  if ("missing" in server) throw new Error(server.missing);
  return server;
}

async function fails(url: string, code: ErrorCode, words: RegExp): Promise<void> {
  await assert.rejects(postgres({ url }), (error: unknown) => {
    assert.ok(hasCode(error, code), String(error));
    assert.match(error.message, words);
    return true;
  });
}

async function admin(url: string, ...texts: string[]): Promise<void> {
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  for (const text of texts) await sql.unsafe(text);
  await sql.end();
}

async function using(url: string, run: (ledger: PostgresLedger) => Promise<void>): Promise<void> {
  const ledger = await postgres({ url, connections: 2 });
  try {
    await run(ledger);
  } finally {
    await ledger.close();
  }
}

test(
  "a server that cannot be reached is unavailable, and the error says what to check",
  { skip },
  () => fails("postgres://postgres@127.0.0.1:1/x", "unavailable", /check that it runs/),
);

test("a malformed URL is invalid", { skip }, () =>
  fails("postgres://[", "invalid", /write postgres:/),
);

test("a wrong password is unavailable", { skip }, async (t) => {
  if (process.env["DATABASE_URL"])
    return t.skip("the users of DATABASE_URL are not changed by tests");
  const url = await found().database();
  await admin(url, "create role guarded login password 'right'");
  const database = new URL(url).pathname.slice(1);
  await fails(
    found().url({ user: "guarded", password: "wrong", database }),
    "unavailable",
    /password/,
  );
});

test(
  "a user without permission to create gets an error that names the grant",
  { skip },
  async () => {
    const url = await found().database();
    await admin(url, "create role poor login");
    const database = new URL(url).pathname.slice(1);
    await fails(found().url({ user: "poor", database }), "unavailable", /grant/);
  },
);

test("a missing database is unavailable", { skip }, () =>
  fails(found().url({ database: "missing" }), "unavailable", /create it/),
);

test("an old server is unsupported, and a replica is unavailable", () => {
  assert.throws(() => checkServer(130_011, false), { code: "unsupported" });
  assert.throws(() => checkServer(160_001, true), { code: "unavailable" });
  checkServer(140_000, false);
});

test("writing to a read-only server is unavailable", { skip }, async () => {
  const url = await found().database();
  await using(url, async (ledger) => {
    await admin(
      url,
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    await using(url, (other) =>
      assert.rejects(other.of("ann", "x").append(chore), (error) => hasCode(error, "unavailable")),
    );
    await ledger.of("ann", "x").append(chore); // a connection that was open before
  });
});

test("a foreign schema of the same name is refused", { skip }, async () => {
  const url = await found().database();
  await admin(url, "create schema daybook", "create table daybook.theirs (id int)");
  await fails(url, "refused", /another database/);
});

test("a newer schema is unsupported, and a changed migration is refused", { skip }, async () => {
  const url = await found().database();
  await using(url, () => Promise.resolve());
  await admin(url, "insert into daybook.migration values (9999, 'future.sql', 'x')");
  await fails(url, "unsupported", /^postgres:.+: The ledger has schema 9999, .+ upgrade Daybook/);
  await admin(url, "delete from daybook.migration where number = 9999");
  await using(url, () => Promise.resolve());
  await admin(url, "update daybook.migration set checksum = 'x'");
  await fails(url, "refused", /created by another build of Daybook/);
});

test("a character that PostgreSQL cannot store refuses only its own call", { skip }, async () => {
  await using(await found().database(), async (ledger) => {
    const book = ledger.of("ann", "x");
    const [bad, good] = await Promise.allSettled([
      book.append({ ...chore, note: "a\u0000b" }),
      book.append(chore),
    ]);
    assert.ok(bad.status === "rejected" && hasCode(bad.reason, "invalid"), JSON.stringify(bad));
    assert.equal(good.status, "fulfilled");
  });
});

/** Forwards bytes to the server, until `cut` drops its answers. */
async function proxyTo(
  url: string,
): Promise<{ url: string; cut(): void; cutAt(word: string): void; close(): void }> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  let last: string | undefined;
  const proxy = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    near.on("data", (bytes) => {
      isCut ||= last !== undefined && bytes.includes(last);
      far.write(bytes);
    });
    near.on("close", () => far.end());
    far.on("data", (bytes) => (isCut ? near.destroy() : near.write(bytes)));
    far.on("close", () => near.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  assert.ok(address && typeof address === "object");
  const proxyUrl = Object.assign(new URL(url), { host: `127.0.0.1:${address.port}` }).href;
  return {
    url: proxyUrl,
    cut: () => (isCut = true),
    cutAt: (word) => (last = word),
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

test(
  "the driver queries nothing by itself: a disconnect during it would end the process",
  { skip },
  async () => {
    const proxy = await proxyTo(await found().database());
    proxy.cutAt("pg_catalog.pg_type");
    const ledger = await postgres({ url: proxy.url });
    await ledger.of("ann", "ann").append(chore);
    await ledger.close();
    proxy.close();
  },
);

test(
  "a lost answer is unknown, and repeating the id shows whether it was written",
  { skip },
  async () => {
    const direct = await found().database();
    const proxy = await proxyTo(direct);
    const ledger = await postgres({ url: proxy.url, connections: 1 });
    await ledger.of("ann", "x").append(chore);
    proxy.cut();
    // The statement reaches the server and is committed; its answer does not come back.
    const appended = ledger.of("ann", "x").append({ ...chore, id: "mine" });
    await assert.rejects(appended, (error) => hasCode(error, "unknown"));
    proxy.close();
    await ledger.close();
    await using(direct, async (other) => {
      const again = await other.of("ann", "x").append({ ...chore, id: "mine" });
      assert.deepEqual([again.fresh, again.id], [false, "mine"]);
      assert.equal((await other.of("ann", "x").list({})).records.length, 2);
    });
  },
);

test(
  "a lost commit is unknown, and repeating the key shows whether it was written",
  { skip },
  async () => {
    const direct = await found().database();
    await using(direct, () => Promise.resolve()); // creates the tables, so that the next commit is the append
    const proxy = await proxyTo(direct);
    const ledger = await postgres({ url: proxy.url, connections: 1 });
    proxy.cutAt("commit\0"); // not the "read committed" of its begin
    const draft: Draft = { ...chore, key: { name: "mine" } };
    const appended = ledger.of("ann", "x").append(draft, { append: [chore] });
    try {
      await assert.rejects(appended, (error) => hasCode(error, "unknown"));
    } finally {
      proxy.close();
      await ledger.close();
    }
    await using(direct, async (other) => {
      const book = other.of("ann", "x");
      const again = await book.append(draft, { append: [chore] });
      assert.equal(again.fresh, false);
      assert.equal((await book.list({ parent: again.id })).records.length, 1);
    });
  },
);

test("a connection that ends within a transaction writes nothing", { skip }, async () => {
  const url = await found().database();
  await using(url, async (ledger) => {
    const book = ledger.of("ann", "x");
    const { id } = await book.append(chore);
    const locker = driver(url, { max: 1 });
    await locker.unsafe("begin; select 1 from daybook.record for update");
    const edited = book.edit({ kind: "chore", id, note: "waits for the lock" });
    edited.catch(() => undefined);
    const victims = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await locker.unsafe(victims)).length === 0);
    await assert.rejects(edited, (error) => hasCode(error, "unavailable"));
    await locker.unsafe("rollback");
    await locker.end();
    assert.equal((await book.get(id))?.revision, 1);
    assert.equal((await book.edit({ kind: "chore", id })).revision, 2);
  });
});

test(
  "a killed server loses no acknowledged write, and the store reconnects",
  { skip },
  async (t) => {
    if (process.env["DATABASE_URL"])
      return t.skip("the server of DATABASE_URL is not killed by tests");
    const url = await found().database();
    await using(url, async (ledger) => {
      const book = ledger.of("ann", "x");
      const acknowledged: string[] = [];
      const fates = new Set<string>();
      let killed = false;
      const writer = async (): Promise<void> => {
        for (let after = 0; after < 3;) {
          try {
            const { id } = await book.append(chore, { append: [chore] });
            acknowledged.push(id);
            if (killed) after += 1;
          } catch (error) {
            assert.ok(hasCode(error, "unavailable", "unknown"), String(error));
            fates.add(error.code);
          }
        }
      };
      const writers = Promise.all([writer(), writer(), writer(), writer()]);
      while (acknowledged.length < 50) await book.list({ limit: 1 });
      await found().kill();
      await assert.rejects(book.append(chore), (error) => hasCode(error, "unavailable", "unknown"));
      await found().start();
      killed = true;
      await writers;
      assert.ok(fates.size > 0);
      for (const id of acknowledged) {
        assert.equal((await book.list({ parent: id })).records.length, 1, `${id} was acknowledged`);
      }
      // Hints of other nodes arrive again too.
      await using(url, async (other) => {
        const hints = new Set<string>();
        ledger.work.onHint("chore", () => hints.add("chore"));
        while (hints.size === 0) await other.of("ann", "x").append({ ...chore, wakeAt: 1 });
      });
    });
  },
);

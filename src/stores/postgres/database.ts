import { DaybookError } from "../../platform/errors.ts";
import { readMigrations } from "../sql/migrations.ts";
import { type Connections, connections as connectionsTo } from "./connections.ts";
import type { Executor } from "./executors.ts";
import { faultOf, isLost, openFaultOf, isRetryable, lostAnswer } from "./faults.ts";
import { folder, offsetIdsAfterRestore, migrate } from "./migrations.ts";
import { type Session, sessionOver, transaction } from "./transactions.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** Connections for calls; one more listens for hints. */
  connections?: number;
  /** A test's clock, in place of the server's. */
  now?: () => number;
}

/** How calls reach the server. The hints of a session are sent when its writes are durable. */
export interface Database {
  notify(channel: string, messages: readonly string[]): Promise<unknown>;
  end(): Promise<void>;
  /** A read runs once more when its connection broke. */
  read<T>(run: (session: Session) => Promise<T>): Promise<T>;
  /** One statement, which is a transaction by itself. */
  once<T>(run: (session: Session) => Promise<T>): Promise<T>;
  /** A transaction. It runs again if the server rolled it back for another one. */
  write<T>(run: (session: Session) => Promise<T>): Promise<T>;
}

type Run<T> = (session: Session) => Promise<T>;
type OnHints = (queues: readonly string[]) => void;

/** Connects, checks the server, and runs the pending migrations. */
export async function openDatabase(options: PostgresOptions, onHints: OnHints): Promise<Database> {
  const connections = connectionsTo(options.url, options.connections ?? 8);
  try {
    await connections.use(async (connection) => {
      await check(connection);
      await migrate(connection, readMigrations(folder));
      await offsetIdsAfterRestore(connection);
    });
  } catch (error) {
    await connections.end();
    throw openFaultOf(error, options.url);
  }
  return databaseOver(connections, options.now, onHints);
}

const versionMin = 140_000;

async function check(sql: Executor): Promise<void> {
  const [server] = await sql.query(
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as replica`,
    [],
  );
  checkServer(Number(server?.["version"]), server?.["replica"] === true);
}

export function checkServer(version: number, replica: boolean): void {
  if (version < versionMin) {
    throw new DaybookError(
      "unsupported",
      `The server is PostgreSQL ${Math.floor(version / 10_000)}: use PostgreSQL 14 or newer.`,
      { details: { version } },
    );
  }
  if (replica) {
    const sentence = "This server is a read-only replica: connect to the primary.";
    throw new DaybookError("unavailable", sentence);
  }
}

/** The victim of a deadlock runs again. So many deadlocks in a row are a fault. */
const triesMax = 10;

function databaseOver(
  connections: Connections,
  now: (() => number) | undefined,
  onHints: OnHints,
): Database {
  const transact = async <T>(run: Run<T>): Promise<T> => {
    const { answer, queues } = await connections.use((connection) =>
      transaction(connection, async () => {
        const session = sessionOver(connection);
        if (now) await setNow(session, now());
        return { answer: await run(session), queues: session.hinted };
      }),
    );
    onHints(queues);
    return answer;
  };
  const direct = async <T>(run: Run<T>): Promise<T> => {
    const { answer, queues } = await connections.use(async (connection) => {
      const session = sessionOver(connection);
      return { answer: await run(session), queues: session.hinted };
    });
    onHints(queues);
    return answer;
  };
  const one = now ? transact : direct;
  return {
    read: (run) =>
      one(run)
        .catch((error) => (isLost(error) ? one(run) : raise(error)))
        .catch(raise),
    once: (run) =>
      retried(() => one(run)).catch((error) => raise(isLost(error) ? lostAnswer(error) : error)),
    write: (run) => retried(() => transact(run)).catch(raise),
    notify: (channel, messages) =>
      connections.use((connection) =>
        connection.query(
          `select pg_notify($1, message) from json_array_elements_text($2::text::json) as message`,
          [channel, JSON.stringify(messages)],
        ),
      ),
    end: () => connections.end(),
  };
}

/** A transaction that the server rolled back for another one runs again from its start. */
async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error) || tries >= triesMax) throw error;
    }
  }
}

function raise(error: unknown): never {
  throw faultOf(error);
}

async function setNow(sql: Executor, now: number): Promise<void> {
  await sql.query("select set_config('daybook.now_ms', $1, true)", [String(now)]);
}

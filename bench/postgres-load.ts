import driver from "postgres";
import { postgres } from "../src/stores/postgres/postgres.ts";
import { type Load, type Stand, targetOf } from "./stand.ts";
import { body } from "./work.ts";

export type Sql = ReturnType<typeof driver>;

/** As the store's own connections: every statement by an index, from a prepared plan. */
export function connectTo(url: string, max: number): Sql {
  const connection = { enable_seqscan: "off", jit: "off" } as const;
  return driver(url, { max, connection, onnotice: () => undefined });
}

/** A database of the bench: the store over it, and a connection for plain SQL. */
export interface PostgresStand extends Stand {
  readonly sql: Sql;
  /** Loads as a server finds it that had time: statistics are there, dead rows and a checkpoint are not due. */
  quietly(load: () => Promise<void>): Promise<void>;
}

export async function postgresStand(url: string): Promise<PostgresStand> {
  const ledger = await postgres({ url });
  const sql = connectTo(url, 1);
  return {
    store: url,
    ledger,
    sql,
    add: (load) => fill(sql, load),
    async quietly(load) {
      await sql.unsafe("checkpoint");
      await load();
      await sql.unsafe("vacuum analyze");
    },
    async oldSnapshot() {
      const reader = driver(url, { max: 1 });
      await reader.unsafe("begin isolation level repeatable read");
      await reader.unsafe("select count(*) from daybook.hold");
      return async () => {
        await reader.unsafe("commit");
        await reader.end();
      };
    },
    async close() {
      await ledger.close();
      await sql.end();
    },
  };
}

async function fill(sql: Sql, load: Load): Promise<void> {
  const { rows, wakeAt, queue = "notification", lane = null, holder = null } = load;
  const text = JSON.stringify({ ...body, target: targetOf(load) });
  await sql.unsafe(
    `with last as (select coalesce(max(id), 0) as id from daybook.record),
     r as (
       insert into daybook.record (uid, kind, owner, by, state, priority, queue, lane, created_at, updated_at,
         body)
       select '00000000-0000-7000-8000-' || lpad((last.id + n)::text, 12, '0'), 'notification',
         'owner-' || n % 1000, 'cli', 'pending', n % 3, $2, $3, $4, $4, $5
       from last, generate_series(1, $1::int) as n
       returning id, queue, priority, lane)
     insert into daybook.due (id, queue, priority, lane, wake_at, ready_at, holder, claimed_at, attempt, lapses,
       fence)
     select id, queue, priority, lane, $6::bigint + id % 1000, $6::bigint + id % 1000, $7::text,
       case when $7::text is not null then $4 end, 0, 0, 0
     from r`,
    [rows, queue, lane, Date.now(), text, wakeAt, holder],
  );
}

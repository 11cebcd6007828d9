import driver from "postgres";

/** The time of one database, in a test's hand. */
export interface PostgresClock {
  set(ms: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Takes the place of the server's clock in a ledger that is there already. Nothing is added to what the
 * store sends, as its own clock for tests does, so that calls go as they do in production.
 */
export async function postgresClock(url: string): Promise<PostgresClock> {
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  // A sequence: it is one number that is seen at once, whatever transaction reads it.
  await sql.unsafe(`
    create sequence daybook.test_clock minvalue 0 start 0;
    create or replace function daybook.now_ms() returns bigint language sql stable parallel safe
      as $$ select last_value from daybook.test_clock $$`);
  return {
    async set(ms) {
      await sql`select setval('daybook.test_clock', ${ms})`;
    },
    close: () => sql.end(),
  };
}

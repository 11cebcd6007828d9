import driver from "postgres";

/** The clock of one ledger, set by a test. */
export interface PostgresClock {
  set(ms: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Replaces the server's clock in an existing ledger. Unlike the store's option `now` it adds no statement, so that
 * calls run as they do in production.
 */
export async function postgresClock(url: string): Promise<PostgresClock> {
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  // A sequence: every transaction reads its newest value at once.
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

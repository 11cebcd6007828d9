import driver from "postgres";

const tables = ["record", "due", "ended", "key", "hold", "history", "chunk"];

/** Empties the ledger's tables between cases: faster than a database for each case. */
export function ledgerTables(url: string): { empty(): Promise<void>; close(): Promise<void> } {
  const sql = driver(url, { max: 1, onnotice: () => undefined });
  return {
    async empty() {
      await sql.unsafe(tables.map((table) => `delete from daybook.${table};`).join(" "));
    },
    close: () => sql.end(),
  };
}

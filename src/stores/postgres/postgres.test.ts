import { after } from "node:test";
import { ledgerConformance } from "../../app/testing-kit/conformance/conformance.ts";
import { postgresServer } from "../../testing/postgres/server.ts";
import { ledgerTables } from "../../testing/postgres/tables.ts";
import { postgres } from "./postgres.ts";

const server = await postgresServer();
if ("missing" in server) {
  console.log(`# skipped: ${server.missing}`);
} else {
  const url = await server.database();
  const tables = ledgerTables(url);
  after(async () => {
    await tables.close();
    await server.stop();
  });
  ledgerConformance("PostgreSQL", async () => {
    let time = 0;
    const ledger = await postgres({ url, now: () => time });
    await tables.empty();
    return { ledger, setNow: (ms) => (time = ms), close: () => ledger.close() };
  });
}

import type { Executor } from "./executors.ts";
import { transaction } from "./transactions.ts";

/**
 * A restored dump brings history from a cluster that had counted further than this one. Its rows would be
 * hidden from the feed until this cluster has counted as far, and new rows would come before the cursors
 * that readers hold. So the new numbers are lifted over the old ones.
 */
export async function liftAfterRestore(sql: Executor): Promise<void> {
  if ((await overtaken(sql)) === undefined) return;
  await transaction(sql, async () => {
    await sql.query("lock table daybook.history in share row exclusive mode", []);
    const highest = await overtaken(sql); // another process may have done it meanwhile
    if (highest === undefined) return;
    await sql.query(
      `create or replace function daybook.xid_lift() returns bigint language sql immutable parallel safe
       as $$ select ${highest}::bigint $$`,
      [],
    );
  });
}

/** The highest number in the history, if it cannot be from this cluster: a row that is seen was committed. */
async function overtaken(sql: Executor): Promise<bigint | undefined> {
  const [last] = await sql.query(
    `select h.xid::text as xid, h.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
       + daybook.xid_lift() as future
     from daybook.history h order by h.seq desc limit 1`,
    [],
  );
  if (last?.["future"] !== true) return undefined;
  const [highest] = await sql.query("select max(xid)::text as xid from daybook.history", []);
  return BigInt(String(highest?.["xid"]));
}

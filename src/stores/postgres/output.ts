import { notFound } from "../../kernel/ledger-errors.ts";
import type { Chunk, ReadQuery } from "../../kernel/query.ts";
import type { Write, Written } from "../../kernel/work-unit.ts";
import type { Executor } from "./executors.ts";
import type { Session } from "./transactions.ts";

/** Adds a piece at the end of a stream. Of two with the same start the primary key accepts one. */
export async function writeOutput(session: Session, chunk: Write): Promise<Written> {
  const { id, fence, stream, offset, bytes } = chunk;
  const [found] = await session.query(
    `with c as materialized (
       select d.id from daybook.record r join daybook.due d on d.id = r.id
       where r.uid = $1 and d.fence = $2 and d.holder is not null for update of d),
     s as materialized (
       select c.id, coalesce((select start + length(bytes) from daybook.chunk k
         where k.id = c.id and k.stream = $3 order by start desc limit 1), 0) as size from c),
     w as (
       insert into daybook.chunk (id, stream, start, bytes)
       select id, $3, size, $5 from s where size = $4 and length($5::bytea) > 0
       on conflict do nothing returning start + length(bytes) as size)
     select s.size as before, (select size from w) as after from s`,
    [id, fence, stream, offset, bytes],
  );
  if (found === undefined) return { result: "stale" };
  const before = Number(found["before"]);
  const after = found["after"];
  if (after !== null) return { result: "written", size: Number(after) };
  const isEmptyInPlace = bytes.length === 0 && offset === before;
  return { result: isEmptyInPlace ? "written" : "gap", size: before };
}

/** The output of a record, in the pieces that were written. */
export async function readOutput(
  sql: Executor,
  owner: string,
  { id, stream, offset, limit }: ReadQuery,
): Promise<Chunk> {
  const stop = offset + limit;
  const found = await sql.query(
    `select coalesce((select start + length(bytes) from daybook.chunk k
         where k.id = r.id and k.stream = $3 order by start desc limit 1), 0) as size, c.start, c.bytes
     from daybook.record r left join daybook.chunk c on c.id = r.id and c.stream = $3 and c.start < $5
       and c.start >= coalesce((select max(k.start) from daybook.chunk k
         where k.id = r.id and k.stream = $3 and k.start <= $4), 0)
     where r.uid = $1 and r.owner = $2 order by c.start`,
    [id, owner, stream, offset, stop],
  );
  if (found.length === 0) throw notFound(id);
  const parts = found.flatMap(({ start, bytes }) => {
    if (!(bytes instanceof Uint8Array)) return [];
    const from = Number(start);
    return [bytes.subarray(Math.max(0, offset - from), Math.max(0, stop - from))];
  });
  return { bytes: new Uint8Array(Buffer.concat(parts)), size: Number(found[0]?.["size"]) };
}

import type { Chunk, ReadQuery } from "../../kernel/query.ts";
import type { Write, Written } from "../../kernel/work-unit.ts";
import { claimedRow } from "../sql/row.ts";
import type { Rows } from "./rows.ts";
import type { Statements } from "./statements.ts";

export interface Output {
  write(chunk: Write): Written;
  read(owner: string, query: ReadQuery): Chunk;
}

/** The output of a record, in the pieces that were written. */
export function output(sql: Statements, rows: Rows): Output {
  const end = sql.one<{ size: number }>(`
    select start + length(bytes) as size from chunk where id = ? and stream = ?
    order by start desc limit 1`);
  const insert = sql.run(`insert into chunk (id, stream, start, bytes) values (?, ?, ?, ?)`);
  const pieces = sql.all<{ start: number; bytes: Uint8Array }>(`
    select start, bytes from chunk
    where id = ?1 and stream = ?2 and start < ?4 and start >= coalesce(
      (select max(start) from chunk where id = ?1 and stream = ?2 and start <= ?3), 0)
    order by start`);

  const sizeOf = (id: number, stream: string): number => end(id, stream)?.size ?? 0;
  return {
    write(chunk) {
      const row = claimedRow(rows.find(chunk.id), chunk.fence);
      if (row === undefined) return { result: "stale" };
      const size = sizeOf(row.id, chunk.stream);
      if (chunk.offset !== size) return { result: "gap", size };
      if (chunk.bytes.length > 0) insert(row.id, chunk.stream, size, chunk.bytes);
      return { result: "written", size: size + chunk.bytes.length };
    },
    read(owner, { id, stream, offset, limit }) {
      const row = rows.owned(owner, id);
      const stop = offset + limit;
      const parts = pieces(row.id, stream, offset, stop).map(({ start, bytes }) =>
        bytes.subarray(Math.max(0, offset - start), Math.max(0, stop - start)),
      );
      return { bytes: new Uint8Array(Buffer.concat(parts)), size: sizeOf(row.id, stream) };
    },
  };
}

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

type Params = readonly SQLInputValue[];

/** Makes a row of a statement's values. For wide rows this is much faster than node:sqlite's objects. */
type Read<Row> = (values: readonly unknown[]) => Row;

/** Prepared statements as functions. The types of rows are declared by the caller and trusted. */
export interface Statements {
  one<Row>(text: string, read?: Read<Row>): (...params: Params) => Row | undefined;
  all<Row>(text: string, read?: Read<Row>): (...params: Params) => readonly Row[];
  /** Answers the number of changed rows. */
  run(text: string): (...params: Params) => number;
  /** Answers the row number of the inserted row, if there is one. */
  insert(text: string): (...params: Params) => number | undefined;
  /** Buffers rows that are not read before `flush`, and writes many with one statement. */
  insertLater(table: string, columns: string): (...params: Params) => void;
  /** Writes the buffered rows. */
  flush(): void;
  /** Discards the buffered rows, for a rollback. */
  drop(): void;
  /** The number of writes so far: while it stays the same, nothing was written. */
  runs(): number;
}

export function statements(database: DatabaseSync): Statements {
  const prepare = (text: string, asArrays: boolean): StatementSync => {
    const statement = database.prepare(text);
    statement.setReturnArrays(asArrays);
    return statement;
  };
  let runs = 0;
  const buffers: RowBuffer[] = [];
  return {
    runs: () => runs,
    insertLater(table, columns) {
      const rows = rowBuffer((text) => database.prepare(text), table, columns);
      buffers.push(rows);
      return (...params) => {
        runs += 1;
        rows.add(...params);
      };
    },
    flush() {
      for (const rows of buffers) rows.flush();
    },
    drop() {
      for (const rows of buffers) rows.drop();
    },
    one<Row>(text: string, read?: Read<Row>) {
      const statement = prepare(text, read !== undefined);
      return (...params: Params) => {
        const found: unknown = statement.get(...params);
        return read && found ? read(found as readonly unknown[]) : (found as Row | undefined);
      };
    },
    all<Row>(text: string, read?: Read<Row>) {
      const statement = prepare(text, read !== undefined);
      return (...params: Params) => {
        const found: unknown = statement.all(...params);
        return read ? (found as readonly unknown[][]).map(read) : (found as readonly Row[]);
      };
    },
    run(text) {
      const statement = prepare(text, false);
      return (...params) => {
        runs += 1;
        return Number(statement.run(...params).changes);
      };
    },
    insert(text) {
      const statement = prepare(text, false);
      return (...params) => {
        runs += 1;
        const { changes, lastInsertRowid } = statement.run(...params);
        return changes === 0 ? undefined : Number(lastInsertRowid);
      };
    },
  };
}

/**
 * SQLite's planner reads the value of a limit that is a bare parameter, and then prepares the statement again on
 * every run (30 times the cost of an empty claim). It does not read into a sum.
 */
export function upTo(parameter: string): string {
  return `limit ${parameter} + 0`;
}

/** Rows of one table that are written together, in their order. */
interface RowBuffer {
  add(...values: readonly SQLInputValue[]): void;
  flush(): void;
  drop(): void;
}

/** Rows per statement: more than half of the cost of a single row is starting and ending its statement. */
const sizes = [32, 8, 1];

function rowBuffer(
  prepare: (text: string) => StatementSync,
  table: string,
  columns: string,
): RowBuffer {
  const { length: width } = columns.split(",");
  const row = `(${Array.from({ length: width }, () => "?").join(", ")})`;
  const writers = sizes.map((size) => {
    const rows = Array.from({ length: size }, () => row).join(", ");
    const statement = prepare(`insert into ${table} (${columns}) values ${rows}`);
    return { statement, count: size * width };
  });
  const waiting: SQLInputValue[] = [];
  const drop = (): void => void (waiting.length = 0);
  return {
    add: (...values) => void waiting.push(...values),
    drop,
    flush() {
      let at = 0;
      for (const { statement, count } of writers) {
        for (; waiting.length - at >= count; at += count) {
          statement.run(...waiting.slice(at, at + count));
        }
      }
      drop();
    },
  };
}

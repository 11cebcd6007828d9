import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

type Params = readonly SQLInputValue[];

/** Makes a row of a statement's values. Wide rows are much faster so than as node:sqlite's objects. */
type Read<Row> = (values: readonly unknown[]) => Row;

/** Statements prepared once, as functions. What a row holds is said here, at the edge, and trusted. */
export interface Statements {
  one<Row>(text: string, read?: Read<Row>): (...params: Params) => Row | undefined;
  all<Row>(text: string, read?: Read<Row>): (...params: Params) => readonly Row[];
  /** Answers how many rows it changed. */
  run(text: string): (...params: Params) => number;
  /** Answers the number of the row that it made, if it made one. */
  insert(text: string): (...params: Params) => number | undefined;
  /** A row that nobody reads before `flush`: it waits for others of its kind, and they go in one statement. */
  insertLater(table: string, columns: string): (...params: Params) => void;
  /** Writes what waits. */
  flush(): void;
  /** What waits is not written: what it belongs to is taken back. */
  drop(): void;
  /** How many times something was run or inserted: what did not change it wrote nothing. */
  runs(): number;
}

export function statements(database: DatabaseSync): Statements {
  const prepare = (text: string, asArrays: boolean): StatementSync => {
    const statement = database.prepare(text);
    statement.setReturnArrays(asArrays);
    return statement;
  };
  let runs = 0;
  const waiting: Together[] = [];
  return {
    runs: () => runs,
    insertLater(table, columns) {
      const rows = together((text) => database.prepare(text), table, columns);
      waiting.push(rows);
      return (...params) => {
        runs += 1;
        rows.add(...params);
      };
    },
    flush() {
      for (const rows of waiting) rows.flush();
    },
    drop() {
      for (const rows of waiting) rows.drop();
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
 * A limit that is a bare parameter is looked into by SQLite's planner, which then prepares the
 * statement anew on every run (30 times the cost of an empty claim). It does not look into a sum.
 */
export function upTo(parameter: string): string {
  return `limit ${parameter} + 0`;
}

/** Rows of one table that wait for each other, and are written in the order in which they came. */
export interface Together {
  add(...values: readonly SQLInputValue[]): void;
  flush(): void;
  drop(): void;
}

/** How many rows one statement writes: more than half of what a single row costs is to begin and end its statement. */
const sizes = [32, 8, 1];

export function together(
  prepare: (text: string) => StatementSync,
  table: string,
  columns: string,
): Together {
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

import type { SQLInputValue, StatementSync } from "node:sqlite";

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

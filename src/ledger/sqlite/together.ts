import type { StatementSync } from "node:sqlite";
import type { Params, Statements } from "./statements.ts";

/** How many rows one statement writes: more than half of what a single row costs is to begin and end its statement. */
const sizes = [32, 8, 1];

/** Rows that wait for each other. Those of one table are written in the order in which they came. */
export function together(
  prepare: (text: string) => StatementSync,
): Pick<Statements, "insertLater" | "flush" | "drop"> {
  const tables: { flush(): void; drop(): void }[] = [];
  return {
    insertLater(table, columns) {
      const { length: width } = columns.split(",");
      const values = `(${Array.from({ length: width }, () => "?").join(", ")})`;
      const writers = sizes.map((size) => {
        const rows = Array.from({ length: size }, () => values).join(", ");
        const statement = prepare(`insert into ${table} (${columns}) values ${rows}`);
        return { statement, count: size * width };
      });
      const waiting: Params[number][] = [];
      const drop = (): void => void (waiting.length = 0);
      tables.push({
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
      });
      return (...params) => void waiting.push(...params);
    },
    flush() {
      for (const each of tables) each.flush();
    },
    drop() {
      for (const each of tables) each.drop();
    },
  };
}

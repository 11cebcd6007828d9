import type { Hold } from "../../kernel/unit.ts";
import { chosenNames, namesOf } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import type { Statements } from "./statements.ts";

/** Names that only one live record may have. */
export interface Holds {
  /** Which names the record would have. Throws `held`, before anything is written. */
  choose(id: number | null, wanted: readonly Hold[]): readonly string[];
  replace(id: number, names: readonly string[]): void;
}

export function holds(sql: Statements): Holds {
  const holderOf = sql.one<Pick<SqlRow, "id" | "uid">>(
    `select r.id, r.uid from hold h join record r on r.id = h.id where h.name = ?`,
  );
  const free = sql.run(`delete from hold where id = ?`);
  const take = sql.run(`insert into hold (name, id) values (?, ?)`);

  return {
    choose(id, wanted) {
      const names = wanted.flatMap(namesOf);
      return chosenNames(id, wanted, new Map(names.map((name) => [name, holderOf(name)])));
    },
    replace(id, names) {
      free(id);
      for (const name of names) take(name, id);
    },
  };
}

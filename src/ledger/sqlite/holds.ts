import { DaybookError } from "../../base/errors.ts";
import type { Hold } from "../../rules/unit.ts";
import type { Statements } from "./statements.ts";

/** Names that only one live record may have. */
export interface Holds {
  /** Which names the record would have. Throws `held`, before anything is written. */
  choose(id: number | null, wanted: readonly Hold[]): readonly string[];
  replace(id: number, names: readonly string[]): void;
}

interface Holder {
  id: number;
  uid: string;
}

export function holds(sql: Statements): Holds {
  const holderOf = sql.one<Holder>(
    `select r.id, r.uid from hold h join record r on r.id = h.id where h.name = ?`,
  );
  const free = sql.run(`delete from hold where id = ?`);
  const take = sql.run(`insert into hold (name, id) values (?, ?)`);

  const chooseOne = (id: number | null, names: readonly string[], chosen: Set<string>): string => {
    const holders = new Map(names.map((name) => [name, holderOf(name)]));
    const isMine = (name: string): boolean => chosen.has(name) || holders.get(name)?.id === id;
    const name = names.find(isMine) ?? names.find((name) => holders.get(name) === undefined);
    if (name === undefined) throw held(names[0] ?? "", holders.get(names[0] ?? ""));
    return name;
  };
  return {
    choose(id, wanted) {
      const chosen = new Set<string>();
      for (const hold of wanted) {
        const names = typeof hold === "string" ? [hold] : hold.oneOf;
        chosen.add(chooseOne(id, names, chosen));
      }
      return [...chosen];
    },
    replace(id, names) {
      free(id);
      for (const name of names) take(name, id);
    },
  };
}

function held(name: string, holder: Holder | undefined): DaybookError {
  const details = { name, holder: holder?.uid ?? null };
  return new DaybookError(
    "held",
    `Another live record has the name "${name}": end it first, or wait for its end.`,
    { details },
  );
}

import type { WriteContext } from "../../kernel/change-row.ts";
import { recordIdByKey, keyHash } from "../../kernel/key-hash.ts";
import type { Draft, Hold } from "../../kernel/unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { chosenNames, namesOf } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import { type History, history } from "./history.ts";
import { type Rows, rows } from "./rows.ts";
import type { Statements } from "./statements.ts";

/** The tables that a unit writes, each with its prepared statements. */
export interface Tables {
  readonly rows: Rows;
  readonly keys: Keys;
  readonly holds: Holds;
  readonly history: History;
  readonly ids: Ids;
}

export function tables(sql: Statements, hint: (queue: string) => void, ids: Ids): Tables {
  return { rows: rows(sql, hint), keys: keys(sql), holds: holds(sql), history: history(sql), ids };
}

/** Idempotency keys: a repeated request is one record. */
interface Keys {
  /** The record that has the key, pruned or not. Throws `conflict` if its body is another. */
  first(act: WriteContext, draft: Draft): string | undefined;
  take(act: WriteContext, draft: Draft, uid: string): void;
}

interface Entry {
  uid: string;
  hash: string;
  until: number | null;
  pruned: number;
}

function keys(sql: Statements): Keys {
  const find = sql.one<Entry>(`
    select k.uid, k.hash, k.until, r.id is null as pruned
    from key k left join record r on r.uid = k.uid and r.owner = k.owner
    where k.kind = ? and k.owner = ? and k.name = ?`);
  const insert = sql.run(`
    insert into key (uid, hash, until, kind, owner, name) values (?, ?, ?, ?, ?, ?)
    on conflict do nothing`);
  // For an expired entry of a pruned record. Not an upsert, for the same reason as in `dueWriters`.
  const replace = sql.run(`
    update key set uid = ?, hash = ?, until = ?, sweep_at = null where kind = ? and owner = ? and name = ?`);
  return {
    first(act, draft) {
      if (draft.key === undefined) return undefined;
      const entry = find(draft.kind, act.owner, draft.key.name);
      return entry && recordIdByKey({ ...entry, pruned: entry.pruned === 1 }, draft, act.now);
    },
    take(act, draft, uid) {
      if (draft.key === undefined) return;
      const { name, until } = draft.key;
      const values = [uid, keyHash(draft), until ?? null, draft.kind, act.owner, name];
      if (insert(...values) === 0) replace(...values);
    },
  };
}

/** Names that only one live record may have. */
interface Holds {
  /** Chooses among the wanted names. Throws `held`, before anything is written. */
  choose(id: number | null, wanted: readonly Hold[]): readonly string[];
  replace(id: number, names: readonly string[]): void;
}

function holds(sql: Statements): Holds {
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

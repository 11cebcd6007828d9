import type { WriteContext } from "../../kernel/change-row.ts";
import { recordIdByKey, keyHash } from "../../kernel/key-hash.ts";
import type { Draft, Hold } from "../../kernel/unit.ts";
import { chosenNames, namesOf } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import { time } from "./rows.ts";
import { type Session, lostRace } from "./transactions.ts";

/** The record that has the key, pruned or not. Throws `conflict` if its body is another. */
export async function findByKey(
  session: Session,
  act: WriteContext,
  draft: Draft,
): Promise<string | undefined> {
  if (draft.key === undefined) return undefined;
  const [entry] = await session.query(
    `select k.uid, k.hash, k.until, r.id is null as pruned
     from daybook.key k left join daybook.record r on r.uid = k.uid and r.owner = k.owner
     where k.kind = $1 and k.owner = $2 and k.name = $3`,
    [draft.kind, act.owner, draft.key.name],
  );
  if (entry === undefined) return undefined;
  const [uid, hash] = [String(entry["uid"]), String(entry["hash"])];
  const found = { uid, hash, until: time(entry["until"]), pruned: entry["pruned"] === true };
  return recordIdByKey(found, draft, act.now);
}

/** The primary key decides: of two transactions at once, the second loses the race and runs again. */
export async function takeKey(
  session: Session,
  act: WriteContext,
  draft: Draft,
  uid: string,
): Promise<void> {
  if (draft.key === undefined) return;
  const { name, until = null } = draft.key;
  const where = [draft.kind, act.owner, name];
  const entry = [...where, uid, keyHash(draft), until];
  const taken = await session.query(
    `insert into daybook.key (kind, owner, name, uid, hash, until) values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing returning uid`,
    entry,
  );
  if (taken.length > 0) return;
  // An expired entry is replaced. It is locked first: the next statement sees everything that was committed
  // until then, and no other transaction can change it meanwhile.
  const [, replaced] = await Promise.all([
    session.query(
      `select uid from daybook.key where kind = $1 and owner = $2 and name = $3 for update`,
      where,
    ),
    session.query(
      `update daybook.key k set uid = $4, hash = $5, until = $6, sweep_at = null
       where kind = $1 and owner = $2 and name = $3 and coalesce(until, 0) <= $7
         and not exists (select 1 from daybook.record r
           where r.uid = k.uid and r.owner = k.owner and r.uid <> $4)
       returning uid`,
      [...entry, act.now],
    ),
  ]);
  if (replaced.length === 0) throw lostRace();
}

type Holders = ReadonlyMap<string, Pick<SqlRow, "id" | "uid">>;

/** Chooses among the wanted names. Throws `held`, before anything is written. */
export async function chooseHolds(
  session: Session,
  id: number | null,
  wanted: readonly Hold[],
): Promise<readonly string[]> {
  if (wanted.length === 0) return [];
  return chosenNames(id, wanted, await holdersOf(session, wanted.flatMap(namesOf)));
}

async function holdersOf(session: Session, names: readonly string[]): Promise<Holders> {
  const found = await session.query(
    `select h.name, r.id, r.uid from daybook.hold h join daybook.record r on r.id = h.id
     where h.name in (select json_array_elements_text($1::text::json))`,
    [JSON.stringify(names)],
  );
  return new Map(
    found.map(({ name, id, uid }) => [String(name), { id: Number(id), uid: String(uid) }]),
  );
}

/** The primary key decides who gets a name: one that was free a moment ago may be taken by now. */
export async function replaceHolds(
  session: Session,
  id: number,
  names: readonly string[],
): Promise<void> {
  // In one order everywhere: two transactions that want the same names must not deadlock.
  const list = JSON.stringify(names.toSorted());
  const [, taken] = await Promise.all([
    session.query(
      `delete from daybook.hold where id = $1
         and name not in (select json_array_elements_text($2::text::json))`,
      [id, list],
    ),
    session.query(
      `with taken as (
         insert into daybook.hold (name, id)
         select name, $1::bigint from json_array_elements_text($2::text::json) as name
         on conflict (name) do nothing returning name)
       select name from taken union all
       select name from daybook.hold where id = $1`,
      [id, list],
    ),
  ]);
  const held = new Set(taken.map(({ name }) => name));
  if (!names.every((name) => held.has(name))) throw lostRace();
}

import type { Hold } from "../../kernel/unit.ts";
import { chosenNames, namesOf } from "../sql/change.ts";
import type { SqlRow } from "../sql/row.ts";
import { lostRace, type Session } from "./transactions.ts";

type Holders = ReadonlyMap<string, Pick<SqlRow, "id" | "uid">>;

/** Which names the record would have. Throws `held`, before anything is written. */
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

/** Only the primary key decides who has a name: what was free a moment ago may be taken by now. */
export async function replaceHolds(
  session: Session,
  id: number,
  names: readonly string[],
): Promise<void> {
  // In one order everywhere, so that two who want the same names do not wait for each other.
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
  const ours = new Set(taken.map(({ name }) => name));
  if (!names.every((name) => ours.has(name))) throw lostRace();
}

import type { Act } from "../../kernel/change-row.ts";
import { firstByKey, keyHash } from "../../kernel/key-hash.ts";
import type { Draft } from "../../kernel/unit.ts";
import { time } from "./row.ts";
import { lostRace, type Session } from "./transactions.ts";

/** The record that the key stands for, pruned or not. Throws `conflict` if it stands for another body. */
export async function findByKey(
  session: Session,
  act: Act,
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
  return firstByKey(found, draft, act.now);
}

/** Only the primary key decides: of two that ask at once, the second looks again. */
export async function takeKey(
  session: Session,
  act: Act,
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
  // An old entry that no longer counts is replaced. Locked first: the next statement sees all that
  // was committed until then, and nobody can change it meanwhile.
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

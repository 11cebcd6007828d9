import { known, recordOf } from "../sql/row.ts";
import type { Writers, WriteConsequences } from "./consequences.ts";
import type { Rows } from "./rows.ts";
import type { StoreVerbs } from "./store-verbs.ts";
import type { Savepoint } from "./transactions.ts";
import { runUnit } from "./units.ts";

interface Parts {
  rows: Rows;
  writers: Writers;
  writeFollows: WriteConsequences;
  savepoint: Savepoint;
}

/** The writing verbs of those who ask: one unit each, and the record as the whole unit left it. */
export function unitVerbs({
  rows,
  writers,
  writeFollows,
  savepoint,
}: Parts): Pick<StoreVerbs, "append" | "edit" | "cancel"> {
  const { append, edit, cancel } = writers;
  return {
    append: ({ who, draft, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { fresh, uid: id } = append({ ...who, now }, draft, null);
        if (fresh && !consequences) return { fresh: true, id, record: recordOf(fresh) };
        if (fresh) writeFollows({ ...who, now }, id, consequences);
        return { fresh: fresh !== undefined, id, record: rows.record(who.owner, id) ?? null };
      }),
    edit: ({ who, edit: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        edit({ ...who, now }, request);
        writeFollows({ ...who, now }, request.id, consequences);
        return known(rows.record(who.owner, request.id));
      }),
    cancel: ({ who, cancel: request, consequences }, now) =>
      runUnit(savepoint, consequences, () => {
        const { result, wrote } = cancel({ ...who, now }, request);
        if (wrote) writeFollows({ ...who, now }, request.id, consequences);
        return { result, record: known(rows.record(who.owner, request.id)) };
      }),
  };
}

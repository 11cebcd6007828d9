import type { Verbs } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { known, recordOf } from "../sql/row.ts";
import { appendOne } from "./append.ts";
import { cancelOne } from "./cancel.ts";
import { writeConsequences } from "./consequences.ts";
import { editOne } from "./edit.ts";
import { findRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

type Unit<V extends "append" | "edit" | "cancel"> = (
  session: Session,
  input: Verbs[V]["input"],
  ids: Ids,
) => Promise<Verbs[V]["answer"]>;

// The writing verbs of those who ask: one unit each, and the record as the whole unit left it.

export const bookAppend: Unit<"append"> = (session, { who, draft, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    const { fresh, uid } = await appendOne(session, act, draft, ids);
    if (fresh) await writeConsequences(session, { act, uid, ids }, consequences);
    const row = await findRow(session, uid);
    return { fresh, id: uid, record: row?.owner === who.owner ? recordOf(row) : null };
  });

export const bookEdit: Unit<"edit"> = (session, { who, edit, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    await editOne(session, act, edit);
    await writeConsequences(session, { act, uid: edit.id, ids }, consequences);
    return readBack(session, edit.id);
  });

export const bookCancel: Unit<"cancel"> = (session, { who, cancel, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    const { result, wrote } = await cancelOne(session, act, cancel);
    if (wrote) await writeConsequences(session, { act, uid: cancel.id, ids }, consequences);
    return { result, record: await readBack(session, cancel.id) };
  });

async function readBack(session: Session, uid: string): Promise<Verbs["edit"]["answer"]> {
  return recordOf(known(await findRow(session, uid)));
}

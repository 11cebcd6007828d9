import type { WriteContext } from "../../kernel/change-row.ts";
import { checkEditable } from "../../kernel/ledger-errors.ts";
import type { Cancel, Consequences, Edit, Wake } from "../../kernel/unit.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import type { Ids } from "../../platform/ids.ts";
import { type CancelResult, cancelled, edited, isLeased, woken } from "../sql/change.ts";
import { known, recordOf } from "../sql/row.ts";
import { appendMany, appendOne } from "./append.ts";
import { addHistory, addLapse } from "./history.ts";
import { chooseHolds, replaceHolds } from "./keys-and-holds.ts";
import { findRow, lockOwned, saveDue, saveRow } from "./rows.ts";
import type { Session } from "./transactions.ts";

/** Changes what the edit names. Never touches a lease. */
async function editOne(session: Session, act: WriteContext, edit: Edit): Promise<void> {
  const before = await lockOwned(session, act.owner, edit.id);
  checkEditable({ ...before, id: before.uid }, edit, isLeased(before, act.now));
  const live = !("ends" in edit);
  const names =
    live && edit.holds !== undefined ? await chooseHolds(session, before.id, edit.holds) : null;
  const base = live ? before : await addLapse(session, before, act.now);
  const after = edited(base, edit, act.now);
  await saveRow(session, before, after, edit);
  if (names !== null) await replaceHolds(session, after.id, names);
  await addHistory(session, after, { what: "edited", by: act.by, at: act.now, note: edit.note });
}

async function cancelOne(
  session: Session,
  act: WriteContext,
  { id, reason }: Cancel,
): Promise<CancelResult> {
  const row = await lockOwned(session, act.owner, id);
  if (row.endedAt !== null) return { result: "ended", wrote: false };
  const leased = isLeased(row, act.now);
  if (leased && row.cancelling) return { result: "cancelling", wrote: false };
  const after = cancelled(leased ? row : await addLapse(session, row, act.now), act.now);
  const result = leased ? "cancelling" : "cancelled";
  await saveRow(session, row, after);
  await addHistory(session, after, { what: result, by: act.by, at: act.now, note: reason });
  return { result, wrote: true };
}

/** Makes a live record due now. */
async function wakeOne(session: Session, act: WriteContext, wake: Wake): Promise<void> {
  const row = await lockOwned(session, act.owner, wake.id);
  if (row.endedAt !== null) return;
  await saveDue(session, row, woken(row, act.now));
}

/** The record of the unit that has the consequences. */
interface Cause {
  readonly act: WriteContext;
  readonly uid: string;
  readonly ids: Ids;
}

/** Writes the consequences of a write to the record `uid`, in the order that the contract fixes. */
export async function writeConsequences(
  session: Session,
  { act, uid, ids }: Cause,
  consequences: Consequences | undefined,
): Promise<void> {
  if (consequences === undefined) return;
  const drafts = consequences.append ?? [];
  await appendMany(
    session,
    act,
    drafts.map((draft) => ({
      ...draft,
      parent: draft.parent === undefined ? uid : draft.parent,
    })),
    ids,
  );
  for (const each of consequences.edit ?? []) await editOne(session, act, each);
  for (const each of consequences.cancel ?? []) await cancelOne(session, act, each);
  for (const each of consequences.wake ?? []) await wakeOne(session, act, each);
}

type Unit<V extends "append" | "edit" | "cancel"> = (
  session: Session,
  input: Verbs[V]["input"],
  ids: Ids,
) => Promise<Verbs[V]["answer"]>;

// The writing verbs of callers: one unit each. They answer the record as the whole unit left it.

export const appendUnit: Unit<"append"> = (session, { who, draft, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    const { fresh, uid } = await appendOne(session, act, draft, ids);
    if (fresh) await writeConsequences(session, { act, uid, ids }, consequences);
    const row = await findRow(session, uid);
    return { fresh, id: uid, record: row?.owner === who.owner ? recordOf(row) : null };
  });

export const editUnit: Unit<"edit"> = (session, { who, edit, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    await editOne(session, act, edit);
    await writeConsequences(session, { act, uid: edit.id, ids }, consequences);
    return readBack(session, edit.id);
  });

export const cancelUnit: Unit<"cancel"> = (session, { who, cancel, consequences }, ids) =>
  session.unit(async () => {
    const act = { ...who, now: await session.now() };
    const { result, wrote } = await cancelOne(session, act, cancel);
    if (wrote) await writeConsequences(session, { act, uid: cancel.id, ids }, consequences);
    return { result, record: await readBack(session, cancel.id) };
  });

async function readBack(session: Session, uid: string): Promise<Verbs["edit"]["answer"]> {
  return recordOf(known(await findRow(session, uid)));
}

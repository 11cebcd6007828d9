import { keyHash } from "../../kernel/key-hash.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Shape } from "../../kernel/shape.ts";
import type { Draft } from "../../kernel/unit.ts";
import type { Settle, SettleOf, Settled, Unstarted, Keep, Kept } from "../../kernel/work-unit.ts";
import type { Ids } from "../../platform/ids.ts";
import { givenBack, settled } from "../sql/change.ts";
import { type ClaimedRow, type SqlRow, claimedRow, recordOf } from "../sql/row.ts";
import { draftFields } from "./append.ts";
import { isDuplicate } from "./faults.ts";
import { addHistory } from "./history.ts";
import { chooseHolds, replaceHolds } from "./keys-and-holds.ts";
import { findRow, lockRow, saveDue, saveRow } from "./rows.ts";
import { settleAlone, settleWithOthers, keepLeases } from "./settle-sql.ts";
import { type Session, lostRace } from "./transactions.ts";
import { type Run, orRefused } from "./units.ts";
import { writeConsequences } from "./writes.ts";

/** Ends one lease with its verdict. */
async function settleOne(session: Session, unit: Settle, ids: Ids): Promise<Settled> {
  const row = claimedRow(await lockRow(session, unit.id), unit.fence);
  if (row === undefined) return { result: "stale" };
  const { revision: expected = row.revision } = unit;
  if (expected !== row.revision) return { result: "moved", record: recordOf(row) as Claimed };
  const now = await session.now();
  if ("unstarted" in unit) return giveBack(session, row, unit, now);
  const after = settled(row, unit, now);
  const revision = await write(session, row, after, unit);
  if (unit.consequences === undefined) return { result: "settled", revision };
  const act = { owner: row.owner, by: row.by, now };
  await writeConsequences(session, { act, uid: row.uid, ids }, unit.consequences);
  return { result: "settled", revision: (await findRow(session, row.uid))?.revision ?? revision };
}

async function write(
  session: Session,
  row: ClaimedRow,
  after: SqlRow,
  unit: SettleOf<Shape>,
): Promise<number> {
  const { holder: by, claimedAt, attempt } = row;
  const lives = after.endedAt === null;
  const names =
    lives && unit.holds !== undefined ? await chooseHolds(session, row.id, unit.holds) : null;
  await saveRow(session, row, after, { outcome: unit.outcome });
  if (names !== null) await replaceHolds(session, row.id, names);
  const change = { what: "settled", by, at: after.updatedAt, claimedAt, note: unit.note } as const;
  await addHistory(session, { ...after, attempt }, change);
  return after.revision;
}

async function giveBack(
  session: Session,
  row: ClaimedRow,
  unit: Unstarted,
  now: number,
): Promise<Settled> {
  const after = givenBack(row, unit, now);
  if (after.endedAt === null) {
    await saveDue(session, row, after);
  } else {
    await saveRow(session, row, after);
    const { holder: by, claimedAt } = row;
    await addHistory(session, after, { what: "cancelled", by, at: now, claimedAt });
  }
  return { result: "settled", revision: after.revision };
}

/** Whether the unit can be written without reading first: many such units are one statement. */
export function isPlainSettle(unit: Settle): boolean {
  if ("unstarted" in unit) return false;
  const { append = [], edit = [], cancel = [] } = unit.consequences ?? {};
  const isPlain = (draft: Draft): boolean => (draft.holds ?? []).length === 0;
  return edit.length + cancel.length === 0 && append.every(isPlain) && hasNoChoice(unit);
}

function hasNoChoice({ holds = [] }: SettleOf<Shape>): boolean {
  return holds.every((hold) => typeof hold === "string");
}

/** All names in a unit: of two units with the same name, the second must see the writes of the first. */
export function settleNames(unit: Settle): readonly string[] {
  if ("unstarted" in unit) return [unit.id];
  const { append = [], wake = [] } = unit.consequences ?? {};
  return [
    unit.id,
    ...wake.map(({ id }) => id),
    ...append.flatMap(({ id }) => (id === undefined ? [] : [id])),
    ...append.flatMap(({ kind, key }) => (key === undefined ? [] : [`key ${kind} ${key.name}`])),
    ...wantedNames(unit).map((name) => `hold ${name}`),
  ];
}

/** Ends leases. Units that the statement did not settle (stale, moved, cancelling) run one by one. */
export async function settleRun(
  session: Session,
  { plain, units }: Run<Settle>,
  ids: Ids,
): Promise<readonly Settled[]> {
  const done = plain
    ? await session.unit(() => settlePlain(session, units, ids))
    : new Map<number, number>();
  const answers: Settled[] = [];
  for (const [n, unit] of units.entries()) {
    const revision = done.get(n);
    if (revision === undefined) {
      answers.push(await orRefused(session, () => settleOne(session, unit, ids)));
    } else {
      answers.push({ result: "settled", revision });
    }
  }
  return answers;
}

/** Answers the new revision of each unit that it settled, by index. Throws when a race was lost. */
export async function settlePlain(
  session: Session,
  units: readonly Settle[],
  ids: Ids,
): Promise<ReadonlyMap<number, number>> {
  const verdicts = units as readonly SettleOf<Shape>[];
  const alone = verdicts.every(
    ({ consequences, holds }) => consequences === undefined && holds === undefined,
  );
  const fields = JSON.stringify(verdicts.map(fieldsOf));
  const found = await (
    alone
      ? session.query(settleAlone, [fields])
      : session.query(settleWithOthers, [fields, ...othersOf(verdicts, ids)])
  ).catch((error: unknown) => {
    throw isDuplicate(error) ? lostRace() : error;
  });
  for (const { queue, sooner } of found) if (sooner === true) session.hint(String(queue));
  const settled = found.filter(({ n }) => n !== null);
  return new Map(settled.map(({ n, revision }) => [Number(n), Number(revision)]));
}

function fieldsOf(unit: SettleOf<Shape>, n: number): Record<string, unknown> {
  const ends = "ends" in unit;
  return {
    n,
    uid: unit.id,
    fence: unit.fence,
    revision: unit.revision,
    ends: ends ? unit.ends : undefined,
    state: ends ? undefined : unit.state,
    wake_at: ends ? undefined : unit.wakeAt,
    fresh_start: !ends && unit.freshStart === true,
    outcome: unit.outcome === undefined ? undefined : JSON.stringify(unit.outcome),
    note: unit.note,
    queue: unit.queue,
    holds: unit.holds === undefined ? undefined : wantedNames(unit),
  };
}

/** The appended and the woken records, each with the index of its unit. */
function othersOf(units: readonly SettleOf<Shape>[], ids: Ids): readonly string[] {
  const appends = units.flatMap(({ id, consequences }, n) =>
    (consequences?.append ?? []).map((draft, m) => ({
      n,
      m,
      uid: draft.id ?? ids(),
      ...draftFields(draft),
      parent: draft.parent === undefined ? id : draft.parent,
      hash: draft.key && keyHash(draft),
      until: draft.key?.until,
    })),
  );
  const wakes = units.flatMap(({ consequences }, n) =>
    (consequences?.wake ?? []).map(({ id }) => ({ n, uid: id })),
  );
  return [appends, wakes].map((each) => JSON.stringify(each));
}

/** The names that the unit holds. An end holds none. */
function wantedNames(unit: SettleOf<Shape>): readonly string[] {
  if ("ends" in unit) return [];
  const names = (unit.holds ?? []).filter((hold) => typeof hold === "string");
  return [...new Set(names)];
}

/** Extends many leases with one statement. */
export async function keepMany(session: Session, units: readonly Keep[]): Promise<readonly Kept[]> {
  const fields = units.map(({ id, fence, leaseMs, outcome, note }, n) => {
    const seen = outcome === undefined ? undefined : JSON.stringify(outcome);
    return { n, uid: id, fence, lease_ms: leaseMs, outcome: seen, note };
  });
  const found = await session.query(keepLeases, [JSON.stringify(fields)]);
  for (const { queue, sooner } of found) if (sooner === true) session.hint(String(queue));
  const kept = new Map(found.map(({ n, cancelling }) => [Number(n), cancelling === true]));
  return units.map((_, n) => {
    const cancelling = kept.get(n);
    return cancelling === undefined ? { result: "stale" } : { result: "kept", cancelling };
  });
}

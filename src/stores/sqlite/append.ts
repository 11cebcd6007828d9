import type { WriteContext } from "../../kernel/change-row.ts";
import { checkSameRequest } from "../../kernel/ledger-errors.ts";
import type { Draft } from "../../kernel/unit.ts";
import { type FullSqlRow, known, priorityNumber, textOf } from "../sql/row.ts";
import type { Rows } from "./rows.ts";
import type { Tables } from "./tables.ts";

interface Written {
  readonly uid: string;
  /** The row that was inserted; undefined when the record exists already. */
  readonly fresh?: FullSqlRow;
}

/** Writes one record, unless one with its key or id exists. */
export function append(
  { rows, keys, holds, history, ids }: Tables,
  act: WriteContext,
  draft: Draft,
  parent: string | null,
): Written {
  const wanted = "ends" in draft ? [] : (draft.holds ?? []);
  const id = draft.id ?? ids();
  // A hold that is taken must not refuse a repeated append.
  const first =
    keys.first(act, draft) ??
    (wanted.length > 0 ? earlier(rows, act, { ...draft, id }) : undefined);
  if (first !== undefined) return { uid: first };
  const names = holds.choose(null, wanted);
  const row = firstRow(act, { ...draft, id }, parent);
  const number = rows.insert(row);
  if (number === undefined) return { uid: known(earlier(rows, act, { ...draft, id })) };
  keys.take(act, draft, row.uid);
  if (names.length > 0) holds.replace(number, names);
  history.add(
    { ...row, id: number },
    { what: "appended", by: act.by, at: act.now, note: draft.note },
  );
  return { uid: row.uid, fresh: row };
}

function earlier(rows: Rows, act: WriteContext, draft: Draft & { id: string }): string | undefined {
  const row = rows.findFull(draft.id);
  if (row === undefined) return undefined;
  checkSameRequest({ ...row, id: row.uid }, act.owner, draft);
  return row.uid;
}

function firstRow(
  act: WriteContext,
  draft: Draft & { id: string },
  parent: string | null,
): FullSqlRow {
  const ends = "ends" in draft;
  const request = ends ? undefined : draft.wakeAt;
  const wakeAt = request === undefined ? null : Math.max(act.now, request);
  return {
    id: 0, // the table numbers it
    uid: draft.id,
    kind: draft.kind,
    owner: act.owner,
    by: act.by,
    key: draft.key?.name ?? null,
    parent: draft.parent === undefined ? parent : draft.parent,
    state: ends ? draft.ends : draft.state,
    priority: priorityNumber(draft.priority ?? "normal"),
    queue: draft.queue ?? draft.kind,
    lane: draft.lane ?? null,
    revision: 1,
    attempt: 0,
    lapses: 0,
    fence: 0,
    cancelling: false,
    createdAt: act.now,
    updatedAt: act.now,
    endedAt: ends ? act.now : null,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
    holder: null,
    claimedAt: null,
    body: JSON.stringify(draft.body),
    outcome: textOf(draft.outcome),
  };
}

import { DaybookError } from "../../base/errors.ts";
import type { Ids } from "../../base/ids.ts";
import type { Draft } from "../../rules/unit.ts";
import { endOf, priorityNumber } from "../sql-row.ts";
import type { Act, History } from "./history.ts";
import type { Holds } from "./holds.ts";
import type { Keys } from "./keys.ts";
import type { FullRow } from "./row.ts";
import type { Rows } from "./rows.ts";

/** Writes one record, unless its key or id says that it was written before. */
export type AppendOne = (
  act: Act,
  draft: Draft,
  parent: string | null,
) => { fresh: boolean; uid: string };

interface Parts {
  rows: Rows;
  keys: Keys;
  holds: Holds;
  history: History;
  ids: Ids;
}

export function appending({ rows, keys, holds, history, ids }: Parts): AppendOne {
  return (act, draft, parent) => {
    const first = keys.first(act, draft) ?? earlier(rows, act, draft);
    if (first !== undefined) return { fresh: false, uid: first };
    const names = endOf(draft) !== undefined ? [] : holds.choose(null, draft.holds ?? []);
    const row = firstRow(act, { ...draft, id: draft.id ?? ids() }, parent);
    const id = rows.insert(row);
    keys.take(act, draft, row.uid);
    if (names.length > 0) holds.replace(id, names);
    history.add({ ...row, id }, { what: "appended", by: act.by, at: act.now, note: draft.note });
    return { fresh: true, uid: row.uid };
  };
}

/** An id that exists is the same record asked again, after an answer that was lost. */
function earlier(rows: Rows, act: Act, draft: Draft): string | undefined {
  const row = draft.id === undefined ? undefined : rows.find(draft.id);
  if (row === undefined) return undefined;
  if (row.owner === act.owner) return row.uid;
  throw new DaybookError("conflict", `The id ${row.uid} is taken: let the store make one.`, {
    details: { id: row.uid },
  });
}

function firstRow(act: Act, draft: Draft & { id: string }, parent: string | null): FullRow {
  const end = endOf(draft);
  const live = end === undefined && "state" in draft;
  const wakeAt = live && draft.wakeAt !== undefined ? Math.max(act.now, draft.wakeAt) : null;
  return {
    id: 0, // the store counts
    uid: draft.id,
    kind: draft.kind,
    owner: act.owner,
    by: act.by,
    key: draft.key?.name ?? null,
    parent: draft.parent === undefined ? parent : draft.parent,
    state: live ? draft.state : (end ?? ""),
    priority: priorityNumber(draft.priority ?? "normal"),
    queue: draft.queue ?? draft.kind,
    lane: draft.lane ?? null,
    revision: 1,
    attempt: 0,
    lapses: 0,
    fence: 0,
    cancelling: 0,
    createdAt: act.now,
    updatedAt: act.now,
    endedAt: live ? null : act.now,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
    holder: null,
    claimedAt: null,
    body: JSON.stringify(draft.body),
    outcome: draft.outcome === undefined ? null : JSON.stringify(draft.outcome),
  };
}

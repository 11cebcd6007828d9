import type { LedgerRecord } from "../kernel/record.ts";
import type { Consequences, Draft, Edit, Hold } from "../kernel/unit.ts";
import type { Store, Verbs } from "../kernel/verbs.ts";
import { DaybookError } from "../platform/errors.ts";

/** A record as it is stored. Rows never change; a write puts a new one in place. */
export interface Row extends LedgerRecord {
  readonly fence: number;
  readonly holds: readonly string[];
  readonly keyInput: string;
  /** A wake came while it was leased. */
  readonly woken: boolean;
}

export interface Model {
  readonly rows: Map<string, Row>;
  now(): number;
}

type Who = Verbs["append"]["input"]["who"];
type Answers = { readonly [V in keyof Verbs]: (input: Verbs[V]["input"]) => Verbs[V]["answer"] };

/** Everything that goes in or out is copied, as between threads: a function or a symbol would throw. */
export function memoryStore(now: () => number, model: Model = { rows: new Map(), now }): Store {
  const verbs = answers(model);
  return async (verb, input) => structuredClone(verbs[verb](structuredClone(input)));
}

function answers(model: Model): Answers {
  const { rows, now } = model;
  return {
    append: ({ who, draft, consequences }) =>
      unit(model, () => {
        const { row, fresh } = append(model, who, draft, null);
        if (fresh) follow(model, row, consequences);
        return { fresh, record: recordOf(row) };
      }),
    get: ({ who, id }) => {
      const row = rows.get(id);
      return row?.owner === who.owner ? recordOf(row) : undefined;
    },
    list: ({ who, query: { kind, parent, state, live } }) =>
      [...rows.values()]
        .filter((row) => row.owner === who.owner)
        .filter((row) => kind === undefined || row.kind === kind)
        .filter((row) => parent === undefined || row.parent === parent)
        .filter((row) => state === undefined || row.state === state)
        .filter((row) => live === undefined || (row.endedAt === null) === live)
        .map(recordOf),
    edit: ({ who, edit: change, consequences }) =>
      unit(model, () => {
        const row = edit(model, who, change);
        follow(model, row, consequences);
        return recordOf(row);
      }),
    cancel: ({ who, cancel: { id }, consequences }) =>
      unit(model, () => {
        const result = cancel(model, who, id);
        if (result !== "ended") follow(model, find(model, who, id), consequences);
        return { result, record: recordOf(find(model, who, id)) };
      }),
    claim: ({ kind, queue = kind, lane, holder, leaseMs, limit }) => {
      const due = [...rows.values()].filter(
        (row) => row.queue === queue && (row.wakeAt ?? Infinity) <= now(),
      );
      const records = due
        .filter((row) => lane === undefined || row.lane === lane)
        .filter((row) => {
          if (row.cancelling) end(model, row, "cancelled"); // its lease lapsed: no new attempt starts
          return !row.cancelling;
        })
        .slice(0, limit)
        .map((row) => lease(model, row, { holder, leaseMs }));
      return { records, now: now() };
    },
    settle: (settled) => {
      const row = rows.get(settled.id);
      if (row?.lease?.fence !== settled.fence) return { result: "stale" };
      if (row.revision !== settled.revision)
        return { result: "moved", record: recordOf(row) as never };
      try {
        return unit(model, () => settle(model, row, settled));
      } catch (error) {
        if (!(error instanceof DaybookError)) throw error;
        const { code, message, details } = error;
        return { result: "refused", error: { code, message, details } };
      }
    },
  };
}

const fresh = {
  revision: 1,
  attempt: 0,
  lapses: 0,
  cancelling: false,
  lease: null,
  endedAt: null,
  fence: 0,
  woken: false,
} as const;

/** All or nothing. */
function unit<T>({ rows }: Model, write: () => T): T {
  const before = new Map(rows);
  try {
    return write();
  } catch (error) {
    rows.clear();
    for (const [id, row] of before) rows.set(id, row);
    throw error;
  }
}

function append(
  model: Model,
  who: Who,
  draft: Draft,
  cause: string | null,
): { row: Row; fresh: boolean } {
  const { kind, body, key, holds, priority = "normal", queue = kind, lane = null } = draft;
  const keyInput = JSON.stringify(key?.input ?? body);
  const same = [...model.rows.values()].find(
    (row) =>
      row.key !== null && row.key === key?.name && row.kind === kind && row.owner === who.owner,
  );
  if (same?.keyInput === keyInput) return { row: same, fresh: false };
  const id = draft.id ?? `${kind}-${model.rows.size + 1}`;
  if (same !== undefined || model.rows.has(id)) {
    throw new DaybookError("conflict", `"${key?.name ?? id}" stands for another ${kind}.`, { id });
  }
  const now = model.now();
  const live = "state" in draft;
  const row: Row = {
    ...fresh,
    kind,
    id,
    owner: who.owner,
    by: who.by,
    key: key?.name ?? null,
    parent: draft.parent === undefined ? cause : draft.parent,
    wakesParent: draft.wakesParent ?? false,
    state: live ? draft.state : "",
    priority,
    queue,
    lane,
    body,
    outcome: draft.outcome ?? null,
    wakeAt: live && draft.wakeAt !== undefined ? Math.max(draft.wakeAt, now) : null,
    createdAt: now,
    holds: taken(model, id, holds),
    keyInput,
  };
  model.rows.set(id, row);
  return { row: live ? row : end(model, row, draft.ends), fresh: true };
}

function edit(model: Model, who: Who, change: Edit): Row {
  const row = find(model, who, change.id);
  if (row.endedAt !== null) throw new DaybookError("ended", `${row.id} has ended.`, { id: row.id });
  if (change.ifRevision !== undefined && change.ifRevision !== row.revision) {
    throw new DaybookError("stale", `${row.id} has changed.`, { id: row.id });
  }
  const {
    body = row.body,
    outcome = row.outcome,
    priority = row.priority,
    queue = row.queue,
  } = change;
  const holds = change.holds === undefined ? row.holds : taken(model, row.id, change.holds);
  const edited = { ...row, body, outcome, priority, queue, holds, revision: row.revision + 1 };
  if ("ends" in change) {
    if (row.lease !== null)
      throw new DaybookError("leased", `${row.id} is leased.`, { id: row.id });
    return end(model, edited, change.ends);
  }
  const wakeAt = row.lease === null && change.wakeAt !== undefined ? change.wakeAt : row.wakeAt;
  return put(model, { ...edited, state: change.state ?? row.state, wakeAt });
}

function cancel(model: Model, who: Who, id: string): "cancelled" | "cancelling" | "ended" {
  const row = find(model, who, id);
  if (row.endedAt !== null) return "ended";
  if (row.lease === null) {
    end(model, row, "cancelled");
    return "cancelled";
  }
  put(model, { ...row, cancelling: true, revision: row.revision + 1 });
  return "cancelling";
}

function lease(
  model: Model,
  row: Row,
  { holder, leaseMs }: { holder: string; leaseMs: number },
): never {
  const fence = row.fence + 1;
  const { now } = model;
  const claimed = put(model, {
    ...row,
    fence,
    lease: { holder, fence, claimedAt: now() },
    wakeAt: now() + leaseMs,
    attempt: row.attempt + 1,
    lapses: row.lapses + (row.lease === null ? 0 : 1),
    woken: false,
  });
  return recordOf(claimed) as never; // a record with a lease
}

function settle(model: Model, row: Row, verdict: Verbs["settle"]["input"]): { result: "settled" } {
  const wakeAt = (asked: number | undefined): number | null =>
    row.woken ? model.now() : asked === undefined ? null : Math.max(asked, model.now());
  if ("unchanged" in verdict) {
    const back = {
      ...row,
      attempt: row.attempt - 1,
      lease: null,
      wakeAt: wakeAt(verdict.unchanged),
    };
    if (row.cancelling) end(model, back, "cancelled");
    else put(model, back);
    return { result: "settled" };
  }
  const { outcome = row.outcome, queue = row.queue, consequences } = verdict;
  const seen = { ...row, outcome, queue, lease: null, revision: row.revision + 1 };
  if ("ends" in verdict) end(model, seen, verdict.ends);
  else if (row.cancelling) end(model, seen, "cancelled");
  else {
    const holds = verdict.holds === undefined ? row.holds : taken(model, row.id, verdict.holds);
    const attempt = verdict.freshStart === true ? 0 : row.attempt;
    put(model, { ...seen, holds, attempt, state: verdict.state, wakeAt: wakeAt(verdict.wakeAt) });
  }
  follow(model, row, consequences);
  return { result: "settled" };
}

/** Every end of every record is written here: by a settle, a cancel, an edit, an append or a claim. */
function end(model: Model, row: Row, state: string): Row {
  const now = model.now();
  const done = {
    ...row,
    state,
    endedAt: now,
    wakeAt: null,
    lease: null,
    holds: [],
    cancelling: false,
  };
  const parent = row.wakesParent ? model.rows.get(row.parent ?? "") : undefined;
  if (parent !== undefined) wake(model, parent);
  return put(model, done);
}

function wake(model: Model, row: Row): void {
  if (row.endedAt !== null) return;
  put(model, row.lease === null ? { ...row, wakeAt: model.now() } : { ...row, woken: true });
}

function follow(
  model: Model,
  cause: Row,
  { append: drafts, edit: edits, cancel: cancels, wake: wakes }: Consequences = {},
): void {
  for (const each of drafts ?? []) append(model, cause, each, cause.id);
  for (const each of edits ?? []) edit(model, cause, each);
  for (const { id } of cancels ?? []) cancel(model, cause, id);
  for (const { id } of wakes ?? []) wake(model, find(model, cause, id));
}

function taken({ rows }: Model, id: string, holds: readonly Hold[] = []): readonly string[] {
  const others = [...rows.values()].filter((row) => row.id !== id);
  const isFree = (name: string): boolean => !others.some((row) => row.holds.includes(name));
  return holds.map((hold) => {
    const names = typeof hold === "string" ? [hold] : hold.oneOf;
    const free = names.find(isFree);
    if (free !== undefined) return free;
    throw new DaybookError("held", `Another record holds "${names[0]}".`, { name: names[0] });
  });
}

function find({ rows }: Model, { owner }: Pick<Who, "owner">, id: string): Row {
  const row = rows.get(id);
  if (row?.owner === owner) return row;
  throw new DaybookError("not_found", `There is no record "${id}".`, { id });
}

function put({ rows }: Model, row: Row): Row {
  rows.set(row.id, row);
  return row;
}

export function recordOf(row: Row): LedgerRecord {
  const { fence: _fence, holds: _holds, keyInput: _keyInput, woken: _woken, ...record } = row;
  return record;
}

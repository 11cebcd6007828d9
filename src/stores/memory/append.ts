import { keyHash } from "../../kernel/key-hash.ts";
import { checkSameRequest, held, keyTaken } from "../../kernel/ledger-errors.ts";
import type { Appended, Draft, Hold, Actor } from "../../kernel/unit.ts";
import { lookUp, type Model, nextSeq, putChanged, putKey } from "./model.ts";
import { type Row, notBefore, plain } from "./row.ts";

type Written = Pick<Appended, "fresh" | "id">;

/** Writes a record, unless one with its key or id exists. */
export function append(model: Model, who: Actor, draft: Draft): Written {
  const earlier = byKey(model, who, draft) ?? byId(model, who, draft);
  if (earlier) return earlier;
  const blank = newRow(model, who, draft);
  const row = "ends" in draft ? blank : withHolds(model, blank, draft.holds);
  const { id } = putChanged(model, row, { what: "appended", by: who.by, note: draft.note });
  if (draft.key) {
    const { name, until = null } = draft.key;
    putKey(model, keyName(row.kind, row.owner, name), { id, hash: keyHash(draft), until });
  }
  return { fresh: true, id };
}

/** A key is one name of one owner among records of one kind. */
function keyName(kind: string, owner: string, name: string): string {
  return JSON.stringify([kind, owner, name]);
}

function byKey(model: Model, who: Actor, draft: Draft): Written | undefined {
  if (!draft.key) return undefined;
  const entry = model.keys.get(keyName(draft.kind, who.owner, draft.key.name));
  if (!entry) return undefined;
  const { id } = entry;
  if (!lookUp(model, who.owner, id) && (entry.until ?? 0) <= model.now) return undefined;
  if (entry.hash !== keyHash(draft)) throw keyTaken(draft.key.name, id);
  return { fresh: false, id };
}

function byId(model: Model, who: Actor, draft: Draft): Written | undefined {
  const row = draft.id === undefined ? undefined : model.rows.get(draft.id);
  if (!row) return undefined;
  checkSameRequest(row, who.owner, draft);
  return { fresh: false, id: row.id };
}

function newRow(model: Model, who: Actor, draft: Draft): Row {
  const { now } = model;
  const ends = "ends" in draft;
  const request = ends ? undefined : draft.wakeAt;
  const wakeAt = request === undefined ? null : notBefore(now, request);
  return {
    seq: nextSeq(model),
    kind: draft.kind,
    id: draft.id ?? model.ids(),
    owner: who.owner,
    by: who.by,
    key: draft.key?.name ?? null,
    parent: draft.parent ?? null,
    state: ends ? draft.ends : draft.state,
    priority: draft.priority ?? "normal",
    queue: draft.queue ?? draft.kind,
    lane: draft.lane ?? null,
    revision: 1,
    attempt: 0,
    lapses: 0,
    body: plain(draft.body),
    outcome: draft.outcome === undefined ? null : plain(draft.outcome),
    holds: [],
    cancelling: false,
    wakeAt,
    readyAt: wakeAt,
    wokenAt: null,
    fence: 0,
    lease: null,
    createdAt: now,
    updatedAt: now,
    endedAt: ends ? now : null,
  };
}

/** The row with these names in place of those it had. Throws `held` when another record has one. */
export function withHolds(model: Model, row: Row, request: readonly Hold[] | undefined): Row {
  if (request === undefined) return row;
  const names = new Set<string>();
  for (const hold of request) names.add(nameFor(model, row, hold, names));
  return { ...row, holds: [...names] };
}

function nameFor(model: Model, row: Row, hold: Hold, taken: ReadonlySet<string>): string {
  const names = typeof hold === "string" ? [hold] : hold.oneOf;
  const found =
    names.find((name) => taken.has(name) || row.holds.includes(name)) ??
    names.find((name) => !model.names.has(name));
  if (found !== undefined) return found;
  const [name = ""] = names;
  throw held(name, model.names.get(name) ?? null);
}

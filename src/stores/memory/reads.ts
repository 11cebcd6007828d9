import {
  pageSize,
  parseCursor,
  type Changes,
  type Page,
  type QueueStats,
  type Stats,
} from "../../kernel/query.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import type { Verbs } from "../../kernel/verbs.ts";
import { byWakeTime, dueLists, firstIndex } from "./due-index.ts";
import { lookUp, type Model } from "./model.ts";
import { isDueRow, isLeased, toRecord, type DueRow, type Row } from "./row.ts";

export function get(model: Model, { who, id }: Verbs["get"]["input"]): AnyRecord | undefined {
  const row = lookUp(model, who.owner, id);
  return row && toRecord(row);
}

export function list(model: Model, { who, query }: Verbs["list"]["input"]): Page {
  const { kind, state, parent, idPrefix = "", live, order } = query;
  const matches = (row: Row): boolean =>
    row.owner === who.owner &&
    (kind ?? row.kind) === row.kind &&
    (state ?? row.state) === row.state &&
    (parent ?? row.parent) === row.parent &&
    row.id.startsWith(idPrefix) &&
    (live ?? row.endedAt === null) === (row.endedAt === null);
  const after = query.after === undefined ? undefined : parseCursor(query.after);
  const isLater = (row: Row): boolean =>
    after === undefined || (order === "newest" ? row.seq < after : row.seq > after);
  const found: Row[] = [];
  for (const row of model.rows.values()) if (matches(row) && isLater(row)) found.push(row);
  return pageOf(order === "newest" ? found.toReversed() : found, query.limit);
}

export function inQueue(model: Model, { queue, ...query }: Verbs["inQueue"]["input"]): Page {
  const after = query.after === undefined ? 0 : parseCursor(query.after);
  const rest = Object.values(dueLists(model.due, queue, null))
    .flat(2)
    .filter(({ seq }) => seq > after)
    .toSorted((a, b) => a.seq - b.seq);
  return pageOf(rest, query.limit);
}

function pageOf(rest: readonly Row[], limit: number | undefined): Page {
  const page = rest.slice(0, pageSize(limit));
  const last = page.at(-1);
  const next = last && page.length < rest.length ? String(last.seq) : null;
  return { records: page.map(toRecord), next };
}

export function changes(model: Model, { who, query }: Verbs["changes"]["input"]): Changes {
  const { id, after = "0" } = query;
  const from = parseCursor(after);
  const limit = pageSize(query.limit);
  const found: Model["history"] = [];
  const start = firstIndex(model.history, ({ seq }) => seq > from);
  for (let index = start; index < model.history.length && found.length < limit; index += 1) {
    const entry = model.history[index];
    if (entry?.owner === who.owner && (id ?? entry.change.id) === entry.change.id)
      found.push(entry);
  }
  return {
    changes: found.map(({ change }) => ({ ...change })),
    cursor: String(found.at(-1)?.seq ?? after),
  };
}

export function stats(model: Model): Stats {
  const due = [...model.rows.values()].filter(isDueRow);
  const queues = [...Map.groupBy(due, ({ queue }) => queue)]
    .map(([queue, rows]) => statsOf(queue, rows, model.now))
    .toSorted((a, b) => (a.queue < b.queue ? -1 : 1));
  return { now: model.now, records: model.rows.size, queues };
}

function statsOf(queue: string, rows: readonly DueRow[], now: number): QueueStats {
  const due = rows.filter(({ wakeAt }) => wakeAt <= now);
  const leased = rows.filter((row) => isLeased(row, now)).length;
  const later = rows.length - due.length - leased;
  const oldestWakeAt = due.toSorted(byWakeTime)[0]?.wakeAt ?? null;
  return { queue, due: due.length, later, leased, oldestWakeAt };
}

import { isLive } from "../../../kernel/kind.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { Transferred, TransferPart } from "../../../kernel/transfer.ts";
import type { Draft } from "../../../kernel/unit.ts";
import { hasCode } from "../../../platform/errors.ts";
import { isoMsOf } from "../../../platform/iso-time.ts";
import type { LineProblem, ReadRecord } from "./read.ts";

/** A record to write. */
export interface ReadDraft extends ReadRecord {
  readonly draft: Draft;
}

export interface Drafts {
  readonly drafts: readonly ReadDraft[];
  readonly problems: readonly LineProblem[];
}

/**
 * The drafts of records, in their order. Parked ones have no time: they do nothing until they get it, when all of the file
 * has been written.
 */
export async function draftsOf(
  records: readonly ReadRecord[],
  isParked: boolean,
  context: Context,
): Promise<Drafts> {
  const prepared = await prepare(records, context);
  const drafts: ReadDraft[] = [];
  const problems: LineProblem[] = [];
  for (const read of prepared) {
    const { line, record, part } = read;
    try {
      if (record.endedAt === null) part.check?.(record, context);
      drafts.push({ ...read, draft: draftOf(record, { part, isParked, context }) });
    } catch (error) {
      if (!hasCode(error, "invalid", "too_large", "refused")) throw error;
      problems.push({ line, id: record.id, problem: error.message });
    }
  }
  return { drafts, problems };
}

/** A feature prepares all records of its kind at once. */
async function prepare(
  records: readonly ReadRecord[],
  context: Context,
): Promise<readonly ReadRecord[]> {
  const prepared = new Map<string, Transferred>();
  for (const [part, same] of Map.groupBy(records, ({ part }) => part)) {
    const given = same.map(({ record }) => record);
    const changed = (await part.prepare?.(given, context)) ?? given;
    for (const record of changed) prepared.set(record.id, record);
  }
  return records.map((read) => ({ ...read, record: prepared.get(read.record.id) ?? read.record }));
}

interface DraftOptions {
  readonly part: TransferPart;
  readonly isParked: boolean;
  readonly context: Context;
}

/** What was being cancelled ends as cancelled: nobody here knows more of the attempt that was to end it. */
function draftOf(record: Transferred, { part, isParked, context }: DraftOptions): Draft {
  const { kind, id, key, parent, priority, queue, lane, body, outcome, readyAt } = record;
  const common = {
    kind,
    id,
    body,
    outcome: outcome ?? undefined,
    parent,
    priority,
    queue,
    lane,
    key: key === null ? undefined : { name: key, asked: key, ...part.key?.(record) },
    note: noteOf(record),
  };
  const state = record.cancelling ? "cancelled" : record.state;
  if (!isLive(part.kind, state)) return { ...common, ends: state };
  const wakeAt = isParked ? undefined : (readyAt ?? undefined);
  return { ...common, state, wakeAt, holds: part.holds?.(record, context) };
}

/** Its history stays behind: this says where the record comes from. */
function noteOf({ by, createdAt, endedAt }: Transferred): string {
  const ended = endedAt === null ? "" : `, ended at ${isoMsOf(endedAt)}`;
  return `imported: by ${by}, created at ${isoMsOf(createdAt)}${ended}`;
}

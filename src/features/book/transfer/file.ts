import * as z from "zod";
import { priorities, type AnyRecord } from "../../../kernel/record.ts";
import { count } from "../../../kernel/schemas.ts";
import type { Transferred, TransferPart } from "../../../kernel/transfer.ts";
import { fromIso, isoMsOf } from "../../../platform/iso-time.ts";
import { present } from "../../../platform/json.ts";
import { version } from "../../../platform/version.ts";

/** The name and the number of the format: a file of another number is refused. */
const formatName = "daybook-export";
export const format = `${formatName}-1`;

/** Whether the first line of a file is that of an exported book, in whatever format. */
export function isExport(first: unknown): boolean {
  return formatOf(first)?.startsWith(`${formatName}-`) === true;
}

export function formatOf(first: unknown): string | undefined {
  const { format: name } = (first ?? {}) as { readonly format?: unknown };
  return typeof name === "string" ? name : undefined;
}

const time = z.iso
  .datetime({ error: 'write it like "2026-12-25T09:00:00.000Z"' })
  .transform(fromIso);

/** The first line. */
export const headLine = z.object({
  format: z.literal(format),
  /** Of the program that wrote it. */
  version: z.string(),
  at: z.string(),
  /** The owner of the book. */
  owner: z.string(),
  kinds: z.array(z.string()),
  /** The end of the book's feed before the first record was read: the file has all changes up to it. Null: an empty book. */
  position: z.string().nullable(),
});
export type HeadLine = z.output<typeof headLine>;

/** The last line. */
export const endLine = z.strictObject({
  end: z.literal(true),
  /** How many records stand before it. */
  records: count,
  /** The end of the feed after the last record was read. The same as in the first line: nothing changed meanwhile. */
  position: z.string().nullable(),
});
export type EndLine = z.output<typeof endLine>;

/** A line in between: one record. Its body and outcome are those of the ledger, which its kind checks. */
export const recordLine = z
  .strictObject({
    kind: z.string(),
    id: z.string().min(1),
    key: z.string().min(1).nullable(),
    parent: z.string().min(1).nullable(),
    state: z.string(),
    priority: z.enum(priorities),
    queue: z.string().min(1),
    lane: z.string().min(1).nullable(),
    body: z.unknown(),
    outcome: z.unknown(),
    cancelling: z.literal(true).optional(),
    in_flight: z.literal(true).optional(),
    attempt: count,
    lapses: count,
    /** Its own due time. */
    wake_at: time.nullable(),
    by: z.string(),
    created_at: time,
    updated_at: time,
    ended_at: time.nullable(),
  })
  .transform((line): Transferred => ({
    kind: line.kind,
    id: line.id,
    key: line.key,
    parent: line.parent,
    state: line.state,
    priority: line.priority,
    queue: line.queue,
    lane: line.lane,
    body: line.body,
    outcome: line.outcome,
    cancelling: line.cancelling ?? false,
    inFlight: line.in_flight ?? false,
    attempt: line.attempt,
    lapses: line.lapses,
    readyAt: line.wake_at,
    by: line.by,
    createdAt: line.created_at,
    endedAt: line.ended_at,
  }));

/** A record as its line. */
export function lineOf(record: AnyRecord, part: TransferPart): string {
  const { kind, id, key, parent, state, priority, queue, lane, outcome, attempt, lapses, by } =
    record;
  return JSON.stringify({
    kind,
    id,
    key,
    parent,
    state,
    priority,
    queue,
    lane,
    body: part.withoutSecrets?.(record.body) ?? record.body,
    outcome,
    ...present({
      cancelling: record.cancelling && record.endedAt === null ? true : undefined,
      in_flight: record.lease === null ? undefined : true,
    }),
    attempt,
    lapses,
    wake_at: isoMsOr(record.readyAt),
    by,
    created_at: isoMsOf(record.createdAt),
    updated_at: isoMsOf(record.updatedAt),
    ended_at: isoMsOr(record.endedAt),
  });
}

function isoMsOr(at: number | null): string | null {
  return at === null ? null : isoMsOf(at);
}

export function headOf(
  head: Pick<HeadLine, "owner" | "kinds" | "position"> & { now: number },
): string {
  const { now, ...facts } = head;
  return JSON.stringify({ format, version, at: isoMsOf(now), ...facts });
}

export function endOf(end: Pick<EndLine, "records" | "position">): string {
  return JSON.stringify({ end: true, ...end });
}

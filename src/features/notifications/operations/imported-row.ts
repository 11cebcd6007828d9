import { hash } from "node:crypto";
import * as z from "zod";
import type { Context } from "../../../kernel/operation.ts";
import type { DraftOf } from "../../../kernel/unit.ts";
import { canonical, present } from "../../../platform/json.ts";
import { parseFuture } from "../../../time/future.ts";
import { makeNotification, writableTypes, type NotificationKind } from "../kind.ts";
import type { Route } from "../routing.ts";
import { priorityOf, requestKey } from "./fields.ts";

const iso = /^\d{4}-?\d\d-?\d\d[T ]\d\d/i;
const text = z.string().nullish();

/** A row of an earlier system's ledger. Other fields are ignored. */
export const importedRow = z.looseObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe("a row without an id is known again by what it says and when"),
  message: z.string(),
  scheduled_at: z
    .string()
    .regex(iso, 'write it as "2026-12-25T09:00:00"')
    .describe("when it is due. Without an offset: in the owner's time zone"),
  scheduled_at_text: text,
  type: z.enum([...writableTypes, "progress_check"]).nullish(),
  priority: z.enum(["low", "normal", "medium", "high"]).nullish(),
  status: z.enum(["pending", "delivered", "cancelled"]).nullish(),
  related_task_id: text,
  related_question_id: text,
  context: text,
  created_at: text,
  created_by: text,
  delivered_at: text,
  cancelled_at: text,
});
export type ImportedRow = z.output<typeof importedRow>;

type Draft = DraftOf<NotificationKind>;

/** Ids of that ledger stay usable. Any other could be the id of a record of another kind. */
const oldId = /^n_[\w-]{1,60}$/;

/** The record of a row. One that was delivered or cancelled there has ended here, so that it is never sent. */
export function importDraft(row: ImportedRow, route: Route, context: Context): Draft {
  const { id } = row;
  const status = statusOf(row);
  const body = bodyOf(row, route, context);
  const priority = priorityOf(row.priority ?? "normal");
  const pending = makeNotification(body, { priority });
  const named = {
    id: id != null && oldId.test(id) ? id : undefined,
    // Not the target: the same file is known again when the owner's home has changed.
    key: requestKey(nameOf(row), contentOf(row), Math.max(body.at, context.now())),
    note: noteOf(row),
  };
  const isEnded = status === "delivered" || status === "cancelled";
  if (!isEnded) return { ...pending, ...named };
  return { kind: "notification", body, priority, lane: body.target, ends: status, ...named };
}

/** A row that says when it ended has ended: it must not be sent again. */
function statusOf(row: ImportedRow): NonNullable<ImportedRow["status"]> {
  const { status, delivered_at: delivered, cancelled_at: cancelled } = row;
  return status ?? (delivered ? "delivered" : cancelled ? "cancelled" : "pending");
}

function nameOf(row: ImportedRow): string {
  const { id } = row;
  return id == null ? `import:${hash("sha256", canonical(contentOf(row)))}` : `import:${id}`;
}

function bodyOf(row: ImportedRow, route: Route, context: Context): NotificationKind["body"] {
  const { delivered_at: delivered, cancelled_at: cancelled } = row;
  const end = { pending: null, delivered, cancelled }[statusOf(row)];
  return present({
    message: row.message,
    at: momentOf(row.scheduled_at, context),
    atText: row.scheduled_at_text || row.scheduled_at,
    target: route.target,
    targetReason: route.reason,
    origin: null,
    type: row.type ?? undefined,
    relatedTaskId: row.related_task_id || undefined,
    relatedQuestionId: row.related_question_id || undefined,
    context: row.context || undefined,
    createdBy: row.created_by || undefined,
    imported: { createdAt: pastOf(row.created_at, context), endedAt: pastOf(end, context) },
  });
}

function momentOf(typed: string, { profile, now }: Context): number {
  return parseFuture(typed, { zone: profile.zone, now: now() }).at;
}

/** Null for a time that is missing or written in another way: it is no reason to refuse the row. */
function pastOf(typed: string | null | undefined, context: Context): number | null {
  return typed && iso.test(typed) ? momentOf(typed, context) : null;
}

function contentOf(row: ImportedRow): object {
  const { message, scheduled_at: at, scheduled_at_text: atText, type } = row;
  const { related_task_id: task, related_question_id: question, context } = row;
  const priority = priorityOf(row.priority ?? "normal");
  const content = { message, at, atText, type, priority, task, question, context };
  return present(
    Object.fromEntries(
      Object.entries({ ...content, status: statusOf(row) }).map(([name, value]) => [
        name,
        value || undefined,
      ]),
    ),
  );
}

function noteOf({ id, created_by: by, created_at: at }: ImportedRow): string {
  const note = `imported: ${id ?? "a row without an id"}${by ? `, by ${by}` : ""}${at ? `, created at ${at}` : ""}`;
  return note.slice(0, 1_000);
}

import { z } from "zod";
import { eventIdShape, repoCharsMax, sourceShape } from "../../features/events/kind.ts";
import { typeCharsMax, typeShape } from "../../features/tasks/task-event.ts";
import { DaybookError } from "../../platform/errors.ts";
import { faults } from "../../platform/validation-message.ts";
import type { Dropped, DropKind } from "./external.ts";

/** Of these an id is made that others may drop: none of them leads out of a folder. */
const id = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:~@+=,-]{0,199}$/,
    "begin with a letter or digit, go on with those and . _ : ~ @ + = , -",
  );
const json = z.record(z.string(), z.unknown());
const priority = z.enum(["high", "normal", "low"]);
const time = z.iso.datetime({ offset: true, error: 'write it like "2026-02-07T10:00:00Z"' });
const repo = z.string().min(1).max(repoCharsMax).nullable();

/** What a file has once it is ours. */
const seen = {
  created_at: time.optional(),
  reason: z.string().describe("Why it is so; only in files that Daybook wrote.").optional(),
  daybook: z.unknown().describe("The whole record; only in files that Daybook wrote.").optional(),
};

const event = z
  .strictObject({
    id: z
      .string()
      .regex(
        eventIdShape,
        "begin with a letter or digit, go on with those and . _ : @ + = , - but no two dots together",
      ),
    type: z
      .string()
      .max(typeCharsMax)
      .regex(typeShape, 'write it like "github.pr.review_requested"')
      .describe("What happened: github.pr.review_requested"),
    source: z.string().regex(sourceShape, 'write it like "github"'),
    repo: repo.optional(),
    payload: json.optional(),
    priority: priority.optional(),
    status: z.enum(["pending", "dispatched", "completed", "failed"]).optional(),
    ...seen,
  })
  .describe("Something that happened elsewhere: a file in queue/events/");

const task = z
  .strictObject({
    id,
    event_id: z.string().max(300).nullable().optional(),
    target_general: z.string().min(1).max(100).describe("The handler that works on it"),
    type: z.string().min(1).max(100).describe("The event's type, resume, or a schedule's own word"),
    event_type: z.string().max(100).optional(),
    repo: repo.optional(),
    payload: z.unknown().optional(),
    session_id: z.string().max(200).optional().describe("Of one that goes on after an answer"),
    answer: z.string().optional(),
    priority: priority.optional(),
    retry_count: z.int().min(0).optional(),
    retry_after: time.describe("Only in files that Daybook wrote.").optional(),
    status: z
      .enum(["pending", "in_progress", "completed", "failed", "needs_human", "skipped"])
      .optional(),
    ...seen,
  })
  .describe("Something to be worked on: a file in queue/tasks/");

const messageTypes = [
  "thread_start",
  "thread_update",
  "thread_reply",
  "human_input_request",
  "notification",
  "report",
] as const;

const message = z
  .strictObject({
    id,
    type: z.enum(messageTypes),
    task_id: z.string().max(300).nullable().optional(),
    channel: z.string().min(1).max(300),
    urgency: z.enum(["normal", "high", "urgent"]).optional(),
    content: z.string().min(1).max(20_000),
    context: json.optional(),
    thread_ts: z.string().max(100).optional(),
    final: z.boolean().optional().describe("Nothing more comes in its thread"),
    reply_context: json.optional(),
    track_conversation: json.optional(),
    source_ref: json.optional(),
    retry_count: z.int().min(0).optional(),
    status: z.enum(["pending", "sent", "failed"]).optional(),
    ...seen,
  })
  .describe("Something to be said: a file in queue/messages/");

/** What the files of each kind are: those that others drop, and those that we show. */
export const fileSchemas = { event, task, notification: message } as const;

/** How far something is: nobody but the book can say that. That it was never tried may be said. */
const onlyOurs = ["reason", "retry_count", "retry_after", "daybook"];

/** A dropped file's content, or an error that says what is wrong with it. */
export function checkFile(kind: DropKind, content: unknown): Dropped {
  const read = fileSchemas[kind].safeParse(content);
  if (!read.success) throw new DaybookError("invalid", `${faults(content, read.error)}.`);
  const { status = "pending" } = read.data;
  if (status !== "pending") {
    throw new DaybookError("invalid", `Its status is ${status}: only what is pending is dropped.`);
  }
  const ours = Object.entries(read.data).find(
    ([name, value]) => onlyOurs.includes(name) && !(name === "retry_count" && value === 0),
  );
  if (ours === undefined) return read.data;
  throw new DaybookError("invalid", `"${ours[0]}" is not yours to say: leave it out.`);
}

import * as z from "zod";
import { passMax } from "./pass.ts";

type Schema = Readonly<Record<string, unknown>>;

const moment = z.string().meta({ format: "date-time" });
const count = z.int().min(0);

const registration = z.object({
  page_id: z.string().min(1).max(200).describe("the page's id, as its client gave it"),
  title: z.string().nullish().describe("its new title, cut to 2,000 characters"),
  body: z.string().nullish().describe("its new text, plain or HTML, cut to 100,000 characters"),
  timezone: z
    .string()
    .nullish()
    .describe("the time zone of the reminder. Default: the owner's, else Asia/Seoul"),
});

const registered = z.object({
  success: z.literal(true),
  id: z.string().describe("the id of the reminder"),
  next_alarm_time: moment.describe("now"),
  sent_count: count.describe("the number of the next message, from 1"),
});

const passed = z.object({
  processed: count.describe("how many due reminders were claimed"),
  said: count.describe("how many of them are being sent"),
  planned: count.describe("how many of them were moved to another time, paused or ended"),
  failed: count.describe("how many of them failed"),
  errors: z.array(z.object({ id: z.string(), reason: z.string() })),
  processing_time_ms: count,
  batch: count.describe("how many the next request processes at most"),
});

const problem = z.object({
  status: z.int(),
  errorCode: z.string(),
  message: z.string(),
  meta: z.object({ requestId: z.string() }),
});

function envelope(data: z.ZodType): z.ZodType {
  return z.object({ status: z.int(), message: z.string(), meta: problem.shape.meta, data });
}

function json(type: z.ZodType, io: "input" | "output" = "output"): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io });
  return { "application/json": { schema } };
}

function responses(data: z.ZodType): Schema {
  return {
    "200": { description: "Done.", content: json(envelope(data)) },
    default: { description: "What went wrong, and what to do.", content: json(problem) },
  };
}

const limit = {
  name: "fetch_limit",
  in: "query",
  required: false,
  description: "How many due reminders to process at most. Default: 100.",
  schema: { type: "integer", minimum: 1, maximum: passMax },
};

const pass = {
  summary: "Send the due reminders of all owners, once.",
  description: "Needs the scope `cron`.",
  parameters: [limit],
  responses: responses(passed),
};

/** The endpoints of the first reminders in the OpenAPI document. */
export const reminderPaths = {
  "/api/reminder/register-by-page": {
    post: {
      operationId: "reminder_register_by_page",
      summary: "Create the reminder of a page, or make it due now.",
      description: "Needs the scope `write`.",
      requestBody: { required: true, content: json(registration, "input") },
      responses: responses(registered),
    },
  },
  "/api/reminder/schedule/v2": {
    get: { operationId: "reminder_schedule", ...pass },
    post: { operationId: "reminder_schedule_post", ...pass },
  },
};

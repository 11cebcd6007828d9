import * as z from "zod";
import { bookOf } from "../../../kernel/book.ts";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context } from "../../../kernel/operation.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { parseTarget } from "../../../kernel/target.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { type NotificationKind, notificationKind, waitingView } from "../../notifications/index.ts";
import { forecastOf, type RunOutlook, runOutlookOf } from "../forecast.ts";
import { attemptOf, type TaskKind } from "../kind.ts";
import { emptyOutcome } from "../outcome.ts";
import { handledTasks } from "../ports.ts";
import { handlerFields, handlerFieldsOf, inputRequired, inputRequiredOf } from "./handler-view.ts";

type Task = LedgerRecord<TaskKind>;

const moment = z.string().describe("a moment in UTC, as ISO 8601");

/** Where a record was created: its output is sent there, unless it has a target. */
export const originView = {
  channel_id: z.string().nullable(),
  channel_context_id: z.string().nullable(),
};

export function originViewOf(
  origin: string | null,
): Record<keyof typeof originView, string | null> {
  if (origin === null) return { channel_id: null, channel_context_id: null };
  const { channel, address } = parseTarget(origin);
  return { channel_id: channel, channel_context_id: address };
}

/** Why a run started. */
export const runReason = z.enum(["cadence", "run now", "backfill", "asked"]);

/** A run in a list: of a schedule, of a handler, or requested by itself. */
export const runLine = z.object({
  id: z.string(),
  name: z.string().describe("the name of its schedule, of its handler, or of its task"),
  schedule_id: z.string().nullable(),
  ...handlerFields,
  priority: z.enum(["low", "normal", "high"]),
  slot: moment.nullable().describe("when its schedule fired; null: it was requested by itself"),
  because: runReason,
  status: z.enum([
    "pending",
    "needs_human",
    "completed",
    "failed",
    "skipped",
    "interrupted",
    "missed",
    "cancelled",
  ]),
  at_work: z.boolean().describe("a runner has it now"),
  reason: z.string().nullable().describe("why it ended in this state"),
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
  exit: z.number().nullable(),
  output_summary: z.string().nullable().describe("the start of its output"),
  turn_count: z.number().nullable(),
  cost: z.number().nullable(),
  attempt: z.number(),
  next_at: moment
    .nullable()
    .describe("when it runs next; in the past: it is due; null: at no known time, or it has ended"),
  waiting: waitingView
    .nullable()
    .describe("why it has not run yet; null: it waits only for its time, or has ended"),
  progress: z
    .string()
    .nullable()
    .describe("the progress that the run reports while it is at work, such as 40 %"),
  notified: z.boolean().describe("its output was delivered, with a receipt"),
  delivery: z
    .object({
      status: z.enum([
        "pending",
        "delivered",
        "done",
        "failed",
        "unconfirmed",
        "expired",
        "cancelled",
      ]),
      reason: z.string().nullable().describe("why it was not delivered"),
    })
    .nullable()
    .describe("the delivery of its output, beside its own status; null: nothing was sent"),
});

/** A run, as every interface shows it. */
export const runView = runLine.extend({
  input_required: inputRequired,
  task: z.string(),
  input: z.unknown(),
  target: z.string(),
  ...originView,
  timeout: z.number().describe("seconds"),
  question: z.object({ text: z.string(), choices: z.array(z.string()) }).nullable(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  result: z.unknown().describe("the result of the task"),
  output_bytes: z.number(),
  output_cut: z.boolean().describe("the output was longer than the limit"),
  due_at: moment,
  cancelling: z.boolean(),
  created_at: moment,
  created_by: z.string(),
  revision: z.number(),
});
export type RunLine = z.infer<typeof runLine>;
export type RunView = z.infer<typeof runView>;

/** The status for people: they want to see that a run has a lease, although that is not a state. */
export function statusLabel({
  status,
  at_work: isAtWork,
}: Pick<RunLine, "status" | "at_work">): string {
  return isAtWork && status === "pending" ? "at work" : status;
}

/** The notifications of one run that are searched for a receipt. */
const notificationsMax = 50;

export async function runLineOf(book: Book, record: Task, outlook: RunOutlook): Promise<RunLine> {
  const { id, body, state, priority, lease } = record;
  const { at, waiting } = forecastOf(record, outlook);
  const outcome = record.outcome ?? emptyOutcome;
  return {
    id,
    name: nameOf(body),
    schedule_id: body.slot?.schedule ?? null,
    ...handlerFieldsOf(body),
    priority,
    slot: isoOr(body.slot?.at),
    because: body.slot?.because ?? "asked",
    status: state,
    at_work: lease !== null,
    reason: outcome.reason,
    started_at: isoOr(outcome.startedAt),
    finished_at: isoOr(outcome.finishedAt ?? record.endedAt),
    exit: outcome.exit,
    output_summary: outcome.summary,
    turn_count: outcome.turns,
    cost: outcome.cost,
    attempt: shownAttempt(record),
    next_at: isoOr(at),
    waiting,
    progress: outcome.progress,
    ...(await deliveryOf(book, record)),
  };
}

export async function runViewOf(record: Task, context: Context): Promise<RunView> {
  const book = bookOf(context);
  const { body } = record;
  const outcome = record.outcome ?? emptyOutcome;
  const { question } = outcome;
  return {
    ...(await runLineOf(book, record, await runOutlookOf(context))),
    input_required: await inputRequiredOf(book, record, context.use(handledTasks)),
    task: body.name,
    input: withoutSecret(body),
    target: body.target,
    ...originViewOf(body.origin),
    timeout: body.timeoutMs / 1_000,
    question: question === null ? null : { text: question.text, choices: [...question.choices] },
    answers: (body.answers ?? []).map((each) => ({ ...each })),
    result: outcome.result,
    output_bytes: outcome.outputBytes,
    output_cut: outcome.outputCut,
    due_at: isoOf(body.at),
    cancelling: record.cancelling,
    created_at: isoOf(record.createdAt),
    created_by: record.by,
    revision: record.revision,
  };
}

/** While it waits for an answer or a callback, the record counts from 0 again, and the attempt that asked continues. */
function shownAttempt(record: Task): number {
  const { state, attempt, outcome } = record;
  const isWaiting = state === "needs_human" || outcome?.awaitsUntil !== undefined;
  return attemptOf(record) + (attempt === 0 && isWaiting ? 1 : 0);
}

/** The name of its schedule or its handler; its own name if it has neither. */
export function nameOf({ slot, event, name }: Task["body"]): string {
  return slot?.name ?? event?.handler ?? name;
}

/** The input without the secret that signs calls, which is never shown again. */
export function withoutSecret({ name, input }: Task["body"]): unknown {
  if (name !== "http" && name !== "ping") return input;
  const { secret: _, ping: __, ...rest } = (input ?? {}) as Record<string, unknown>;
  return rest;
}

/** Whether a notification was delivered, and not only written, and what became of the newest. */
async function deliveryOf(
  book: Book,
  { id, outcome }: Task,
): Promise<Pick<RunLine, "notified" | "delivery">> {
  if (outcome?.startedAt == null) return { notified: false, delivery: null };
  const sent = await runNotifications(book, id);
  const notified = sent.some(
    ({ state, outcome: one }) => state === "delivered" && one?.receipt != null,
  );
  const [newest] = sent;
  if (newest === undefined) return { notified, delivery: null };
  return { notified, delivery: { status: newest.state, reason: newest.outcome?.reason ?? null } };
}

/** The notifications with the output of a run, the newest first. */
export async function runNotifications(
  book: Book,
  run: string,
): Promise<readonly LedgerRecord<NotificationKind>[]> {
  const query = {
    kind: notificationKind,
    parent: run,
    order: "newest",
    limit: notificationsMax,
  } as const;
  const { records } = await book.list(query);
  return records.filter(({ body }) => body.type === "run");
}

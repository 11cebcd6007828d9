import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { LedgerRecord } from "../../../kernel/record.ts";
import { parseTarget } from "../../../kernel/target.ts";
import { isoOf, isoOr } from "../../../platform/iso-time.ts";
import { type NotificationKind, notificationKind } from "../../notifications/index.ts";
import { attemptOf, type TaskKind } from "../kind.ts";
import { emptyOutcome } from "../outcome.ts";
import type { HandledTasks } from "../ports.ts";
import { handlerFields, handlerFieldsOf, inputRequired, inputRequiredOf } from "./handler-view.ts";

type Task = LedgerRecord<TaskKind>;

const moment = z.string().describe("a moment in UTC, as ISO 8601");

/** Where it was made: what its runs say goes there, unless a target was named. */
export const originView = {
  channel_id: z.string().nullable(),
  channel_context_id: z.string().nullable(),
};
type OriginView = { [Name in keyof typeof originView]: string | null };

export function shownOrigin(origin: string | null): OriginView {
  if (origin === null) return { channel_id: null, channel_context_id: null };
  const { channel, address } = parseTarget(origin);
  return { channel_id: channel, channel_context_id: address };
}

/** A run in a list: never its whole output. */
export const runLine = z.object({
  run_id: z.string(),
  slot: moment.nullable().describe("when it was to run; null: it was asked for by itself"),
  because: z.enum(["cadence", "run now", "backfill", "asked"]),
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
  at_work: z.boolean().describe("somebody runs it right now"),
  reason: z.string().nullable().describe("why it ended as it did"),
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
  exit: z.number().nullable(),
  output_summary: z.string().nullable().describe("the beginning of what it said"),
  turn_count: z.number().nullable(),
  cost: z.number().nullable(),
  attempt: z.number(),
  notified: z.boolean().describe("what it said has arrived, with a receipt"),
});

/** A run as every face shows it. */
export const runView = runLine.extend({
  id: z.string(),
  ...handlerFields,
  input_required: inputRequired,
  name: z.string().describe("its schedule's name, or its task's"),
  task: z.string(),
  schedule_id: z.string().nullable(),
  input: z.unknown(),
  target: z.string(),
  ...originView,
  timeout: z.number().describe("seconds"),
  progress: z.string().nullable().describe("how far it is, in its own words"),
  question: z.object({ text: z.string(), choices: z.array(z.string()) }).nullable(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  result: z.unknown().describe("what a task returned"),
  output_bytes: z.number(),
  output_cut: z.boolean().describe("it said more than is kept"),
  due_at: moment,
  next_at: moment.nullable().describe("when it is looked at next; null when it has ended"),
  cancelling: z.boolean(),
  created_at: moment,
  created_by: z.string(),
  revision: z.number(),
});
export type RunLine = z.infer<typeof runLine>;
export type RunView = z.infer<typeof runView>;

/** Where it stands, in a word for people: a lease is no state, but what they want to know. */
export function standingOf({ status, at_work: isAtWork }: Standing): string {
  return isAtWork && status === "pending" ? "at work" : status;
}
type Standing = Pick<RunLine, "status" | "at_work">;

/** Notifications of one run that are looked at for a receipt. */
const notificationsMax = 50;

export async function runLineOf(book: Book, record: Task): Promise<RunLine> {
  const { id, body, state, lease } = record;
  const outcome = record.outcome ?? emptyOutcome;
  return {
    run_id: id,
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
    notified: await isNotified(book, record),
  };
}

export async function shownRunOf(
  book: Book,
  record: Task,
  handled: HandledTasks | undefined,
): Promise<RunView> {
  const { body } = record;
  const outcome = record.outcome ?? emptyOutcome;
  const { question } = outcome;
  return {
    ...(await runLineOf(book, record)),
    id: record.id,
    ...handlerFieldsOf(body),
    input_required: await inputRequiredOf(book, record, handled),
    name: nameOf(record),
    task: body.name,
    schedule_id: body.slot?.schedule ?? null,
    input: withoutSecret(body),
    target: body.target,
    ...shownOrigin(body.origin),
    timeout: body.timeoutMs / 1_000,
    progress: outcome.progress,
    question: question === null ? null : { text: question.text, choices: [...question.choices] },
    answers: (body.answers ?? []).map((each) => ({ ...each })),
    result: outcome.result,
    output_bytes: outcome.outputBytes,
    output_cut: outcome.outputCut,
    due_at: isoOf(body.at),
    next_at: isoOr(record.wakeAt),
    cancelling: record.cancelling,
    created_at: isoOf(record.createdAt),
    created_by: record.by,
    revision: record.revision,
  };
}

/** While it waits for an answer or a callback the record counts anew, and it is in the attempt that asked. */
function shownAttempt(record: Task): number {
  const { state, attempt, outcome } = record;
  const isInIt = state === "needs_human" || outcome?.awaitsUntil !== undefined;
  return attemptOf(record) + (attempt === 0 && isInIt ? 1 : 0);
}

/** Its schedule's name, or its handler's; its own when it has neither. */
function nameOf({ body }: Task): string {
  return body.slot?.name ?? body.event?.handler ?? body.name;
}

/** What signs a call is nobody's business any more. */
export function withoutSecret({ name, input }: Task["body"]): unknown {
  if (name !== "http" && name !== "ping") return input;
  const { secret: _, ping: __, ...rest } = (input ?? {}) as Record<string, unknown>;
  return rest;
}

/** Told, and not only meant to be. */
async function isNotified(book: Book, { id, outcome }: Task): Promise<boolean> {
  if (outcome?.startedAt == null) return false;
  return (await runNotifications(book, id)).some(
    ({ state, outcome: sent }) => state === "delivered" && sent?.receipt != null,
  );
}

/** What a run said, the newest first. */
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

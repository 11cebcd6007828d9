import * as z from "zod";
import type { Book } from "../../kernel/ledger.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { Page } from "../../kernel/reading.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { CauseStanding } from "../../kernel/story.ts";
import { fromIso, isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { span } from "../../time/times.ts";
import { localTime } from "../accounts/index.ts";
import { notifyPolicy, type TaskKind, taskKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

/** What is shown of a run that caused something. */
export const runCause = z.object({
  name: z.string(),
  number: z.number().nullable().describe("which of its schedule's runs; null: not known"),
  notify: notifyPolicy.nullable(),
  reason: z.string().nullable(),
  slot: z.string().nullable(),
  because: z.enum(["cadence", "run now", "backfill", "asked"]),
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
type RunCause = z.infer<typeof runCause>;

/** A run as the cause of another record, or beside one. */
export interface RunCauseView extends CauseStanding {
  run?: RunCause | undefined;
}

function shownRunCause(record: LedgerRecord<TaskKind>, number: number | null): RunCauseView {
  const { id, kind, state } = record;
  return { id, kind, state, run: runCauseOf(record, number) };
}

export function runCauseOf(
  { body, outcome }: LedgerRecord<TaskKind>,
  number: number | null,
): RunCause {
  return {
    name: body.slot?.name ?? body.event?.handler ?? body.name,
    number,
    notify: body.slot?.notify ?? null,
    reason: outcome?.reason ?? null,
    slot: isoOr(body.slot?.at),
    because: body.slot?.because ?? "asked",
    started_at: isoOr(outcome?.startedAt),
    finished_at: isoOr(outcome?.finishedAt),
  };
}

/** Which run it is, and how it ended. */
export function runLines({ id, state, run }: RunCauseView, reader: Reader): string[] {
  if (run === undefined) return [];
  const when = run.finished_at === null ? null : localTime(run.finished_at, reader);
  const about = { name: oneLine(run.name, 100), id: numbered(run.number, id), state, when };
  return [textsOf(reader.language).becauseRun(about)];
}

/** A run's number is for people, its id for what they ask next. */
export function numbered(number: number | null, id: string): string {
  return number === null ? id : `${number} (${id})`;
}

/** Why a run began, and how late. */
export function slotLines(
  { slot, because, started_at: start }: Pick<RunCause, "slot" | "because" | "started_at">,
  reader: Reader,
): string[] {
  if (slot === null) return [];
  const texts = textsOf(reader.language);
  const lateMs = start === null ? undefined : Math.max(fromIso(start) - fromIso(slot), 0);
  const late = lateMs === undefined ? null : span(lateMs, reader.language);
  const when = `${localTime(slot, reader)} ${reader.zone}`;
  if (because === "cadence") return [texts.becauseSlot({ when, utc: slot, late })];
  return [texts.becauseAsked({ isBackfill: because === "backfill", when, late })];
}

type Task = LedgerRecord<TaskKind>;

const pageSize = 500;
/** So many pages are counted at most. */
const pagesMax = 20;
const runsShown = 3;
/** Its first slot is decided in one of its first changes. */
const firstChanges = 20;

/**
 * Which of its schedule's runs it is, from the first one on. Null when that cannot be known: nobody scheduled
 * it, earlier ones are forgotten, or there are too many to count.
 */
export async function numberOf(book: Book, { id, body }: Task): Promise<number | null> {
  if (body.slot === undefined) return null;
  const { schedule: parent } = body.slot;
  const query = { kind: taskKind, parent, order: "oldest", limit: pageSize } as const;
  let count = 0;
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const { records, next }: Page = await book.list(
      after === undefined ? query : { ...query, after },
    );
    const [first] = records;
    if (first === undefined) return null;
    if (page === 0 && (await hasForgotten(book, parent, first.createdAt))) return null;
    const index = records.findIndex((record) => record.id === id);
    if (index !== -1) return count + index + 1;
    if (next === null) return null;
    count += records.length;
    after = next;
  }
  return null;
}

/** Slots were decided before the oldest run that is still in the book. */
async function hasForgotten(book: Book, schedule: string, oldestAt: number): Promise<boolean> {
  const { changes } = await book.changes({ id: schedule, limit: firstChanges });
  const decided = changes.find(({ what }) => what === "settled");
  return changes.length === 0 || (decided !== undefined && decided.at < oldestAt);
}

/** The newest runs of a schedule. */
export async function recentRuns(book: Book, schedule: string): Promise<RunCauseView[]> {
  const runs = await siblings(book, schedule, runsShown);
  const [newest] = runs;
  if (newest === undefined) return [];
  const number = await numberOf(book, newest);
  return runs.map((run, index) => shownRunCause(run, number === null ? null : number - index));
}

/** The run that was at work when this one's time came, if it is still to be found. */
export async function runBefore(book: Book, task: Task): Promise<RunCauseView | null> {
  if (task.body.slot === undefined || task.outcome?.reason !== "overlap") return null;
  const { createdAt } = task;
  const all = await siblings(book, task.body.slot.schedule, pageSize);
  const before = all.find(
    (run) =>
      run.id !== task.id && run.createdAt <= createdAt && (run.endedAt ?? Infinity) > createdAt,
  );
  return before === undefined ? null : shownRunCause(before, await numberOf(book, before));
}

async function siblings(book: Book, parent: string, limit: number): Promise<readonly Task[]> {
  const query = { kind: taskKind, parent, order: "newest", limit } as const;
  return (await book.list(query)).records;
}

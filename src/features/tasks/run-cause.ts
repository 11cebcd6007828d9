import * as z from "zod";
import type { CauseView } from "../../kernel/explain.ts";
import type { Book } from "../../kernel/ledger.ts";
import { recordsIn } from "../../kernel/list-all.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { fromIso, isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { span } from "../../time/times.ts";
import { localTime } from "../accounts/index.ts";
import { notifyPolicy, type TaskKind, taskKind } from "./kind.ts";
import { runNumber } from "./operations/inputs.ts";
import { nameOf, runReason } from "./operations/view.ts";
import { textsOf } from "./texts.ts";

/** A run as the cause of another record. */
export const runCause = z.object({
  name: z.string(),
  number: runNumber,
  notify: notifyPolicy.nullable(),
  reason: z.string().nullable(),
  slot: z.string().nullable(),
  because: runReason,
  started_at: z.string().nullable(),
  finished_at: z.string().nullable(),
});
type RunCause = z.infer<typeof runCause>;

export interface RunCauseView extends CauseView {
  run?: RunCause | undefined;
}

type Task = LedgerRecord<TaskKind>;

function runCauseView(record: Task, number: number | null): RunCauseView {
  const { id, kind, state } = record;
  return { id, kind, state, run: runCauseOf(record, number) };
}

export function runCauseOf({ body, outcome }: Task, number: number | null): RunCause {
  return {
    name: nameOf(body),
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

/** People use the number of a run, and commands its id. */
export function numbered(number: number | null, id: string): string {
  return number === null ? id : `${number} (${id})`;
}

/** Why a run started, and how late. */
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
  return [texts.becauseRequested({ isBackfill: because === "backfill", when, late })];
}

/** Runs of one schedule that are counted at most. */
const runsCountedMax = 10_000;
const runsShown = 3;
/** The newest runs that are searched for the one that was running. */
const runsSearched = 500;
/** One of the first changes of a schedule creates its first run. */
const firstChanges = 20;

/**
 * The number of a run among those of its schedule. Null if it has no schedule, if earlier runs were pruned, or if there
 * are too many to count.
 */
export async function numberOf(book: Book, { id, body }: Task): Promise<number | null> {
  if (body.slot === undefined) return null;
  const { schedule: parent } = body.slot;
  const query = { kind: taskKind, parent, order: "oldest" } as const;
  let number = 0;
  for await (const run of recordsIn(book, query, runsCountedMax)) {
    number += 1;
    if (number === 1 && (await hasPrunedRuns(book, parent, run.createdAt))) return null;
    if (run.id === id) return number;
  }
  return null;
}

/** Whether the schedule had created runs before the oldest one that still exists. */
async function hasPrunedRuns(book: Book, schedule: string, oldestAt: number): Promise<boolean> {
  const { changes } = await book.changes({ id: schedule, limit: firstChanges });
  const settled = changes.find(({ what }) => what === "settled");
  return changes.length === 0 || (settled !== undefined && settled.at < oldestAt);
}

/** The newest runs of a schedule. */
export async function recentRuns(book: Book, schedule: string): Promise<RunCauseView[]> {
  const runs = await newestRuns(book, schedule, runsShown);
  const [newest] = runs;
  if (newest === undefined) return [];
  const number = await numberOf(book, newest);
  return runs.map((run, index) => runCauseView(run, number === null ? null : number - index));
}

/** The run because of which this one was skipped for overlap, if it still exists. */
export async function runBefore(book: Book, task: Task): Promise<RunCauseView | null> {
  if (task.body.slot === undefined || task.outcome?.reason !== "overlap") return null;
  const { createdAt } = task;
  const runs = await newestRuns(book, task.body.slot.schedule, runsSearched);
  const before = runs.find(
    (run) =>
      run.id !== task.id && run.createdAt <= createdAt && (run.endedAt ?? Infinity) > createdAt,
  );
  return before === undefined ? null : runCauseView(before, await numberOf(book, before));
}

async function newestRuns(book: Book, parent: string, limit: number): Promise<readonly Task[]> {
  const query = { kind: taskKind, parent, order: "newest", limit } as const;
  return (await book.list(query)).records;
}

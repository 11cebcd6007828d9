import * as z from "zod";
import type { Book } from "../../../kernel/ledger.ts";
import type { Context, Reader } from "../../../kernel/operation.ts";
import type { Change } from "../../../kernel/reading.ts";
import type { AnyRecord, LedgerRecord } from "../../../kernel/record.ts";
import { isoOf, fromIso, isoOr } from "../../../platform/iso-time.ts";
import { oneLine } from "../../../platform/text.ts";
import { inWords } from "../../../time/times.ts";
import { readPauses } from "../../nodes/pause-reader.ts";
import { restingKind, restingRecord, scopeText } from "../../nodes/pause.ts";
import type { ScheduleKind } from "../../schedules/kind.ts";
import type { TaskKind } from "../../tasks/kind.ts";
import type { Texts } from "../../texts/shape.ts";
import { changesFrom } from "./history.ts";

/** Why something rests: it was paused itself, or it is held back with much else. */
export const restView = z.object({
  scope: z.string().describe("schedule, all, kind NAME, owner NAME or channel NAME"),
  by: z.string().nullable().describe("who paused it; null: not known any more"),
  since: z.string().nullable(),
  until: z.string().nullable().describe("null: until it is resumed"),
  reason: z.string().nullable(),
});
export type Rest = z.infer<typeof restView>;

const charsMax = 200;

/** The pause that a schedule is in, by its newest changes. */
export function pauseNow(
  { state, outcome }: LedgerRecord<ScheduleKind>,
  changes: readonly Change[],
): Rest | null {
  if (state !== "paused") return null;
  const { by = null, since = null } = pausesIn(changes).at(-1) ?? {};
  const until = isoOr(outcome?.pausedUntil);
  return { scope: "schedule", by, since: isoOr(since), until, reason: outcome?.reason ?? null };
}

/** The pause because of which a slot was skipped: it lasted until after that, or still does. */
export async function pauseThen(
  book: Book,
  { body }: LedgerRecord<TaskKind>,
  schedule: LedgerRecord<ScheduleKind>,
): Promise<Rest | null> {
  const changes = await changesFrom(book, schedule.id);
  const pause = pausesIn(changes).find(({ over }) => (over ?? Infinity) >= body.at);
  if (pause === undefined) return null;
  if (pause.over === null) return pauseNow(schedule, changes);
  const { by, since, over } = pause;
  return { scope: "schedule", by, since: isoOr(since), until: isoOr(over), reason: null };
}

interface Paused {
  by: string | null;
  since: number | null;
  over: number | null;
}

/** From the change that made it paused to the one that no longer is; the rows may begin in the middle. */
function pausesIn(rows: readonly Change[]): readonly Paused[] {
  const found: Paused[] = [];
  for (const [index, { state, by, at }] of rows.entries()) {
    const before = rows[index - 1]?.state;
    const newest = found.at(-1);
    if (state === "paused" && before !== "paused") {
      const start = before === undefined ? { by: null, since: null } : { by, since: at };
      found.push({ ...start, over: null });
    } else if (state !== "paused" && before === "paused" && newest !== undefined) {
      newest.over = at;
    }
  }
  return found;
}

/** What holds a record back together with others, if something does. */
export async function heldBackBy(
  { ledger, now }: Context,
  record: AnyRecord,
): Promise<Rest | null> {
  if (record.endedAt !== null) return null;
  const pauses = await readPauses(ledger);
  const pause = restingKind(pauses, record.kind, now()) ?? restingRecord(pauses, record, now());
  if (pause === undefined) return null;
  const { scope, until, reason } = pause.body;
  const since = isoOf(pause.createdAt);
  return { scope: scopeText(scope), by: pause.by, since, until: isoOr(until), reason };
}

export function restLines(rest: Rest | null, texts: Texts, reader: Reader): string[] {
  if (rest === null) return [];
  const { scope, by } = rest;
  const [since, until] = [rest.since, rest.until].map((at) =>
    at === null ? null : inWords(fromIso(at), reader.zone, reader.language),
  );
  // Without a reason of its own, a pause says who made it.
  const isSaid = rest.reason === null || rest.reason === `paused by ${by}`;
  const reason = isSaid ? null : oneLine(texts.reason(rest.reason ?? ""), charsMax);
  const about = { by, since: since ?? null, until: until ?? null, reason };
  return [scope === "schedule" ? texts.pausedSince(about) : texts.heldBack({ scope, ...about })];
}

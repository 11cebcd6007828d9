import * as z from "zod";
import type { Book } from "../../kernel/ledger.ts";
import { changesFrom } from "../../kernel/list-all.ts";
import type { Reader } from "../../kernel/operation.ts";
import type { Change } from "../../kernel/reading.ts";
import type { LedgerRecord } from "../../kernel/record.ts";
import { isoOr } from "../../platform/iso-time.ts";
import { oneLine } from "../../platform/text.ts";
import { localTime } from "../accounts/moment-view.ts";
import type { TaskKind } from "../tasks/kind.ts";
import type { ScheduleKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

/** A pause: of one schedule, or of much at once. */
export const pauseView = z.object({
  scope: z.string().describe("schedule, all, kind NAME, owner NAME or channel NAME"),
  by: z.string().nullable().describe("who paused it; null: not known any more"),
  since: z.string().nullable(),
  until: z.string().nullable().describe("null: until it is resumed"),
  reason: z.string().nullable(),
});
export type PauseView = z.infer<typeof pauseView>;

const charsMax = 200;

/** The pause that a schedule is in, by its newest changes. */
export function pauseNow(
  { state, outcome }: LedgerRecord<ScheduleKind>,
  changes: readonly Change[],
): PauseView | null {
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
): Promise<PauseView | null> {
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

export function pauseLines(pause: PauseView | null, reader: Reader): string[] {
  if (pause === null) return [];
  const texts = textsOf(reader.language);
  const { scope, by } = pause;
  const since = pause.since === null ? null : localTime(pause.since, reader);
  const until = pause.until === null ? null : localTime(pause.until, reader);
  // Without a reason of its own, a pause says who made it.
  const hasReason = pause.reason !== null && pause.reason !== `paused by ${by}`;
  const reason = hasReason ? oneLine(texts.reason(pause.reason ?? ""), charsMax) : null;
  const about = { by, since, until, reason };
  return [scope === "schedule" ? texts.pausedSince(about) : texts.heldBack({ scope, ...about })];
}

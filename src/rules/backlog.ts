import { outcomeOf, rhythmOf } from "./aim.ts";
import { type Cadence, firesBetween } from "./cadence.ts";
import { type Came, slotsThatCame } from "./came.ts";
import { pausedUntilOf } from "./fates.ts";
import type { Live, Outcome } from "./kinds.ts";
import type { Claimed, LedgerRecord } from "./record.ts";
import { slotKey, slotTask } from "./slot.ts";
import type { DraftOf } from "./unit.ts";
import type { Facts, Verdict } from "./verdict.ts";

type Schedule = LedgerRecord<"schedule">;

/** Slots in (after, until] of what a schedule was before it was changed: they do not run, and get their rows. */
export interface Undecided {
  readonly cadence: Cadence;
  readonly after: number;
  readonly until: number;
  /** Slots before this were passed over. */
  readonly pausedUntil?: number;
}

/** What a change at this time must not lose: slots that came, and that nobody has decided. */
export function undecidedAt(
  record: Schedule,
  until: number,
): Pick<Outcome<"schedule">, "undecided"> {
  const { cursor: after, undecided = [] } = outcomeOf(record);
  // A disabled one has no slots.
  if (record.state === "disabled") return {};
  const cadence = rhythmOf(record.body, after);
  if (firesBetween(cadence, after, until, 1).fires.length === 0) return {};
  const pausedUntil = Math.min(pausedUntilOf(record), until + 1);
  const paused = pausedUntil === -Infinity ? {} : { pausedUntil };
  return { undecided: [...undecided, { cadence, after, until, ...paused }] };
}

/** Gives what came before a change its rows, oldest first; undefined: there is nothing of the kind. */
export function decideBacklog(
  record: Claimed<"schedule">,
  facts: Facts,
): Verdict<"schedule"> | undefined {
  const { undecided: [first, ...others] = [], ...before } = outcomeOf(record);
  if (first === undefined) return undefined;
  const came = slotsThatCame(first.cadence, first.after, first.until);
  const rows = came.first.map((at) => rowOf(record, first, at));
  const rest = came.cutAt === undefined ? [] : [{ ...first, after: came.cutAt }];
  const left = [...rest, ...others];
  const isDone = left.length === 0;
  return {
    state: record.state as Live<"schedule">,
    outcome: isDone ? before : { ...before, undecided: left },
    follows: { append: [...together(record, first, came), ...rows] },
    freshStart: true,
    // What came since is decided next.
    ...(isDone && record.state === "disabled" ? {} : { wakeAt: facts.now }),
  };
}

function rowOf(
  record: Claimed<"schedule">,
  { pausedUntil = -Infinity }: Undecided,
  at: number,
  words = "the schedule was changed",
): DraftOf<"task"> {
  const { id, lease } = record;
  const end = { at: lease.claimedAt };
  const ends =
    at < pausedUntil
      ? ({ ...end, state: "skipped", reason: "paused" } as const)
      : ({ ...end, state: "missed", reason: words } as const);
  return slotTask(record, { at, because: "cadence", key: slotKey(id, at), ends });
}

function together(
  record: Claimed<"schedule">,
  undecided: Undecided,
  { before }: Came,
): readonly DraftOf<"task">[] {
  if (before === undefined) return [];
  const words = `${before.count} slots ${before.span}`;
  return [{ ...rowOf(record, undecided, before.at, words), note: words }];
}

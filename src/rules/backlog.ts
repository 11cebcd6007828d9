import { outcomeOf, rhythmOf } from "./aim.ts";
import { type Cadence, firesAfter, firesBetween } from "./cadence.ts";
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

/** After a long gap so many have a row each; what lies before them has one together. */
const rowsMax = 1_000;
/** The most in one unit. */
const unitMax = 200;

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
  const { cadence, after, until } = first;
  const { fires, earlier } = firesBetween(cadence, after, until, rowsMax);
  const rows = fires.slice(0, unitMax).map((at) => rowOf(record, first, at));
  const last = fires.length > unitMax ? fires[unitMax - 1] : undefined;
  const rest = last === undefined ? [] : [{ ...first, after: last }];
  const left = [...rest, ...others];
  const isDone = left.length === 0;
  return {
    state: record.state as Live<"schedule">,
    outcome: isDone ? before : { ...before, undecided: left },
    follows: { append: earlier > 0 ? [together(record, first, earlier), ...rows] : rows },
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

/** One row for what lies before the newest thousand. */
function together(
  record: Claimed<"schedule">,
  undecided: Undecided,
  count: number,
): DraftOf<"task"> {
  const { cadence, after, until } = undecided;
  const { fires } = firesBetween(cadence, after, until, rowsMax);
  const before = (fires[0] ?? until) - 1;
  const [from = before] = firesAfter(cadence, after, 1);
  const [to = before] = firesBetween(cadence, after, before, 1).fires;
  const words = `${count} slots from ${iso(from)} to ${iso(to)}`;
  return { ...rowOf(record, undecided, to, words), note: words };
}

function iso(at: number): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toString();
}

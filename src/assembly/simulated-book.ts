import { ids } from "../base/ids.ts";
import { seededRandom } from "../base/random.ts";
import type { Book, Ledger } from "../ledger/ledger.ts";
import { memory } from "../ledger/memory/memory.ts";
import { recordsIn } from "../ledger/records.ts";
import { aim, outcomeOf } from "../rules/again/aim.ts";
import { isWatch } from "../rules/again/watch.ts";
import type { LedgerRecord } from "../rules/record.ts";
import type { Draft } from "../rules/unit.ts";

const recordsMax = 20_000;

/** What a simulation is of. */
export type Planned = LedgerRecord<"schedule"> | LedgerRecord<"notification">;

export async function plannedIn(book: Book): Promise<readonly Planned[]> {
  const listed = <K extends "schedule" | "notification">(kind: K) =>
    Array.fromAsync(recordsIn(book, { kind, live: true }, recordsMax));
  const schedules = await listed("schedule");
  return [...schedules.filter((record) => !isWatch(record)), ...(await listed("notification"))];
}

/** A book of their own, where they wait as they do in the real one. */
export async function copyOf(
  records: readonly Planned[],
  { owner, from, now }: { owner: string; from: number; now: () => number },
): Promise<Ledger> {
  const copy = memory({ now, ids: ids({ wall: now }, seededRandom(1)) });
  for (const record of records) {
    const draft = record.kind === "schedule" ? scheduleDraft(record, from) : sayDraft(record);
    await copy.of(owner, record.by).append(draft);
  }
  return copy;
}

/** What lies before the beginning is passed over; that a run has no output is nothing to be told. */
function scheduleDraft(record: LedgerRecord<"schedule">, from: number): Draft {
  const { id, body, state } = record;
  const before = outcomeOf(record);
  const outcome = { ...before, cursor: Math.max(before.cursor, from - 1) };
  const { nextRunAt, wakeAt } = aim(state, body.cadence, outcome);
  return {
    kind: "schedule",
    id,
    body: { ...body, notify: "never" },
    outcome: { ...outcome, nextRunAt },
    state: state === "paused" || state === "disabled" ? state : "active",
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

function sayDraft(record: LedgerRecord<"notification">): Draft {
  const { kind, id, body, outcome, priority, queue, lane, wakeAt } = record;
  return {
    kind,
    id,
    body,
    state: "pending",
    priority,
    queue,
    lane,
    ...(outcome === null ? {} : { outcome }),
    ...(wakeAt === null ? {} : { wakeAt }),
  };
}

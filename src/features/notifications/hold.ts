import type { Context } from "../../kernel/operation.ts";
import type { AnyRecord } from "../../kernel/record.ts";
import { momentOptions, type MomentOptions, type Quiet } from "../accounts/index.ts";
import { readPauses, type Pause, pauseOfRecord } from "../nodes/index.ts";
import { type BusyTime, busyTimes, busyUntil } from "./busy-times.ts";
import { quietUntil } from "./quiet-hours.ts";

/** What holds work back although its time has come. */
export type Hold =
  | { readonly for: "quiet_hours"; readonly until: number }
  | { readonly for: "meeting"; readonly until: number }
  | { readonly for: "paused"; readonly until: number | null; readonly pause: Pause };

/** What decides when something is sent or run, beside its own record. */
export interface Outlook extends MomentOptions {
  readonly quiet: Quiet | null;
  /** The owner's zone: quiet hours are read in it. */
  readonly ownZone: string;
  readonly pauses: readonly Pause[];
  /** Meetings, in which nothing is sent that is not urgent. */
  readonly busy?: readonly BusyTime[];
}

/** The outlook for the caller's records. */
export async function outlookOf(context: Context, timezone?: string): Promise<Outlook> {
  const { quiet, zone: ownZone } = context.profile;
  const pauses = await readPauses(context.ledger);
  const busy = await context.use(busyTimes)(context.owner);
  return { ...momentOptions(context, timezone), quiet, ownZone, pauses, busy };
}

/** Every move ends one hold. */
const movesMax = 64;

/** The first time from which nothing holds it back, and the hold that ends then. Null: no hold says when it ends. */
export function released(
  at: number,
  holdAt: (at: number) => Hold | undefined,
): { readonly at: number | null; readonly hold?: Hold } {
  let [moment, last]: [number, Hold | undefined] = [at, undefined];
  for (let moves = 0; moves < movesMax; moves += 1) {
    const hold = holdAt(moment);
    if (hold === undefined) break;
    if (hold.until === null) return { at: null, hold };
    [moment, last] = [hold.until, hold];
  }
  return last === undefined ? { at: moment } : { at: moment, hold: last };
}

type Pausable = Pick<AnyRecord, "kind" | "owner" | "lane">;

/** The pause that holds a record back at a time. Pauses do not begin in the future. */
export function pauseHold(
  record: Pausable,
  at: number,
  { pauses }: Pick<Outlook, "pauses">,
): Hold | undefined {
  const pause = pauseOfRecord(pauses, record, at);
  return pause && { for: "paused", until: pause.body.until ?? null, pause };
}

/** A notification as far as quiet hours and pauses read it. */
export interface Sendable extends Pausable {
  readonly priority: AnyRecord["priority"];
  readonly body: { readonly type?: string; readonly change?: unknown };
}

/** What holds a notification back at a time. */
export function sendHold(record: Sendable, at: number, outlook: Outlook): Hold | undefined {
  const pause = pauseHold(record, at, outlook);
  if (pause !== undefined || !obeysQuietHours(record)) return pause;
  const { quiet, ownZone, busy = [] } = outlook;
  const until = quiet === null ? undefined : quietUntil(at, quiet, ownZone);
  if (until !== undefined) return { for: "quiet_hours", until };
  const over = busyUntil(at, busy);
  return over === undefined ? undefined : { for: "meeting", until: over };
}

/** Quiet hours are for people: they do not delay what makes no sound, what a program reads, or what is urgent. */
export function obeysQuietHours({ priority, body }: Sendable): boolean {
  return priority !== "high" && body.type !== "mark" && body.change === undefined;
}

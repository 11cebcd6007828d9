import type { LedgerRecord } from "../../kernel/record.ts";
import type { Json } from "../../platform/json.ts";
import type { Language } from "../../platform/language.ts";
import { oneLine } from "../../platform/text.ts";
import type { TaskKind } from "../tasks/index.ts";
import type { Condition, Health } from "./health.ts";
import type { EventKind } from "./kind.ts";
import { textsOf } from "./texts.ts";

type Task = Pick<LedgerRecord<TaskKind>, "state" | "endedAt" | "body" | "outcome">;
type Event = Pick<LedgerRecord<EventKind>, "createdAt" | "body" | "outcome">;

/** The work on events in one owner's book. */
export interface Overview {
  readonly now: number;
  /** Tasks of handlers that ended last. */
  readonly tasks: readonly Task[];
  /** Attempts that took too long within the last hour. */
  readonly timeouts: number;
  /** The oldest events that wait. */
  readonly pending: readonly Event[];
  /** There may be more events that wait. */
  readonly isMore: boolean;
  /** The machine of this node; absent for all owners but the one of the installation. */
  readonly machine?: { readonly host: string; readonly condition: Condition } | undefined;
}

/** Notices that were sent, of trouble that is not over. */
export interface SentNotices {
  readonly troubles: readonly string[];
  /** The health of each machine in its last notice; healthy machines are left out. */
  readonly machines: Readonly<Record<string, Health>>;
}

/** A notice, under a name that stays the same until the trouble is over. */
export interface Notice {
  readonly name: string;
  text(language: Language): string;
}

const failuresMin = 3;
const timeoutsMin = 5;
/** Timeouts are over at this number: with a higher one, a few more would soon be the next notice. */
const timeoutsOver = 2;
const undispatchedMs = 30 * 60_000;
export const timeoutsWithinMs = 60 * 60_000;
const reasonCharsMax = 300;

/** The notices to send now, and those that are sent then. No notice is sent twice until its trouble is over. */
export function noticesOf(
  overview: Overview,
  sent: SentNotices,
): { fresh: readonly Notice[]; sent: SentNotices } {
  const troubles = [...failing(overview), ...timedOut(overview, sent), ...stuck(overview)];
  const { turns, machines } = healthTurns(overview, sent);
  const fresh = troubles.filter(({ name }) => !sent.troubles.includes(name));
  return {
    fresh: [...fresh, ...turns],
    sent: { troubles: troubles.map(({ name }) => name), machines },
  };
}

/** Handlers whose last tasks failed, one after another. */
function failing({ tasks }: Overview): readonly Notice[] {
  const byHandler = Map.groupBy(tasks, ({ body }) => body.event?.handler ?? "");
  return [...byHandler].flatMap(([handler, own]) => {
    const newest = own
      .filter(({ state }) => state !== "cancelled" && state !== "missed")
      .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
    const end = newest.findIndex(({ state }) => state !== "failed" && state !== "interrupted");
    const count = end === -1 ? newest.length : end;
    if (handler === "" || count < failuresMin) return [];
    const reason = shown(newest[0]?.outcome?.reason);
    const text: Notice["text"] = (to) => textsOf(to).notices.failing({ handler, count, reason });
    return [{ name: `failing:${handler}`, text }];
  });
}

function timedOut({ timeouts: count }: Overview, { troubles }: SentNotices): readonly Notice[] {
  const name = "timeouts";
  const isOver = count <= (troubles.includes(name) ? timeoutsOver : timeoutsMin - 1);
  return isOver ? [] : [{ name, text: (to) => textsOf(to).notices.timeouts({ count }) }];
}

function stuck({ pending, now, isMore }: Overview): readonly Notice[] {
  const late = pending.filter(({ createdAt }) => now - createdAt >= undispatchedMs);
  const [oldest] = late;
  if (oldest === undefined) return [];
  const count = `${late.length}${isMore ? "+" : ""}`;
  const minutes = Math.floor((now - oldest.createdAt) / 60_000);
  const { type } = oldest.body;
  const reason = shown(oldest.outcome?.reason);
  const text: Notice["text"] = (to) => textsOf(to).notices.stuck({ count, type, minutes, reason });
  return [{ name: "stuck", text }];
}

/** Every change of a machine's health is a notice, also the one back to green. */
function healthTurns(
  { machine }: Overview,
  { machines }: SentNotices,
): { turns: readonly Notice[]; machines: SentNotices["machines"] } {
  if (machine === undefined) return { turns: [], machines };
  const { host, condition } = machine;
  const { health, reason } = condition;
  if ((machines[host] ?? "green") === health) return { turns: [], machines };
  const { [host]: _, ...others } = machines;
  const text: Notice["text"] = (to) =>
    textsOf(to).notices.health({ host, health, reason: shown(reason) });
  return {
    turns: [{ name: `health:${host}`, text }],
    machines: health === "green" ? others : { ...others, [host]: health },
  };
}

function shown(reason: string | null | undefined): string {
  return oneLine(reason ?? "", reasonCharsMax);
}

/** The sent notices from the memory of the chore. */
export function readSentNotices(kept: Json | undefined): SentNotices {
  const { troubles, machines } = (kept ?? {}) as { troubles?: Json; machines?: Json };
  return {
    troubles: Array.isArray(troubles) ? troubles.map(String) : [],
    machines: (machines ?? {}) as SentNotices["machines"],
  };
}

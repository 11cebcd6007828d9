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

/** What was seen in one owner's book. */
export interface Overview {
  readonly now: number;
  /** Of handlers, those that ended last. */
  readonly tasks: readonly Task[];
  /** Attempts that took too long within the last hour. */
  readonly timeouts: number;
  /** The oldest of those that nobody has begun with. */
  readonly pending: readonly Event[];
  /** There may be more of them than were looked at. */
  readonly isMore: boolean;
  /** The machine that looked; absent for owners whose machine it is not. */
  readonly machine?: { readonly host: string; readonly condition: Condition };
}

/** What was told and is not over. */
export interface SentNotices {
  readonly troubles: readonly string[];
  /** How each machine was when it was told last; those that are well are not in it. */
  readonly machines: Readonly<Record<string, Health>>;
}

/** Something to tell, under a name that it has until it is over. */
export interface Notice {
  readonly name: string;
  say(language: Language): string;
}

const failuresMin = 3;
const timeoutsMin = 5;
/** It is over when there are no more than this, or a sixth would be told as the next fifth. */
const timeoutsOver = 2;
const undispatchedMs = 30 * 60_000;
export const timeoutsWithinMs = 60 * 60_000;
const reasonCharsMax = 300;

/** What is news in what was seen, and what is told from now on. Nothing is told twice until it is over. */
export function noticesOf(
  seen: Overview,
  told: SentNotices,
): { news: readonly Notice[]; told: SentNotices } {
  const found = [...failing(seen), ...timedOut(seen, told), ...stuck(seen)];
  const { news, machines } = turned(seen, told);
  const fresh = found.filter(({ name }) => !told.troubles.includes(name));
  return {
    news: [...fresh, ...news],
    told: { troubles: found.map(({ name }) => name), machines },
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
    const say: Notice["say"] = (to) => textsOf(to).notices.failing({ handler, count, reason });
    return [{ name: `failing:${handler}`, say }];
  });
}

function timedOut({ timeouts: count }: Overview, { troubles }: SentNotices): readonly Notice[] {
  const name = "timeouts";
  const isOver = count <= (troubles.includes(name) ? timeoutsOver : timeoutsMin - 1);
  return isOver ? [] : [{ name, say: (to) => textsOf(to).notices.timeouts({ count }) }];
}

function stuck({ pending, now, isMore }: Overview): readonly Notice[] {
  const late = pending.filter(({ createdAt }) => now - createdAt >= undispatchedMs);
  const [oldest] = late;
  if (oldest === undefined) return [];
  const count = `${late.length}${isMore ? "+" : ""}`;
  const minutes = Math.floor((now - oldest.createdAt) / 60_000);
  const { type } = oldest.body;
  const reason = shown(oldest.outcome?.reason);
  const say: Notice["say"] = (to) => textsOf(to).notices.stuck({ count, type, minutes, reason });
  return [{ name: "stuck", say }];
}

/** Of a machine every turn is told, the one for the better too. */
function turned(
  { machine }: Overview,
  { machines }: SentNotices,
): { news: readonly Notice[]; machines: SentNotices["machines"] } {
  if (machine === undefined) return { news: [], machines };
  const { host, condition } = machine;
  const { health, reason } = condition;
  if ((machines[host] ?? "green") === health) return { news: [], machines };
  const { [host]: _, ...others } = machines;
  const say: Notice["say"] = (to) =>
    textsOf(to).notices.health({ host, health, reason: shown(reason) });
  return {
    news: [{ name: `health:${host}`, say }],
    machines: health === "green" ? others : { ...others, [host]: health },
  };
}

function shown(reason: string | null | undefined): string {
  return oneLine(reason ?? "", reasonCharsMax);
}

/** What was told, as it was written down. */
export function readSent(kept: Json | undefined): SentNotices {
  const { troubles, machines } = (kept ?? {}) as { troubles?: Json; machines?: Json };
  return {
    troubles: Array.isArray(troubles) ? troubles.map(String) : [],
    machines: (machines ?? {}) as SentNotices["machines"],
  };
}

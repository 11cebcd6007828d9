import type { Controller } from "../../kernel/controller.ts";
import type { Ledger } from "../../kernel/ledger.ts";
import type { Profile } from "../../kernel/profile.ts";
import { type Clock, sleep } from "../../platform/clock.ts";
import type { DaybookError } from "../../platform/errors.ts";
import { type CalendarKind, calendarKind } from "./kind.ts";
import { openCalendar } from "./open-calendar.ts";
import {
  type CalendarRecord,
  isConverged,
  pass,
  type PassSeen,
  type Position,
  type Unread,
} from "./pass.ts";
import type { CalendarConnectors } from "./ports.ts";
import { firstCursor, readFeed } from "./reading.ts";
import { withoutFlow } from "./refused-edits.ts";
import { type CalendarSeen, decideCalendar, nothingSynced } from "./verdict.ts";

export interface CalendarsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly connectors: () => CalendarConnectors;
  profile(owner: string): Promise<Profile>;
  /** How often the service is asked for changes. */
  pollMs(): number;
  /** How often the book is asked for changes while nothing is to be done; 0: not at all. */
  readonly watchMs?: number;
  readonly writesMax?: number;
  readonly atOnce?: number;
}

/** So many changes of the book are read again after a restart, before the place is written down. */
const unwrittenMax = 5_000;

/** Keeps every calendar as the book has it: reads, plans, writes, reads again; then waits for a change. */
export function calendarController(
  options: CalendarsOptions,
): Controller<CalendarKind, CalendarSeen> {
  const { ledger, clock, watchMs = 1_000, writesMax = 50, atOnce = 4 } = options;

  const passOnce = async (
    record: CalendarRecord,
    position: Position,
    signal: AbortSignal,
  ): Promise<PassSeen | Unread> => {
    const profile = await options.profile(record.owner);
    const opened = openCalendar(record, options.connectors());
    if ("error" in opened) return { saw: "unreachable", ...opened, language: profile.language };
    const { connector, service } = opened;
    const input = { record, position, connector, service, profile, now: clock.wall(), signal };
    return pass({ ledger, writesMax, atOnce }, input);
  };

  /** Waits until a record changes that may be shown; false: it is time to ask the service, or to stop. */
  const watch = async (
    record: CalendarRecord,
    from: string,
    until: number,
    signal: AbortSignal,
  ): Promise<{ cursor: string; changes: number; end: "changed" | "time" | "edited" }> => {
    const book = ledger.of(record.owner, record.by);
    let cursor = from;
    let changes = 0;
    while (clock.mono() < until && !signal.aborted) {
      await sleep(clock, watchMs, signal);
      const read = await readFeed(book, cursor);
      ({ cursor } = read);
      changes += read.changes;
      if ((await book.get(record.id))?.revision !== record.revision) {
        return { cursor, changes, end: "edited" };
      }
      if (read.isRelevant) return { cursor, changes, end: "changed" };
    }
    return { cursor, changes, end: signal.aborted ? "edited" : "time" };
  };

  const act = async (record: CalendarRecord, signal: AbortSignal): Promise<CalendarSeen> => {
    const book = ledger.of(record.owner, record.by);
    const { cursor: stored, token, listedAt } = record.outcome ?? nothingSynced;
    // The feed is read before the records: what changes after that is seen next time.
    let { cursor } = await readFeed(book, stored ?? (await firstCursor(book, record.id)));
    let position: Position = { cursor, token, listedAt };
    for (let unwritten = 0; ;) {
      const seen = await passOnce(record, { ...position, cursor }, signal);
      if (seen.saw !== "pass") return signal.aborted ? { saw: "stopped" } : seen;
      if (signal.aborted) return seen;
      const isOverdue = unwritten >= unwrittenMax;
      if (!isConverged(seen, record) || isOverdue || watchMs === 0) return { ...seen, isOverdue };
      ({ position } = seen);
      const watched = await watch(record, cursor, clock.mono() + options.pollMs(), signal);
      if (watched.end === "edited") return { saw: "stopped" };
      ({ cursor } = watched);
      unwritten += watched.changes;
    }
  };

  return {
    name: "calendars",
    kind: calendarKind,
    act: (record, { signal }) => act(record, signal),
    decide: (record, seen, facts) => decideCalendar(record, seen, facts, options.pollMs()),
    observeAgain: async (record, seen, refused) =>
      seen.saw === "pass" ? withoutRefused(record, seen, refused) : undefined,
  };
}

/** A refused entry by hand is left for later; a refused change of the book is taken out. */
function withoutRefused(
  record: CalendarRecord,
  seen: PassSeen,
  refused: DaybookError,
): PassSeen | undefined {
  const without = withoutFlow(record, seen, refused);
  return without ?? (seen.adopted.length > 0 ? { ...seen, adopted: [] } : undefined);
}

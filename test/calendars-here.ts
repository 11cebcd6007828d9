import { calendarConnectors } from "../src/features/calendars/index.ts";
import type { CalendarKind } from "../src/features/calendars/kind.ts";
import { noCounts, nothingSynced } from "../src/features/calendars/verdict.ts";
import { provide, type Provision } from "../src/kernel/port.ts";
import type { DraftOf } from "../src/kernel/unit.ts";
import { plainBody } from "../src/testing/calendars/calendar-node.ts";
import {
  memoryAccount,
  memoryCalendar,
  memoryConnector,
} from "../src/testing/calendars/memory-calendar.ts";

/** A calendar that was synced, and a service in memory that opens it. */
export function calendarHere(isBraked: boolean): DraftOf<CalendarKind> {
  const brake = isBraked ? { removals: 8, entries: 40 } : null;
  return {
    kind: "calendar",
    body: { ...plainBody, name: "Work", account: memoryAccount },
    outcome: {
      ...nothingSynced,
      asked: 9,
      syncedAt: Date.parse("2026-11-15T20:00:00Z"),
      counts: { ...noCounts, created: 2, unchanged: 38 },
      brake,
    },
    state: "active",
    wakeAt: Date.parse("2026-11-16T09:00:00+09:00"),
  };
}

export function calendarServices(): Provision {
  const connector = memoryConnector<"caldav">(memoryCalendar());
  return provide(calendarConnectors, () => ({ caldav: connector }));
}

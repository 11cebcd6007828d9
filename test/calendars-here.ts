import {
  calendarConnectors,
  googleConsent,
  sealer,
  type GoogleConsent,
  type Sealer,
} from "../src/features/calendars/index.ts";
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

/** The state in the address of the example. */
const exampleState = "AX2kQ9";
/** The connection that it stands for. */
const waiting = JSON.stringify({
  owner: "me",
  by: "me",
  scopes: ["admin"],
  until: Date.parse("2026-11-16T09:00:00+09:00"),
  verifier: "a verifier",
  redirectUri: "http://127.0.0.1:8123/connected",
  request: { client_id: "our-client", client_secret: "secret" },
});

/** Services in memory, and a person who allows everything at Google. */
export function calendarServices(): readonly Provision[] {
  const connectors = {
    caldav: memoryConnector<"caldav">(memoryCalendar()),
    google: memoryConnector<"google">(memoryCalendar()),
  };
  const scopes = ["https://www.googleapis.com/auth/calendar.events"];
  const consent: GoogleConsent = {
    client: { clientId: "our-client", clientSecret: "secret" },
    page: ({ state }) => `https://accounts.google.com/o/oauth2/v2/auth?state=${state}`,
    redeem: async () => ({ refreshToken: "1//lasts", scopes, canWrite: true }),
  };
  let last = waiting;
  const sealing: Sealer = {
    seal(text) {
      last = text;
      return exampleState;
    },
    open: () => last,
  };
  return [
    provide(calendarConnectors, () => connectors),
    provide(googleConsent, () => consent),
    provide(sealer, () => sealing),
  ];
}

/** Where a browser comes back to after a person has allowed what a page asked for. */
export function allowedAt(page: string): string {
  const state = new URL(page).searchParams.get("state") ?? "";
  return `http://127.0.0.1:8123/?${new URLSearchParams({ state, code: "4/0" }).toString()}`;
}

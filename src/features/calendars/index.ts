import { feature } from "../../kernel/feature.ts";
import { explainCalendar, explainEntry } from "./explain.ts";
import { calendarKind, entryKind } from "./kind.ts";
import {
  confirmCalendar,
  deleteCalendar,
  editCalendar,
  listCalendars,
  showCalendar,
} from "./operations/calendars.ts";
import { connectCalendar, finishCalendar } from "./operations/connect.ts";
import { createCalendar } from "./operations/create.ts";
import { planCalendar, syncCalendar } from "./operations/sync.ts";
import { calendarsOnNode, calendarsProvide } from "./services.ts";

/** ALWAYS, elsewhere: does each calendar show what the book has? */
export const calendars = feature({
  name: "calendars",
  kinds: [calendarKind, entryKind],
  operations: {
    createCalendar,
    connectCalendar,
    finishCalendar,
    listCalendars,
    showCalendar,
    planCalendar,
    syncCalendar,
    confirmCalendar,
    editCalendar,
    deleteCalendar,
  },
  explain: [explainCalendar, explainEntry],
  provides: calendarsProvide,
  node: calendarsOnNode,
  routes: async (context) => (await import("./routes.ts")).calendarRoutes(context),
  errors: () => import("./errors-ko.ts"),
});

export type { Account, AccountOf, StoredSecret } from "./account.ts";
export type { EntryContent } from "./content.ts";
export { type CalendarKind, calendarKind, entryId, isEntryOf } from "./kind.ts";
export { iCalendar } from "./icalendar.ts";
export { uidOf } from "./icalendar/uid.ts";
export {
  type CalendarConnector,
  type ConnectedType,
  type GoogleClient,
  type GoogleConsent,
  type Sealer,
  calendarConnectors,
  calendarSettings,
  environment,
  googleConsent,
  sealer,
} from "./ports.ts";
export { openSecret } from "./secret.ts";
export {
  busyAheadMs,
  type CalendarService,
  type EntryLocation,
  type PutResult,
  type RemoteChanges,
  type RemoteEntry,
  type Span,
} from "./service.ts";
export { calendarsEntry } from "./settings.ts";

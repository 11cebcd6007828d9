import { feature } from "../../kernel/feature.ts";
import { calendarKind, entryKind } from "./kind.ts";

/** ALWAYS, elsewhere: does each calendar show what the book has? */
export const calendars = feature({
  name: "calendars",
  kinds: [calendarKind, entryKind],
  operations: {},
});

export {
  type Account,
  type AccountOf,
  type CalendarType,
  type StoredSecret,
  account,
} from "./account.ts";
export { type EntryContent, entryContent } from "./content.ts";
export {
  type CalendarKind,
  type EntryKind,
  calendarKind,
  entryId,
  entryKind,
  isEntryOf,
} from "./kind.ts";
export {
  type CalendarConnector,
  type CalendarConnectors,
  type ConnectedType,
  type Sealer,
  calendarConnectors,
  environment,
  sealer,
} from "./ports.ts";
export type {
  CalendarService,
  EntryLocation,
  EntryPut,
  EntryRemove,
  PutResult,
  RemoteChanges,
  RemoteEntry,
  RemoveResult,
  Span,
} from "./service.ts";

import type {
  AccountOf,
  CalendarConnector,
  ConnectedType,
  EntryContent,
  RemoteEntry,
} from "../../features/calendars/index.ts";

/** Makes calendars of one service for the suite. */
export interface CalendarRig {
  readonly name: string;
  /** Makes a new calendar without entries. */
  make(): Promise<RigCalendar>;
  /** Called when all tests are done. */
  close?(): Promise<void>;
}

/** One calendar at its service, and what other people do with it. The suite itself injects lost answers and crashes. */
export interface RigCalendar {
  /** As it is stored in the record of the calendar; secrets as `{ env }` or `{ sealed }`, which the connector reads. */
  readonly account: AccountOf<ConnectedType>;
  readonly connector: CalendarConnector;
  /** Everything that is there and not deleted, ours and other people's, read afresh. */
  list(): Promise<readonly RemoteEntry[]>;
  /** Adds an entry of somebody else. Answers the service's own name of it. */
  add(content: EntryContent): Promise<string>;
  /** A person changes the title or the time of an entry. */
  change(remoteId: string, change: { title?: string; at?: number }): Promise<void>;
  /** A person deletes an entry. */
  remove(remoteId: string): Promise<void>;
  /** The service forgets all tokens that it gave (Google's 410). Absent: it cannot be made to. */
  forgetTokens?(): Promise<void>;
  /** How many writing requests have reached the service. Absent: the suite counts the calls of the port. */
  writes?(): number;
  close?(): Promise<void>;
}

import { port } from "../../kernel/port.ts";
import type { AccountOf, CalendarType } from "./account.ts";
import type { CalendarService } from "./service.ts";

/** The types that a service is behind: a feed is only read. */
export type ConnectedType = Exclude<CalendarType, "ics">;

/** Opens calendars of one type. */
export interface CalendarConnector<Type extends ConnectedType = ConnectedType> {
  /**
   * It mirrors records instead of showing times: entries have `fields` and the whole message as their title, ended ones
   * are kept, and an entry of somebody else becomes a notification where edits flow back.
   */
  readonly mirrorsRecords?: boolean;
  /** Checks a new account against the service and completes it (a collection that was found, a calendar's own id). */
  resolve(account: AccountOf<Type>, signal: AbortSignal): Promise<AccountOf<Type>>;
  open(account: AccountOf<Type>): CalendarService;
}

export type CalendarConnectors = {
  readonly [Type in ConnectedType]?: CalendarConnector<Type>;
};

/** The services that this installation can connect to; loaded on use. */
export const calendarConnectors = port<CalendarConnectors>("calendars.connectors", {});

/** Seals secrets for the book with a key of the home, and opens them again. */
export interface Sealer {
  seal(text: string): string;
  /** Throws `refused` when the key is another one. */
  open(sealed: string): string;
}

/** Undefined where there is no home to keep a key in: then secrets are named as variables. */
export const sealer = port<Sealer | undefined>("calendars.sealer", undefined);

/** Reads a variable of the daemon's environment. */
export const environment = port<(name: string) => string | undefined>(
  "calendars.environment",
  () => undefined,
);

/** The settings of calendars. */
export interface CalendarSettings {
  /** Hosts that may be connected to although they are private or use plain http. */
  readonly allow: readonly string[];
  /** How often each service is asked for changes. */
  readonly pollMs: number;
}

export const calendarSettings = port<CalendarSettings>("calendars.settings", {
  allow: [],
  pollMs: 60_000,
});

/** The time of operations that wait for a pass, or for a service. */
export interface CallTime {
  pause(ms: number): Promise<void>;
  /** Aborts after so long. */
  limit(ms: number): AbortSignal;
}

export const callTime = port<CallTime>("calendars.callTime");

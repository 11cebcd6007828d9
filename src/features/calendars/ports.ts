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
  /** What was sealed for one purpose opens for no other. Default: a secret of a calendar. */
  seal(text: string, purpose?: string): string;
  /** Throws `refused` when the key or the purpose is another one. */
  open(sealed: string, purpose?: string): string;
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

/** The program as Google knows it: an OAuth client that somebody made for it. */
export interface GoogleClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** What a person allows on a page of Google's, and how that becomes a login that lasts. */
export interface GoogleConsent {
  /** The client of the settings. */
  readonly client: GoogleClient | undefined;
  /** The page. It sends the browser to `redirectUri`, with the state and a code, or with a reason. */
  page(request: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly state: string;
    /** The SHA-256 of a secret that is shown when the code is redeemed. */
    readonly challenge: string;
  }): string;
  /** Exchanges the code, which works once; `details.reason` of the error is that of Google. */
  redeem(request: ConsentCode, signal: AbortSignal): Promise<GoogleGrant>;
}

interface ConsentCode {
  readonly client: GoogleClient;
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface GoogleGrant {
  /** Absent: Google gave no login that lasts. */
  readonly refreshToken?: string | undefined;
  /** What was allowed: Google's names of scopes. */
  readonly scopes: readonly string[];
  /** Whether events may be changed. */
  readonly canWrite: boolean;
}

/** Undefined where nobody can connect to Google. */
export const googleConsent = port<GoogleConsent | undefined>("calendars.googleConsent", undefined);

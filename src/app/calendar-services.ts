import { consentAtGoogle } from "../adapters/calendars/google-consent.ts";
import { googleEndpoints } from "../adapters/calendars/google-endpoints.ts";
import {
  type CalendarConnector,
  type CalendarService,
  calendarConnectors,
  type ConnectedType,
  environment,
  googleConsent,
  openSecret,
} from "../features/calendars/index.ts";
import { type Ports, provide, provideOnce, type Provision } from "../kernel/port.ts";
import type { Clock } from "../platform/clock.ts";
import { safeFetch, type SafeFetch } from "../platform/fetch.ts";
import { lazy } from "../platform/lazy.ts";
import type { Config } from "./config/config.ts";

const callMs = 20_000;
/** A page of a thousand events with long texts. */
const callBytesMax = 32 * 1_048_576;

/** The services that calendars are connected to. */
export function calendarServices(
  current: () => Config["calendars"],
  clock: Clock,
  ports: Ports,
): readonly Provision[] {
  return [
    provide(environment, () => (name) => process.env[name]),
    provideOnce(calendarConnectors, () => ({
      caldav: loadedOnUse<"caldav">(async () => {
        const { caldavCalendars } = await import("../adapters/calendars/caldav.ts");
        const fetch = fetchUnder(() => current().allow, clock);
        return caldavCalendars({ fetch, clock, readSecret: (secret) => openSecret(secret, ports) });
      }),
      google: loadedOnUse<"google">(async () => {
        const { googleCalendars } = await import("../adapters/calendars/google.ts");
        return googleCalendars({
          ...googleAt(current, clock),
          readSecret: (secret) => openSecret(secret, ports),
        });
      }),
    })),
    provide(googleConsent, () => {
      const { clientId, clientSecret } = current().google;
      const client = clientId === undefined ? undefined : { clientId, clientSecret };
      return consentAtGoogle({ ...googleAt(current, clock), client });
    }),
  ];
}

function googleAt(current: () => Config["calendars"], clock: Clock) {
  const { api } = current().google;
  const own = api === undefined ? [] : [new URL(api).host];
  const fetch = fetchUnder(() => [...current().allow, ...own], clock);
  return { clock, fetch, endpoints: googleEndpoints(api) };
}

/** Reads the listed hosts at each request: a reload changes them. */
function fetchUnder(allow: () => readonly string[], clock: Clock): SafeFetch {
  const limits = { clock, timeoutMs: callMs, bytesMax: callBytesMax };
  const allowedIn = "DAYBOOK_CALENDAR_ALLOW";
  return (request) => safeFetch({ ...limits, allowHosts: allow(), allowedIn })(request);
}

/** A connector that is loaded when it is first used: most installations have no such calendar. */
function loadedOnUse<Type extends ConnectedType>(
  load: () => Promise<CalendarConnector<Type>>,
): CalendarConnector<Type> {
  const connector = lazy(load);
  return {
    resolve: async (account, signal) => (await connector()).resolve(account, signal),
    open(account): CalendarService {
      const service = lazy(async () => (await connector()).open(account));
      return {
        changes: async (token, signal) => (await service()).changes(token, signal),
        put: async (put, signal) => (await service()).put(put, signal),
        remove: async (remove, signal) => (await service()).remove(remove, signal),
      };
    },
  };
}

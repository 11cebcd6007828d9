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
      google: loadedOnUse<"google">(async () => {
        const { googleCalendars } = await import("../adapters/calendars/google.ts");
        return googleCalendars({
          ...googleAt(current(), clock),
          readSecret: (secret) => openSecret(secret, ports),
        });
      }),
    })),
    provide(googleConsent, () => {
      const { clientId, clientSecret } = current().google;
      const client = clientId === undefined ? undefined : { clientId, clientSecret };
      return consentAtGoogle({ ...googleAt(current(), clock), client });
    }),
  ];
}

function googleAt({ google: { api }, allow }: Config["calendars"], clock: Clock) {
  const allowHosts = api === undefined ? allow : [...allow, new URL(api).host];
  const fetch: SafeFetch = safeFetch({
    clock,
    timeoutMs: callMs,
    bytesMax: callBytesMax,
    allowHosts,
  });
  return { clock, fetch, endpoints: googleEndpoints(api) };
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

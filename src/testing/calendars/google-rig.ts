import { googleEndpoints } from "../../adapters/calendars/google-endpoints.ts";
import { entryOf } from "../../adapters/calendars/google-entry.ts";
import { googleEvent } from "../../adapters/calendars/google-event.ts";
import { googleCalendars } from "../../adapters/calendars/google.ts";
import type {
  AccountOf,
  CalendarConnector,
  EntryContent,
  RemoteEntry,
  StoredSecret,
} from "../../features/calendars/index.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { EventBody } from "./google-body.ts";
import { timeText } from "./google-event.ts";
import { googleServer, type GoogleServer } from "./google-server.ts";
import type { CalendarRig, RigCalendar } from "./rig.ts";
import type { ServiceRig } from "./service-rig.ts";

/** What a login at the fake stands for in an account. */
export function googleAccount(
  { oauth, primary }: GoogleServer,
  refreshToken = oauth.grant(),
): AccountOf<"google"> {
  return {
    type: "google",
    calendarId: primary,
    clientId: oauth.clientId,
    clientSecret: { env: oauth.clientSecret },
    refreshToken: { env: refreshToken },
  };
}

type Address = Pick<GoogleServer, "url" | "host">;

/** A node that is connected to the fake. The name of a variable is the secret itself. */
export function googleNode(server: Address): CalendarConnector<"google"> {
  return googleConnector(server, (secret) => ("env" in secret ? secret.env : secret.sealed));
}

export function googleConnector(
  { url, host }: Address,
  readSecret: (secret: StoredSecret) => string,
): CalendarConnector<"google"> {
  const clock = systemClock();
  const fetch = safeFetch({ clock, timeoutMs: 10_000, bytesMax: 16 * 2 ** 20, allowHosts: [host] });
  return googleCalendars({ clock, fetch, endpoints: googleEndpoints(url), readSecret });
}

/** The fake for the suite of calendar services. */
export function googleService(server: GoogleServer): ServiceRig {
  const calendar = googleCalendar(server);
  const account = googleAccount(server);
  const elsewhere = { url: "http://127.0.0.1:9", host: "127.0.0.1:9" };
  return {
    ...calendar,
    account,
    now: Date.now,
    textCharsMax: 8_192,
    addFree: async (content) =>
      server.person().add({ ...bodyOf(content), transparency: "transparent" }),
    loseAnswer: () => server.next("lose"),
    rejected: () => googleNode(server).open(googleAccount(server, "1//revoked")),
    unreachable: () => googleNode(elsewhere).open(account),
    async destroy() {
      server.removeCalendar(server.primary);
    },
  };
}

/** The fake for the suite of the reconciler: a server for each calendar. */
export const googleRig: CalendarRig = {
  name: "Google",
  async make() {
    const ends: (() => Promise<void>)[] = [];
    const server = await googleServer({ after: (end) => void ends.push(end) });
    return {
      ...googleCalendar(server),
      async close() {
        for (const end of ends) await end();
      },
    };
  },
};

function googleCalendar(server: GoogleServer): RigCalendar {
  const person = server.person();
  const shown = (): readonly RemoteEntry[] =>
    person.shown().flatMap((event) => entryOf(googleEvent.parse(event), "Asia/Seoul") ?? []);
  return {
    account: googleAccount(server),
    connector: googleNode(server) as CalendarConnector, // the suite gives it accounts of its own type
    list: async () => shown(),
    add: async (content) => person.add(bodyOf(content)),
    async change(remoteId, { title, at }) {
      const { minutes = 30 } =
        shown().find(({ location }) => location.remoteId === remoteId)?.content ?? {};
      person.edit(remoteId, {
        ...(title !== undefined && { summary: title }),
        ...(at !== undefined && timesOf({ at, minutes })),
      });
    },
    remove: async (remoteId) => person.remove(remoteId),
    forgetTokens: async () => server.forgetTokens(),
    writes: () => server.writes(),
  };
}

function bodyOf({ title, ...times }: EntryContent): EventBody {
  return { summary: title, ...timesOf(times) };
}

function timesOf({
  at,
  minutes,
}: Pick<EntryContent, "at" | "minutes">): Pick<EventBody, "start" | "end"> {
  const timeAt = (moment: number): EventBody["start"] => ({
    dateTime: timeText(moment, "Asia/Seoul"),
    timeZone: "Asia/Seoul",
  });
  return { start: timeAt(at), end: timeAt(at + minutes * 60_000) };
}

import { caldavCalendars } from "../../adapters/calendars/caldav.ts";
import { systemClock } from "../../platform/clock.ts";
import { safeFetch } from "../../platform/fetch.ts";
import { type LossyProxy, lossyProxy } from "../lossy-proxy.ts";
import { davPerson } from "./dav-person.ts";
import type { DavServer } from "./dav-server.ts";
import type { CalendarRig, RigCalendar } from "./rig.ts";
import type { ServiceRig } from "./service-rig.ts";

const clock = systemClock();

/** A connector as a daemon makes it, whose fetch may reach this host. */
export function caldavOf(origin: string, password: string) {
  const allowHosts = [new URL(origin).host];
  const fetch = safeFetch({ clock, timeoutMs: 30_000, bytesMax: 32 * 2 ** 20, allowHosts });
  return caldavCalendars({ fetch, clock, readSecret: () => password });
}

interface CaldavRig extends Omit<CalendarRig, "make"> {
  make(): Promise<ServiceRig>;
  /** How many answers the line has lost. */
  lost(): number;
}

/** Calendars at a real server, behind a line that can lose answers. */
export async function caldavRig(server: DavServer): Promise<CaldavRig> {
  const proxy = await lossyProxy(server.origin);
  let made = 0;
  return {
    name: server.name,
    make: () => {
      made += 1;
      return rigOf(server, proxy, `${server.home}calendar-${process.pid}-${made}/`);
    },
    lost: proxy.lost,
    async close() {
      await proxy.stop();
      await server.stop();
    },
  };
}

async function rigOf(server: DavServer, proxy: LossyProxy, path: string): Promise<ServiceRig> {
  const { username, password, forgetTokens } = server;
  const now = (): number => clock.wall();
  const person = await davPerson(server, new URL(path, server.origin).href, now);
  const account = {
    type: "caldav",
    url: proxy.host,
    collection: new URL(path, proxy.host).href,
    username,
    password: { env: "CALDAV_PASSWORD" },
  } as const;
  const nowhere = { ...account, collection: `http://127.0.0.1:1${path}` };
  const rig: ServiceRig = {
    ...person,
    account,
    connector: caldavOf(proxy.host, password) as RigCalendar["connector"], // it is given only accounts of its type
    now,
    forgottenToken: `sync:${server.unknownToken}`,
    loseAnswer: () => proxy.lose(/^(?:PUT|DELETE) /),
    unreachable: () => caldavOf(nowhere.collection, password).open(nowhere),
  };
  if (server.garbles !== undefined) rig.garbles = server.garbles;
  if (server.name === "Radicale") {
    rig.rejected = () => caldavOf(proxy.host, "wrong").open(account);
  }
  if (forgetTokens !== undefined) rig.forgetTokens = async () => forgetTokens(path);
  return rig;
}

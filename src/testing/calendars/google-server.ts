import assert from "node:assert/strict";
import { peer, type Peer } from "../chats/peer.ts";
import { answerTo, api, errorOf } from "./google-api.ts";
import { GoogleRefusal } from "./google-errors.ts";
import { googleOAuth, type GoogleGrants } from "./google-oauth.ts";
import { googlePerson, type GooglePerson } from "./google-person.ts";
import { addCalendar, type GoogleCalendar, type GoogleWorld } from "./google-world.ts";

/** A fake of Google: its Calendar API v3, and OAuth for installed apps. Stricter than the real one. */
export interface GoogleServer extends Peer {
  readonly oauth: GoogleGrants;
  /** Of the person who grants. */
  readonly primary: string;
  addCalendar(given: Omit<GoogleCalendar, "events">): void;
  removeCalendar(id: string): void;
  /** Somebody who uses a calendar in a browser. */
  person(calendar?: string): GooglePerson;
  /** All sync tokens are forgotten. */
  forgetTokens(): void;
  /** The next calls are over the quota. */
  overQuota(times: number, reason?: "rateLimitExceeded" | "userRateLimitExceeded"): void;
  /** The next calls are too many, for some seconds. */
  tooMany(times: number, seconds: number): void;
  /** How many calls have written. */
  writes(): number;
  /** What no client may send. Each is an error: the end of the test fails. */
  readonly complaints: string[];
}

interface Options {
  now?(): number;
}

/** What a test gives: `t.after`. */
interface Ends {
  after(end: () => Promise<void>): void;
}

const primary = "mina@example.org";

export async function googleServer(
  t: Ends,
  { now = Date.now }: Options = {},
): Promise<GoogleServer> {
  const world: GoogleWorld = {
    now,
    calendars: new Map(),
    changes: 0,
    epoch: 0,
    pages: new Map(),
  };
  const zone = { timeZone: "Asia/Seoul", accessRole: "owner" as const };
  addCalendar(world, { id: primary, summary: primary, ...zone, primary: true });
  const oauth = googleOAuth(now);
  const complaints: string[] = [];
  const server = await peer({
    answer: (call) => answerTo(call, world, oauth, complaints),
    isSaying: ({ path }) => path.startsWith(api),
  });
  t.after(async () => {
    await server.close();
    assert.deepEqual(complaints, [], "requests that no client may send");
  });
  const refuseNext = (times: number, refusal: GoogleRefusal, headers = {}): void =>
    server.next(...Array.from({ length: times }, () => errorOf(refusal, headers)));
  return {
    ...server,
    oauth,
    primary,
    complaints,
    addCalendar: (given) => void addCalendar(world, given),
    removeCalendar: (id) => void world.calendars.delete(id),
    person: (calendar = primary) => googlePerson(world, calendar),
    forgetTokens() {
      world.epoch += 1;
    },
    overQuota(times, reason = "rateLimitExceeded") {
      const more = { domain: "usageLimits" };
      refuseNext(times, new GoogleRefusal(403, reason, "Rate Limit Exceeded", more));
    },
    tooMany(times, seconds) {
      const more = { domain: "usageLimits" };
      const refusal = new GoogleRefusal(429, "rateLimitExceeded", "Rate Limit Exceeded", more);
      refuseNext(times, refusal, { "retry-after": `${seconds}` });
    },
    writes: () =>
      server.calls.filter(({ path, verb }) => path.startsWith(api) && verb !== "GET").length,
  };
}

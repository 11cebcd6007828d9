import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import {
  busyAheadMs,
  entryId,
  type CalendarService,
  type EntryContent,
  type RemoteEntry,
} from "../../features/calendars/index.ts";
import type { ErrorCode } from "../../platform/errors.ts";
import { calendarServiceSuite } from "../../testing/calendars/conformance.ts";
import { timeText } from "../../testing/calendars/google-event.ts";
import { eventsScope } from "../../testing/calendars/google-oauth.ts";
import {
  googleAccount,
  googleNode,
  googleRig,
  googleService,
} from "../../testing/calendars/google-rig.ts";
import { googleServer, type GoogleServer } from "../../testing/calendars/google-server.ts";
import { calendarSuite } from "../../testing/calendars/suite.ts";

calendarServiceSuite("Google", async (t) => googleService(await googleServer(t)));
calendarSuite(googleRig);

const { signal } = new AbortController();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const id = entryId("calendar", "record");

/** Tomorrow at a whole hour. */
const tomorrow = Math.ceil(Date.now() / hourMs) * hourMs + dayMs;
const content: EntryContent = {
  title: "Pills",
  description: "",
  at: tomorrow,
  zone: "Asia/Seoul",
  minutes: 30,
};

interface Fixture {
  readonly server: GoogleServer;
  readonly service: CalendarService;
}

async function fixture(t: TestContext): Promise<Fixture> {
  const server = await googleServer(t);
  return { server, service: googleNode(server).open(googleAccount(server)) };
}

const at = (moment: number) => ({
  dateTime: timeText(moment, "Asia/Seoul"),
  timeZone: "Asia/Seoul",
});
const meeting = { summary: "Meeting", start: at(tomorrow), end: at(tomorrow + hourMs) };

async function listed(service: CalendarService, token: string | null = null) {
  const changes = await service.changes(token, signal);
  const entries = new Map(changes.entries.map((entry) => [entry.location.remoteId, entry]));
  return { ...changes, entries };
}

async function put(
  service: CalendarService,
  given = content,
  name = id,
): Promise<RemoteEntry["location"]> {
  const written = await service.put({ id: name, content: given, known: null }, signal);
  assert.equal(written.result, "written");
  return written.location;
}

async function failure(doing: Promise<unknown>, code: ErrorCode) {
  const error: unknown = await doing.then(
    () => "it did not fail",
    (thrown: unknown) => thrown,
  );
  const { details, message } = error as { details: Record<string, unknown>; message: string };
  assert.equal((error as { code?: string }).code, code, String(error));
  return { details, message };
}

describe("writing to Google", () => {
  test("keeps what a person added to our event", async (t) => {
    const { server, service } = await fixture(t);
    await put(service);
    server.person().edit(id, { location: "Kitchen", colorId: "5" });
    const { entries } = await listed(service);
    const known = entries.get(id)?.location ?? null;
    const moved = { ...content, at: tomorrow + hourMs, recurrence: "FREQ=DAILY" };
    assert.equal((await service.put({ id, content: moved, known }, signal)).result, "written");
    const [event] = server.person().events();
    assert.deepEqual([event?.location, event?.colorId], ["Kitchen", "5"]);
    assert.deepEqual(event?.recurrence, ["RRULE:FREQ=DAILY"]);
  });

  test("turns a day into a time and back, and a recurring event into one", async (t) => {
    const { server, service } = await fixture(t);
    let known = await put(service, { ...content, recurrence: "FREQ=DAILY" });
    for (const next of [{ ...content, allDay: true, minutes: 1_440 } as const, content]) {
      const written = await service.put({ id, content: next, known }, signal);
      assert.ok(written.result === "written");
      known = written.location;
      assert.deepEqual((await listed(service)).entries.get(id)?.content, next);
    }
    assert.equal(server.person().events().length, 1);
  });

  test("restores an event that was deleted, with the new content and nothing of the old", async (t) => {
    const { server, service } = await fixture(t);
    await put(service);
    server.person().edit(id, { location: "Kitchen" });
    server.person().remove(id);
    await put(service, { ...content, title: "Again" });
    const [event] = server.person().events();
    assert.deepEqual([event?.id, event?.summary, event?.location], [id, "Again", undefined]);
  });

  test("answers with the location that a listing has", async (t) => {
    const { service } = await fixture(t);
    const location = await put(service);
    assert.match(location.url ?? "", /^https:\/\/www\.google\.com\/calendar\/event\?eid=/);
    assert.deepEqual((await listed(service)).entries.get(id)?.location, location);
  });

  test("a creation whose answer was lost is found, and not made twice", async (t) => {
    const { server, service } = await fixture(t);
    server.next("lose");
    const { details } = await failure(put(service), "unavailable");
    assert.equal(details["sent"], true);
    const again = await service.put({ id, content, known: null }, signal);
    assert.equal(again.result, "changed");
    assert.deepEqual("entry" in again && again.entry.content, content);
    assert.equal(server.person().events().length, 1);
  });
});

describe("what others have in a Google calendar", () => {
  test("takes time, by its occurrences in the near future, however it was changed", async (t) => {
    const { server, service } = await fixture(t);
    const person = server.person();
    const single = person.add(meeting);
    const daily = person.add({ ...meeting, recurrence: ["RRULE:FREQ=DAILY;COUNT=3"] });
    const first = await listed(service);
    const span = (from: number) => ({ from, to: from + hourMs });
    const days = [0, 1, 2].map((day) => span(tomorrow + day * dayMs));
    assert.deepEqual(first.entries.get(single)?.busy, [span(tomorrow)]);
    assert.deepEqual(first.entries.get(daily)?.busy, days);
    assert.equal(first.entries.size, 2);
    const moved = { start: at(tomorrow + dayMs + hourMs), end: at(tomorrow + dayMs + 2 * hourMs) };
    person.editOccurrence(daily, tomorrow + dayMs, moved);
    person.editOccurrence(daily, tomorrow + 2 * dayMs, "delete");
    const second = await listed(service, first.token);
    assert.deepEqual([...second.entries.keys()], [daily]);
    const left = [span(tomorrow), span(tomorrow + dayMs + hourMs)];
    assert.deepEqual(second.entries.get(daily)?.busy, left);
    person.remove(daily);
    const third = await listed(service, second.token);
    assert.equal(third.entries.get(daily)?.content, null);
    assert.deepEqual((await listed(service)).entries.get(single)?.busy, [span(tomorrow)]);
  });

  const declined = [
    { email: "mina@example.org", self: true, responseStatus: "declined" as const },
    { email: "jun@example.org", responseStatus: "accepted" as const },
  ];
  const far = tomorrow + busyAheadMs;
  for (const [name, change] of [
    ["is free", { transparency: "transparent" as const }],
    ["was declined", { attendees: declined }],
    ["fills a day", { start: { date: "2099-01-01" }, end: { date: "2099-01-02" } }],
    ["is over", { start: at(tomorrow - 30 * dayMs), end: at(tomorrow - 30 * dayMs + 1_000) }],
    ["is far away", { start: at(far), end: at(far + hourMs) }],
  ] as const) {
    test(`takes no time when it ${name}`, async (t) => {
      const { server, service } = await fixture(t);
      const single = server.person().add({ ...meeting, ...change });
      const { entries } = await listed(service);
      assert.deepEqual(entries.get(single)?.busy, []);
      assert.equal(entries.get(single)?.id, null);
    });
  }

  test("takes no time when it says where somebody works", async (t) => {
    const { server, service } = await fixture(t);
    const office = server.person().add(meeting, "workingLocation");
    assert.deepEqual((await listed(service)).entries.get(office)?.busy, []);
  });

  test("does not include occurrences of our own events, or hide copies of them", async (t) => {
    const { server, service } = await fixture(t);
    const person = server.person();
    await put(service, { ...content, recurrence: "FREQ=DAILY" });
    const { token } = await listed(service);
    person.editOccurrence(id, tomorrow + dayMs, { summary: "Only today" });
    const extendedProperties = { private: { daybook: id } };
    const copy = person.add({ ...meeting, extendedProperties });
    const { entries } = await listed(service, token);
    assert.deepEqual([...entries.keys()], [copy]);
    assert.equal(entries.get(copy)?.id, null);
  });

  test("is never written to", async (t) => {
    const { server, service } = await fixture(t);
    server.person().add(meeting);
    await listed(service);
    assert.equal(server.writes(), 0);
  });
});

test("a calendar of many pages is listed whole", async (t) => {
  const { server, service } = await fixture(t);
  const person = server.person();
  for (let nth = 0; nth < 2_500; nth += 1) person.add(meeting);
  const { entries, isComplete, token } = await listed(service);
  assert.deepEqual([entries.size, isComplete], [2_500, true]);
  const next = await listed(service, token);
  assert.deepEqual([next.entries.size, next.isComplete], [0, false]);
  server.forgetTokens();
  const again = await listed(service, next.token);
  assert.deepEqual([again.entries.size, again.isComplete], [2_500, true]);
  const unreadable = await listed(service, "!!!");
  assert.deepEqual([unreadable.entries.size, unreadable.isComplete], [2_500, true]);
});

describe("access to Google", () => {
  test("is asked for once by calls at the same time, and again before it ends", async (t) => {
    const server = await googleServer(t);
    const node = googleNode(server);
    const account = googleAccount(server);
    const all = [node.open(account), node.open(account), node.open(account)];
    await Promise.all(all.map((each) => listed(each)));
    await listed(node.open(account));
    assert.equal(server.oauth.refreshes, 1);
    await listed(node.open(googleAccount(server)));
    assert.equal(server.oauth.refreshes, 2);
  });

  test("that ended early is asked for again, and nothing is lost", async (t) => {
    const { server, service } = await fixture(t);
    await listed(service);
    server.oauth.expireAccess();
    await put(service);
    assert.equal(server.oauth.refreshes, 2);
    assert.equal(server.person().events().length, 1);
  });

  test("that was withdrawn is an error that says what to do", async (t) => {
    const { server, service } = await fixture(t);
    await listed(service);
    server.oauth.revoke();
    const { message } = await failure(listed(service), "refused");
    const sentence =
      "Google does not accept this login any more (Token has been expired or revoked): run daybook calendar connect google again.";
    assert.equal(message, sentence);
  });

  test("of another client is an error that says what to check", async (t) => {
    const server = await googleServer(t);
    const account = { ...googleAccount(server), clientSecret: { env: "guessed" } };
    const { message } = await failure(listed(googleNode(server).open(account)), "refused");
    assert.match(message, /check the client id and the client secret/);
  });
});

describe("a failure at Google", () => {
  const begun = async (t: TestContext): Promise<Fixture & { known: RemoteEntry["location"] }> => {
    const found = await fixture(t);
    return { ...found, known: await put(found.service) };
  };
  const calls = ({ service }: Fixture, known: RemoteEntry["location"]) => [
    () => service.changes(null, signal),
    () => service.put({ id, content, known }, signal),
    () => service.put({ id: entryId("calendar", "new"), content, known: null }, signal),
    () => service.remove({ id, known }, signal),
  ];

  for (const [name, status, restMs, fault] of [
    ["the quota", 403, 60_000, (server: GoogleServer) => server.overQuota(1)],
    [
      "the quota of a person",
      403,
      60_000,
      (server: GoogleServer) => server.overQuota(1, "userRateLimitExceeded"),
    ],
    ["too many requests", 429, 7_000, (server: GoogleServer) => server.tooMany(1, 7)],
    [
      "an outage",
      503,
      undefined,
      (server: GoogleServer) => server.next({ status: 503, body: "?" }),
    ],
  ] as const) {
    test(`for ${name} rests, and concerns the whole calendar`, async (t) => {
      const found = await begun(t);
      for (const call of calls(found, found.known)) {
        fault(found.server);
        const { details } = await failure(call(), "unavailable");
        assert.deepEqual(
          [details["status"], details["restMs"], details["entry"]],
          [status, restMs, undefined],
        );
      }
      assert.deepEqual((await listed(found.service)).entries.get(id)?.content, content);
    });
  }

  test("about one event leaves the others", async (t) => {
    const { server, service, known } = await begun(t);
    const reject = (status: number, reason: string) =>
      server.next({
        status,
        body: JSON.stringify({ error: { message: "No.", errors: [{ reason }] } }),
      });
    reject(400, "invalid");
    const invalid = await failure(service.put({ id, content, known }, signal), "invalid");
    assert.equal(invalid.details["entry"], true);
    assert.match(invalid.message, /^Google answered 400 \(No\): the event is left as it is\.$/);
    reject(403, "forbiddenForNonOrganizer");
    const refused = await failure(service.remove({ id, known }, signal), "refused");
    assert.equal(refused.details["entry"], true);
    reject(403, "accessNotConfigured");
    const disabled = await failure(service.remove({ id, known }, signal), "refused");
    assert.equal(disabled.details["entry"], undefined);
    assert.match(disabled.message, /check that the Google Calendar API is enabled/);
  });

  test("that leaves an answer without sense is an error, and never an empty calendar", async (t) => {
    const { server, service, known } = await begun(t);
    for (const body of ["", "<html>", "[]", '{"items": "none"}', '{"items": []}']) {
      server.next({ status: 200, body });
      await failure(service.changes(null, signal), "unavailable");
      server.next({ status: 200, body });
      await failure(service.put({ id, content, known }, signal), "unavailable");
    }
  });

  test("to find the calendar is no removal of its entries", async (t) => {
    const { server, service, known } = await begun(t);
    server.removeCalendar(server.primary);
    await failure(service.put({ id, content, known }, signal), "not_found");
    assert.deepEqual(await service.remove({ id, known }, signal), { result: "removed" });
  });
});

describe("choosing a calendar at Google", () => {
  const resolve = async (server: GoogleServer, calendarId: string): Promise<string> => {
    const account = { ...googleAccount(server), calendarId };
    return (await googleNode(server).resolve(account, signal)).calendarId;
  };
  const withTeam = async (t: TestContext): Promise<GoogleServer> => {
    const server = await googleServer(t);
    const zone = { timeZone: "UTC" };
    server.addCalendar({ id: "c_1@group", summary: "Daybook", accessRole: "writer", ...zone });
    server.addCalendar({ id: "c_2@group", summary: "Holidays", accessRole: "reader", ...zone });
    return server;
  };
  test("takes its id, its name, or the account's own", async (t) => {
    const server = await withTeam(t);
    assert.equal(await resolve(server, "primary"), server.primary);
    assert.equal(await resolve(server, "Daybook"), "c_1@group");
    assert.equal(await resolve(server, "c_1@group"), "c_1@group");
  });
  test("says which there are, and which may not be changed", async (t) => {
    const server = await withTeam(t);
    const { message } = await failure(resolve(server, "Work"), "not_found");
    assert.match(
      message,
      /has no calendar "Work": it has "mina@example.org", "Daybook", "Holidays"/,
    );
    await failure(resolve(server, "Holidays"), "refused");
  });
  test("needs the consent to see them", async (t) => {
    const server = await googleServer(t);
    const account = googleAccount(server, server.oauth.grant([eventsScope]));
    const { message } = await failure(googleNode(server).resolve(account, signal), "refused");
    assert.match(message, /run daybook calendar connect google again, and allow everything/);
  });
});

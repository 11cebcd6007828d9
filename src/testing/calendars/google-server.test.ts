import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { describe, test, type TestContext } from "node:test";
import { eventsScope, fullScope, listScope } from "./google-oauth.ts";
import { googleServer, type GoogleServer } from "./google-server.ts";

const id = "0123456789abcdefghijklmnopqrstuv";
const hour = (at: number, date = "2026-03-02") => ({
  dateTime: `${date}T${`${at}`.padStart(2, "0")}:00:00+09:00`,
  timeZone: "Asia/Seoul",
});
const event = { id, summary: "Pills", start: hour(9), end: hour(10) };
const events = "calendars/primary/events";

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  // The fields of many kinds of answers, for assertions.
  readonly body: Record<string, never> & {
    readonly items: readonly Record<string, unknown>[];
    readonly etag: string;
  };
  readonly reason: string | undefined;
}

interface Fixture {
  readonly server: GoogleServer;
  ask(method: string, path: string, body?: object, headers?: object): Promise<Answered>;
  /** A list with these parameters. */
  list(query?: string): Promise<Answered["body"]>;
  advance(ms: number): void;
}

async function fixture(t: TestContext, scopes = [eventsScope, listScope]): Promise<Fixture> {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const server = await googleServer(t, { now: () => now });
  const refresh = server.oauth.grant(scopes);
  const { access_token: token } = (await tokenFor(server, {
    grant_type: "refresh_token",
    refresh_token: refresh,
  })) as { access_token: string };
  const ask: Fixture["ask"] = async (method, path, body, headers) => {
    const response = await fetch(`${server.url}/calendar/v3/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = (text === "" ? {} : JSON.parse(text)) as Answered["body"];
    const { error } = answer as { error?: { errors?: readonly { reason: string }[] } };
    const { status, headers: answered } = response;
    return { status, headers: answered, body: answer, reason: error?.errors?.[0]?.reason };
  };
  return {
    server,
    ask,
    async list(query = "") {
      const { status, body } = await ask("GET", `${events}?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    },
    advance(ms) {
      now += ms;
    },
  };
}

async function tokenFor(server: GoogleServer, form: Record<string, string>): Promise<unknown> {
  const { clientId, clientSecret } = server.oauth;
  const all = { client_id: clientId, client_secret: clientSecret, ...form };
  const response = await fetch(`${server.url}/token`, {
    method: "POST",
    body: new URLSearchParams(all).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  return response.json();
}

const ids = ({ items }: Answered["body"]): readonly unknown[] => items.map((each) => each["id"]);

describe("the fake of Google's calendar", () => {
  test("takes an id once, also after the event was deleted, and restores it by an update", async (t) => {
    const { ask } = await fixture(t);
    assert.equal((await ask("POST", events, event)).status, 200);
    assert.deepEqual(await conflict(ask), [409, "duplicate"]);
    assert.equal((await ask("DELETE", `${events}/${id}`)).status, 204);
    const again = await ask("DELETE", `${events}/${id}`);
    assert.deepEqual([again.status, again.reason], [410, "deleted"]);
    assert.deepEqual(await conflict(ask), [409, "duplicate"]);
    const deleted = await ask("GET", `${events}/${id}`);
    assert.deepEqual([deleted.status, deleted.body["status"]], [200, "cancelled"]);
    const restored = await ask("PUT", `${events}/${id}`, { ...event, status: "confirmed" });
    assert.deepEqual([restored.status, restored.body["summary"]], [200, "Pills"]);
  });

  test("writes only the version that If-Match names", async (t) => {
    const { ask, server } = await fixture(t);
    const { etag } = (await ask("POST", events, event)).body;
    const match = { "if-match": etag };
    server.person().edit(id, { summary: "Theirs" });
    for (const [method, body] of [["PATCH", { summary: "Ours" }], ["PUT", event], ["DELETE"]] as [
      string,
      object?,
    ][]) {
      const { status, reason } = await ask(method, `${events}/${id}`, body, match);
      assert.deepEqual([status, reason], [412, "conditionNotMet"], method);
    }
    const now = await ask("GET", `${events}/${id}`);
    const patched = await ask(
      "PATCH",
      `${events}/${id}`,
      { summary: "Ours", description: null },
      {
        "if-match": now.body.etag,
      },
    );
    assert.deepEqual([patched.status, patched.body["summary"]], [200, "Ours"]);
    assert.notEqual(patched.body.etag, now.body.etag);
  });

  for (const [name, change, reason] of [
    ["a short id", { id: "abcd" }, "invalid"],
    ["an id with a z", { id: "zzzzz" }, "invalid"],
    ["an end before the start", { end: hour(8) }, "timeRangeEmpty"],
    ["a day that ends at an hour", { start: { date: "2026-03-02" } }, "invalid"],
    ["a time without an offset", { start: { dateTime: "2026-03-02T09:00:00" } }, "invalid"],
    ["a zone that does not exist", { start: { ...hour(9), timeZone: "Asia/Nowhere" } }, "invalid"],
    ["a rule without its name", { recurrence: ["FREQ=DAILY"] }, "invalid"],
    [
      "a recurrence without a zone",
      { recurrence: ["RRULE:FREQ=DAILY"], start: { dateTime: hour(9).dateTime } },
      "required",
    ],
    [
      "default reminders with others",
      { reminders: { useDefault: true, overrides: [{ method: "popup", minutes: 0 }] } },
      "invalid",
    ],
    ["a description over the limit", { description: "a".repeat(8_193) }, "invalid"],
    ["a field that it does not have", { title: "Pills" }, "invalid"],
  ] as const) {
    test(`rejects ${name}`, async (t) => {
      const { ask } = await fixture(t);
      const answer = await ask("POST", events, { ...event, ...change });
      assert.deepEqual([answer.status, answer.reason], [400, reason]);
    });
  }

  test("lists in pages, and changes since a token, deleted ones too", async (t) => {
    const { ask, list } = await fixture(t);
    for (const each of ["aaaaa", "bbbbb", "ccccc"])
      await ask("POST", events, { ...event, id: each });
    const first = await list("maxResults=2");
    assert.deepEqual(ids(first), ["aaaaa", "bbbbb"]);
    assert.equal(first["nextSyncToken"], undefined);
    // What changes while the pages are read is listed with the next token.
    await ask("PATCH", `${events}/aaaaa`, { summary: "Changed" });
    const second = await list(`maxResults=2&pageToken=${first["nextPageToken"]}`);
    assert.deepEqual(ids(second), ["ccccc"]);
    assert.equal(second["nextPageToken"], undefined);
    await ask("DELETE", `${events}/bbbbb`);
    const since = await list(`syncToken=${encodeURIComponent(second["nextSyncToken"] ?? "")}`);
    assert.deepEqual(ids(since), ["aaaaa", "bbbbb"]);
    assert.deepEqual(since.items[1]?.["status"], "cancelled");
    assert.equal(since.items[1]?.["summary"], undefined);
    const idle = await list(`syncToken=${encodeURIComponent(since["nextSyncToken"] ?? "")}`);
    assert.deepEqual(ids(idle), []);
    assert.deepEqual(ids(await list()), ["aaaaa", "ccccc"]);
    assert.deepEqual(ids(await list("showDeleted=true")), ["aaaaa", "bbbbb", "ccccc"]);
  });

  test("answers 410 for a forgotten token, and 400 for one with other restrictions", async (t) => {
    const { ask, list, server } = await fixture(t);
    const token = encodeURIComponent((await list())["nextSyncToken"] ?? "");
    for (const more of ["timeMin=2026-03-01T00:00:00Z", "showDeleted=false", "orderBy=updated"]) {
      const { status, reason } = await ask("GET", `${events}?syncToken=${token}&${more}`);
      assert.deepEqual([status, reason], [400, "syncTokenWithRequestRestrictions"], more);
    }
    server.forgetTokens();
    const { status, reason } = await ask("GET", `${events}?syncToken=${token}`);
    assert.deepEqual([status, reason], [410, "fullSyncRequired"]);
  });

  test("expands recurring events in a window, with what was changed by itself", async (t) => {
    const { list, server } = await fixture(t);
    const person = server.person();
    const weekly = { ...event, recurrence: ["RRULE:FREQ=DAILY"] };
    const series = person.add(weekly);
    const [second, third] = [3, 4].map((day) => Date.parse(`2026-03-0${day}T00:00:00Z`));
    person.editOccurrence(series, second ?? 0, {
      summary: "Moved",
      start: hour(20, "2026-03-03"),
      end: hour(21, "2026-03-03"),
    });
    person.editOccurrence(series, third ?? 0, "delete");
    const window = "timeMin=2026-03-02T00:00:00Z&timeMax=2026-03-05T12:00:00Z";
    const { items } = await list(`singleEvents=true&${window}`);
    assert.deepEqual(
      items.map((each) => (each["start"] as { dateTime: string }).dateTime).toSorted(),
      ["2026-03-02T09:00:00+09:00", "2026-03-03T20:00:00+09:00", "2026-03-05T09:00:00+09:00"],
    );
    assert.ok(
      items.every((each) => each["recurringEventId"] === series && !("recurrence" in each)),
    );
    assert.deepEqual(ids(await list()), [
      series,
      `${series}_20260303T000000Z`,
      `${series}_20260304T000000Z`,
    ]);
  });

  test("filters by private properties, and shows the fields that were asked for", async (t) => {
    const { ask, list } = await fixture(t);
    const extendedProperties = { private: { daybook: "a=b" } };
    await ask("POST", events, { ...event, extendedProperties });
    await ask("POST", events, { ...event, id: "other" });
    const query = "privateExtendedProperty=daybook%3Da%3Db";
    assert.deepEqual(ids(await list(query)), [id]);
    const { items, ...rest } = await list("fields=nextSyncToken,items(id,start/dateTime)");
    assert.deepEqual(Object.keys(rest), ["nextSyncToken"]);
    const start = { dateTime: hour(9).dateTime };
    assert.deepEqual(items, [
      { id, start },
      { id: "other", start },
    ]);
  });

  test("rejects an expired access token, and one without the scope", async (t) => {
    const { ask, advance, server } = await fixture(t, [eventsScope]);
    const listing = await ask("GET", "users/me/calendarList");
    assert.deepEqual([listing.status, listing.reason], [403, "insufficientPermissions"]);
    advance(3_600_000);
    const { status, reason } = await ask("GET", `${events}/${id}`);
    assert.deepEqual([status, reason], [401, "authError"]);
    assert.equal(server.oauth.refreshes, 1);
  });

  test("has calendars, and only its writers may write", async (t) => {
    const { ask, server } = await fixture(t, [fullScope]);
    server.addCalendar({ id: "team", summary: "Team", timeZone: "UTC", accessRole: "reader" });
    const refused = await ask("POST", "calendars/team/events", event);
    assert.deepEqual([refused.status, refused.reason], [403, "requiredAccessLevel"]);
    const made = await ask("POST", "calendars", { summary: "Daybook" });
    assert.equal((await ask("GET", `calendars/${made.body["id"]}`)).body["summary"], "Daybook");
    const { items } = (await ask("GET", "users/me/calendarList")).body;
    assert.deepEqual(
      items.map((each) => [each["summary"], each["accessRole"], each["primary"]]),
      [
        [server.primary, "owner", true],
        ["Team", "reader", undefined],
        ["Daybook", "owner", undefined],
      ],
    );
    server.removeCalendar("team");
    assert.equal((await ask("GET", "calendars/team/events")).reason, "notFound");
  });

  test("is over its quota when it is told to be", async (t) => {
    const { ask, server } = await fixture(t);
    server.overQuota(1);
    server.tooMany(1, 7);
    const over = await ask("GET", events);
    assert.deepEqual([over.status, over.reason], [403, "rateLimitExceeded"]);
    const many = await ask("GET", events);
    assert.deepEqual([many.status, many.headers.get("retry-after")], [429, "7"]);
    assert.equal((await ask("GET", events)).status, 200);
  });

  test("complains of what no client may send", async (t) => {
    const { ask, server } = await fixture(t);
    const { id: _id, ...unnamed } = event;
    await ask("POST", events, unnamed);
    await ask("GET", `${events}?singleEvents=true`);
    await ask("GET", `${events}?updatedMin=2026-03-01T00:00:00Z`);
    await ask("POST", `${events}/${id}/move`);
    await ask("GET", "colors");
    await ask("DELETE", `${events}/${id}?sendUpdates=all`);
    assert.equal(server.complaints.length, 6);
    server.complaints.length = 0;
  });
});

async function conflict(ask: Fixture["ask"]): Promise<unknown> {
  const { status, reason } = await ask("POST", events, event);
  return [status, reason];
}

describe("the fake of Google's consent", () => {
  const verifier = randomBytes(32).toString("base64url");
  const redirectUri = "http://127.0.0.1:55123/callback";
  const request = (server: GoogleServer, change: Record<string, string> = {}) => ({
    client_id: server.oauth.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: `${eventsScope} ${listScope}`,
    state: "a state",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent",
    ...change,
  });
  const answer = async (server: GoogleServer, form: Record<string, string>): Promise<URL> => {
    const { headers } = await fetch(`${server.url}/consent`, {
      method: "POST",
      body: new URLSearchParams(form),
      redirect: "manual",
    });
    return new URL(headers.get("location") ?? "");
  };
  const exchange = (server: GoogleServer, code: string, change: Record<string, string> = {}) =>
    tokenFor(server, {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...change,
    }) as Promise<Record<string, string>>;

  test("gives a code that is good once, for the verifier and the address of the request", async (t) => {
    const { server } = await fixture(t);
    const allow = async (): Promise<string> => {
      const form = { ...request(server), granted: eventsScope, answer: "allow" };
      const { searchParams } = await answer(server, form);
      assert.equal(searchParams.get("state"), "a state");
      return searchParams.get("code") ?? "";
    };
    const code = await allow();
    const tokens = await exchange(server, code);
    assert.equal(tokens["scope"], eventsScope);
    assert.ok(tokens["refresh_token"] && tokens["access_token"]);
    assert.equal((await exchange(server, code))["error"], "invalid_grant");
    const other = { code_verifier: randomBytes(32).toString("base64url") };
    assert.equal((await exchange(server, await allow(), other))["error"], "invalid_grant");
    const elsewhere = { redirect_uri: "http://127.0.0.1:1/callback" };
    assert.equal(
      (await exchange(server, await allow(), elsewhere))["error"],
      "redirect_uri_mismatch",
    );
    const wrong = { client_secret: "guessed" };
    assert.equal((await exchange(server, await allow(), wrong))["error"], "invalid_client");
  });

  test("forgets a code after ten minutes, and a grant that was revoked", async (t) => {
    const { server, advance } = await fixture(t);
    const form = { ...request(server), granted: eventsScope, answer: "allow" };
    const code = (await answer(server, form)).searchParams.get("code") ?? "";
    advance(600_000);
    assert.equal((await exchange(server, code))["error"], "invalid_grant");
    const refresh = server.oauth.grant();
    server.oauth.revoke();
    const refused = await tokenFor(server, {
      grant_type: "refresh_token",
      refresh_token: refresh,
    });
    assert.deepEqual(refused, {
      error: "invalid_grant",
      error_description: "Token has been expired or revoked.",
    });
  });

  test("comes back without a code when the person denies", async (t) => {
    const { server } = await fixture(t);
    const form = { ...request(server), granted: eventsScope, answer: "deny" };
    const { searchParams } = await answer(server, form);
    assert.deepEqual(
      [searchParams.get("error"), searchParams.has("code")],
      ["access_denied", false],
    );
  });

  for (const [name, change] of [
    ["another client", { client_id: "somebody" }],
    ["an address elsewhere", { redirect_uri: "https://evil.example/callback" }],
    ["a plain challenge", { code_challenge_method: "plain" }],
    ["no state", { state: "" }],
    ["no refresh token", { access_type: "online" }],
  ] as const) {
    test(`shows no consent for ${name}`, async (t) => {
      const { server } = await fixture(t);
      const query = new URLSearchParams(request(server, change));
      const response = await fetch(`${server.url}/o/oauth2/v2/auth?${query.toString()}`);
      assert.equal(response.status, 400);
      assert.match(await response.text(), /Access blocked/);
    });
  }
});

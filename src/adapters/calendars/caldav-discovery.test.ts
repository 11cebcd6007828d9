import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { caldavOf } from "../../testing/calendars/caldav-rig.ts";
import { type Answer, list, serving } from "../../testing/calendars/scripted-dav.ts";
import { fails, signal } from "../../testing/calendars/service-rig.ts";
import { mayFollow } from "./caldav-client.ts";

const principal = "<d:current-user-principal><d:href>/p/mina/</d:href></d:current-user-principal>";
const home = "<c:calendar-home-set><d:href>/cal/mina/</d:href></c:calendar-home-set>";

function calendar(name: string, more = ""): string {
  return `<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>${name}</d:displayname>${more}`;
}

/** A server that knows the principal at one path, and these calendars. */
function account(start: string, calendars: Readonly<Record<string, string>>): Answer {
  const all = Object.entries(calendars).map(([href, props]) => ({ href, props }));
  return ({ method, path }) => {
    if (method !== "PROPFIND") return { status: 405 };
    if (path === start) return list([{ href: path, props: principal }]);
    if (path === "/p/mina/") return list([{ href: path, props: home }]);
    if (path === "/cal/mina/") {
      return list([
        { href: path, props: "<d:resourcetype><d:collection/></d:resourcetype>" },
        ...all,
      ]);
    }
    const own = all.filter(({ href }) => href === path);
    return own.length > 0 ? list(own) : { status: 404 };
  };
}

/** Without a name, the calendar is given as `create` gives it. */
function resolve(url: string, wanted = url) {
  const given = { url, collection: wanted, username: "mina", password: { env: "P" } };
  return caldavOf(url, "pass").resolve({ type: "caldav", ...given }, signal);
}

const events =
  '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>';
const tasks =
  '<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>';
const readable =
  "<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>";

describe("a calendar is found", () => {
  for (const start of ["/.well-known/caldav", "/"]) {
    test(`from a bare URL by ${start}`, async (t) => {
      const mine = {
        "/cal/mina/home/": calendar("Home", events),
        "/cal/mina/t/": calendar("Tasks", tasks),
      };
      const { url, asked } = await serving(t, account(start, mine));
      const found = await resolve(url);
      assert.equal(found.collection, `${url}/cal/mina/home/`);
      assert.equal(found.url, url);
      const login = `Basic ${Buffer.from("mina:pass").toString("base64")}`;
      assert.ok(asked.every((each) => each.login === login));
    });
  }
  test("after redirects of the same server", async (t) => {
    const known = account("/dav/", { "/cal/mina/home/": calendar("Home") });
    const { url } = await serving(t, (asked) =>
      asked.path === "/.well-known/caldav"
        ? { status: 301, headers: { location: "/dav/" } }
        : known(asked),
    );
    assert.equal((await resolve(url)).collection, `${url}/cal/mina/home/`);
  });
  test("by its own URL, also where the account has several", async (t) => {
    const two = { "/cal/mina/a/": calendar("A"), "/cal/mina/b/": calendar("B") };
    const { url } = await serving(t, account("/", two));
    assert.equal((await resolve(`${url}/cal/mina/b/`)).collection, `${url}/cal/mina/b/`);
  });
  test("by its name, the end of its path or its URL", async (t) => {
    const two = { "/cal/mina/a%20b/": calendar("집"), "/cal/mina/c/": calendar("Work") };
    const { url } = await serving(t, account("/", two));
    for (const wanted of ["집", "a b", "/cal/mina/a%20b", `${url}/cal/mina/a%20b/`]) {
      assert.equal((await resolve(url, wanted)).collection, `${url}/cal/mina/a%20b/`, wanted);
    }
  });
  test("among calendars that may not be written", async (t) => {
    const two = {
      "/cal/mina/a/": calendar("Holidays", readable),
      "/cal/mina/b/": calendar("Mine"),
    };
    const { url } = await serving(t, account("/", two));
    assert.equal((await resolve(url)).collection, `${url}/cal/mina/b/`);
    const error = await fails(resolve(url, "Holidays"), "refused");
    assert.match(error.message, /may not write to "Holidays"/);
  });
});

describe("a calendar that is not found is an error", () => {
  test("with the names of those that are there", async (t) => {
    const two = { "/cal/mina/a/": calendar("Home"), "/cal/mina/b/": calendar("Work") };
    const { url } = await serving(t, account("/", two));
    const several = await fails(resolve(url), "invalid");
    assert.match(several.message, /several calendars: "Home", "Work"\. Name one/);
    const other = await fails(resolve(url, "Garden"), "not_found");
    assert.match(other.message, /no calendar "Garden"\. It has "Home", "Work"\.$/);
  });
  test("where the account has none for events", async (t) => {
    const { url } = await serving(t, account("/", { "/cal/mina/t/": calendar("Tasks", tasks) }));
    assert.match(
      (await fails(resolve(url), "not_found")).message,
      /no calendar for events: make one/,
    );
  });
  test("where no server speaks CalDAV", async (t) => {
    const { url } = await serving(t, () => ({ status: 404 }));
    assert.match((await fails(resolve(url), "not_found")).message, /no CalDAV server at/);
    const page = await serving(t, () => ({
      status: 200,
      headers: { "content-type": "text/html" },
      body: "<p>Hi",
    }));
    await fails(resolve(page.url), "unavailable");
  });
  test("where the login is rejected, and what to do", async (t) => {
    const { url } = await serving(t, () => ({ status: 401 }));
    const error = await fails(resolve(url), "refused");
    assert.match(error.message, /user name or the password: check both.*app password/);
    assert.doesNotMatch(error.message, /pass\b(?!word)/);
  });
  test("where a server redirects without end", async (t) => {
    const { url, asked } = await serving(t, () => ({
      status: 302,
      headers: { location: "/again" },
    }));
    await fails(resolve(url), "unavailable");
    assert.ok(asked.length <= 18, `${asked.length} requests`);
  });
});

test("the login is not sent to another host that a server names", async (t) => {
  const thief = await serving(t, () => ({ status: 404 }));
  const { url } = await serving(t, () => ({
    status: 302,
    headers: { location: `${thief.url}/x` },
  }));
  await fails(resolve(url), "not_found");
  const named = await serving(t, () =>
    list([{ href: "/", props: principal.replace("/p/mina/", `${thief.url}/p/`) }]),
  );
  await fails(resolve(named.url), "not_found");
  assert.deepEqual(thief.asked, []);
});

test("a login may follow to hosts of the same site, by https alone", () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ["https://caldav.icloud.com/", "https://p34-caldav.icloud.com:443/x", true],
    ["https://fastmail.com/", "https://caldav.fastmail.com/x", true],
    ["http://mine.example/", "https://mine.example/x", true],
    ["https://mine.example/", "http://mine.example/x", false],
    ["https://mine.example/", "https://other.example/", false],
    ["https://caldav.icloud.com/", "https://icloud.com.evil.example/", false],
    ["https://caldav.icloud.com/", "https://evilicloud.com/", false],
    ["https://10.0.0.1/", "https://9.0.0.1/", false],
    ["https://[::1]/", "https://[::2]/", false],
  ];
  for (const [from, to, expected] of table) {
    assert.equal(mayFollow(new URL(from), new URL(to)), expected, `${from} ${to}`);
  }
});

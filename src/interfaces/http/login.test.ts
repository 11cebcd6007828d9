import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { httpFixture, type Answer, type HttpFixture } from "../../../test/http-fixture.ts";
import type { Caller } from "../../kernel/operation.ts";

const minutes = 60_000;

function cookieOf({ headers }: Answer): string {
  return (headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

/** Opens a link, as a browser does: no token. */
function open(fixture: HttpFixture, code: string, headers = {}): Promise<Answer> {
  return fixture.ask(`/login?code=${code}`, { token: null, headers });
}

function writer(owner: string): Caller {
  return { owner, by: `${owner}-in-a-browser`, scopes: ["read", "write"], origin: null };
}

async function note(fixture: HttpFixture, message: string): Promise<void> {
  const { status } = await fixture.ask("/v1/notes", { method: "POST", body: { message } });
  assert.equal(status, 201);
}

describe("a login link", () => {
  test("lets a browser in, with a cookie that no page can read or send from elsewhere", async (t) => {
    const fixture = await httpFixture(t);
    await note(fixture, "buy milk");
    const page = await open(fixture, fixture.login.issue());
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(page.text, /<h2>What waits<\/h2>\n<pre>buy milk<\/pre>/);
    assert.match(
      page.headers.get("set-cookie") ?? "",
      /^daybook_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    const cookie = cookieOf(page);
    const list = await fixture.ask("/v1/notes", { token: null, headers: { cookie } });
    assert.equal(list.status, 200);
    const again = await fixture.ask("/login", { token: null, headers: { cookie } });
    assert.match(again.text, /buy milk/);
  });
  test("works once", async (t) => {
    const fixture = await httpFixture(t);
    const code = fixture.login.issue();
    assert.equal((await open(fixture, code)).status, 200);
    const second = await open(fixture, code);
    assert.deepEqual([second.status, second.headers.get("set-cookie")], [401, null]);
    assert.match(second.text, /used already or is too old\. [^<]+<\/p>\n<pre>daybook login<\/pre>/);
  });
  test("works for ten minutes", async (t) => {
    const fixture = await httpFixture(t);
    const [early, late] = [fixture.login.issue(), fixture.login.issue()];
    fixture.clock.advance(10 * minutes - 1);
    assert.equal((await open(fixture, early)).status, 200);
    fixture.clock.advance(1);
    assert.equal((await open(fixture, late)).status, 401);
  });
  test("is not used up by a look ahead", async (t) => {
    const fixture = await httpFixture(t);
    const code = fixture.login.issue();
    const head = await fixture.ask(`/login?code=${code}`, { method: "HEAD", token: null });
    assert.equal(head.status, 405);
    assert.equal((await open(fixture, code)).status, 200);
  });
  test("may be guessed a few times, then guesses have to wait", async (t) => {
    const fixture = await httpFixture(t);
    for (let wrong = 0; wrong < 10; wrong += 1) {
      assert.equal((await open(fixture, `wrong${wrong}`)).status, 401);
    }
    assert.equal((await open(fixture, "wrong")).status, 429);
    fixture.clock.advance(6_000);
    assert.deepEqual(
      [(await open(fixture, "wrong")).status, (await open(fixture, "wrong")).status],
      [401, 429],
    );
  });
  test("the limit counts per credential and path, and a correct code or token always gets through", async (t) => {
    const fixture = await httpFixture(t);
    const statuses = new Set<number>();
    for (let wrong = 0; wrong < 200; wrong += 1) {
      statuses.add((await fixture.ask("/v1/notes", { token: `wrong${wrong}` })).status);
    }
    assert.deepEqual([...statuses], [401, 429]);
    assert.equal((await open(fixture, "wrong")).status, 401, "tokens use up no guess of a code");
    for (let wrong = 0; wrong < 20; wrong += 1) await open(fixture, `wrong${wrong}`);
    assert.equal((await open(fixture, "wrong")).status, 429);
    assert.equal((await open(fixture, fixture.login.issue())).status, 200);
    assert.equal((await fixture.ask("/v1/notes")).status, 200);
  });
  test("shows its owner's notes alone, as text and never as markup", async (t) => {
    const fixture = await httpFixture(t);
    await note(fixture, "<script>alert(1)</script> & \u001B[2J");
    const page = await open(fixture, fixture.login.issue());
    assert.match(page.text, /&lt;script&gt;alert\(1\)&lt;\/script&gt; &amp; �\[2J/);
    assert.doesNotMatch(page.text, /<script/);
    const other = await open(fixture, fixture.login.issue(writer("jun")));
    assert.match(other.text, /<pre>no notes<\/pre>/);
  });
  test("is not needed by whoever opens the address with a session, and is explained without", async (t) => {
    const fixture = await httpFixture(t);
    await note(fixture, "buy milk");
    const accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8";
    const home = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      fixture.ask("/", { token: null, headers: { accept, ...headers } });
    const stranger = await home({});
    assert.equal(stranger.status, 401);
    assert.match(stranger.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(stranger.text, /You are not signed in\. [^<]+<\/p>\n<pre>daybook login<\/pre>/);
    assert.match((await home({ "accept-language": "ko" })).text, /로그인하지 않았습니다/);
    const cookie = cookieOf(await open(fixture, fixture.login.issue()));
    const known = await home({ cookie });
    assert.deepEqual([known.status, /<pre>buy milk<\/pre>/.test(known.text)], [200, true]);
    const program = await fixture.ask("/", { token: null });
    assert.match(program.headers.get("content-type") ?? "", /^application\/problem\+json/);
  });
  const languages: [header: string, language: string][] = [
    ["ko-KR,ko;q=0.9,en;q=0.8", "ko"],
    ["en;q=0.5, ko;q=0.9", "ko"],
    ["en-US,en;q=0.9,ko;q=0.8", "en"],
    ["ko;q=0", "en"],
    ["fr", "en"],
    ["", "en"],
  ];
  for (const [header, language] of languages) {
    test(`speaks ${language} to a browser that likes "${header}"`, async (t) => {
      const fixture = await httpFixture(t);
      const page = await open(fixture, fixture.login.issue(), { "accept-language": header });
      assert.match(page.text, language === "ko" ? /대기 중인 알림/ : /What waits/);
      assert.equal(page.headers.get("content-language"), language);
    });
  }
});

describe("a browser that is in", () => {
  async function enter(fixture: HttpFixture): Promise<string> {
    return cookieOf(await open(fixture, fixture.login.issue(writer("mina"))));
  }
  const sites: [name: string, headers: (url: string) => Record<string, string>, status: number][] =
    [
      ["from our own page", (url) => ({ origin: url }), 201],
      ["from nowhere", () => ({}), 403],
      ["from another site", () => ({ origin: "https://evil.example" }), 403],
      ["from another port", () => ({ origin: "http://127.0.0.1:1" }), 403],
      ["from a hidden origin", () => ({ origin: "null" }), 403],
      ["from our page by another", (url) => ({ origin: url, "sec-fetch-site": "same-site" }), 403],
    ];
  for (const [name, headers, status] of sites) {
    test(`that writes ${name} gets ${status}`, async (t) => {
      const fixture = await httpFixture(t);
      const cookie = await enter(fixture);
      const answer = await fixture.ask("/v1/notes", {
        method: "POST",
        token: null,
        body: { message: "a" },
        headers: { cookie, ...headers(fixture.url) },
      });
      assert.equal(answer.status, status, answer.text);
    });
  }
  test("is out after twelve idle hours, and not before", async (t) => {
    const fixture = await httpFixture(t);
    const headers = { cookie: await enter(fixture) };
    const look = async () => (await fixture.ask("/v1/notes", { token: null, headers })).status;
    for (const ms of [12 * 60 * minutes, 12 * 60 * minutes]) {
      fixture.clock.advance(ms);
      assert.equal(await look(), 200);
    }
    fixture.clock.advance(12 * 60 * minutes + 1);
    assert.equal(await look(), 401);
  });
  test("that logs in again has one cookie: the old one is worth nothing", async (t) => {
    const fixture = await httpFixture(t);
    const old = await enter(fixture);
    const next = cookieOf(await open(fixture, fixture.login.issue(), { cookie: old }));
    const status = async (cookie: string) =>
      (await fixture.ask("/v1/notes", { token: null, headers: { cookie } })).status;
    assert.deepEqual([await status(old), await status(next)], [401, 200]);
  });
  test("that sends a wrong token besides is refused", async (t) => {
    const fixture = await httpFixture(t);
    const headers = { cookie: await enter(fixture) };
    assert.equal((await fixture.ask("/v1/notes", { token: "wrong", headers })).status, 401);
  });
  test("by a link of somebody with a token is out as soon as that token is revoked", async (t) => {
    const fixture = await httpFixture(t);
    const mina = { ...writer("mina"), token: "mina" };
    const headers = { cookie: cookieOf(await open(fixture, fixture.login.issue(mina))) };
    const unused = fixture.login.issue(mina);
    const statuses = async (): Promise<number[]> => [
      (await fixture.ask("/v1/notes", { token: null, headers })).status,
      (await fixture.ask("/login", { token: null, headers })).status,
    ];
    assert.deepEqual(await statuses(), [200, 200]);
    fixture.people.delete("mina");
    assert.deepEqual(await statuses(), [401, 401]);
    const late = await open(fixture, unused);
    assert.deepEqual([late.status, late.headers.get("set-cookie")], [401, null]);
  });
  test("behind a proxy that speaks https gets a cookie for https alone", async (t) => {
    const fixture = await httpFixture(t);
    const page = await open(fixture, fixture.login.issue(), { "x-forwarded-proto": "https" });
    assert.match(page.headers.get("set-cookie") ?? "", /; Secure$/);
  });
});

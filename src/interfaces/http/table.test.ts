import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { httpFixture, type Answer, type HttpFixture } from "../../../test/http-fixture.ts";
import {
  inputs,
  made,
  madeOfEveryKind,
  madeToRun,
  madeUntilDone,
  nobody,
} from "../../../test/http-records.ts";
import { minaAt, questioned } from "../../../test/when-records.ts";
import { table } from "../../features/index.ts";
import { scopes } from "../../kernel/scope.ts";
import { routeOf } from "./route.ts";

function fixture(...given: Parameters<typeof httpFixture>): Promise<HttpFixture> {
  const [t, change = {}] = given;
  return httpFixture(t, { operations: table, ...change });
}

function asker(
  at: HttpFixture,
  name: string,
  token: string | null,
): (id: string) => Promise<Answer> {
  const { route } = table.find((each) => each.name === name) ?? assert.fail(name);
  const { method, path } = route;
  const body = method === "GET" || method === "DELETE" ? {} : { body: inputs[name] ?? {} };
  return (id) => at.ask(path.replaceAll(/\{\w+\}/g, id), { method, token, ...body });
}

/** The answer without what differs from request to request. */
function core({ status, json }: Answer, id: string): string {
  return JSON.stringify([status, { ...json, request_id: "" }]).replaceAll(id, "ID");
}

describe("every operation there is", () => {
  for (const { name, scope } of table) {
    test(`${name} is closed to nobody, a wrong token and a token without its scope`, async (t) => {
      const at = await fixture(t);
      const others = scopes.filter((each) => each !== scope && each !== "admin");
      at.people.set("low", { owner: "mina", by: "low", scopes: others, origin: null });
      const status = async (token: string | null) => (await asker(at, name, token)(nobody)).status;
      assert.deepEqual(
        [await status(null), await status("wrong"), await status("low")],
        [401, 401, 403],
      );
    });
  }

  // What is put under an id of one's own choice is made when it is not there, in one's own book.
  const withId = table.filter(
    (each) => routeOf(each).params.length > 0 && each.scope !== "admin" && each.name !== "put_page",
  );
  test("there are some that name a record", () => {
    assert.ok(withId.length >= 5);
  });
  for (const { name } of withId) {
    test(`${name} cannot tell another owner's record from one that never was`, async (t) => {
      const at = await fixture(t);
      const foreign = await madeOfEveryKind(at);
      const before = await at.ledger.of("mina", "x").changes({});
      const ask = asker(at, name, "jun");
      const unknown = await ask(nobody);
      assert.equal(unknown.status, 404, unknown.text);
      for (const id of foreign) assert.equal(core(await ask(id), id), core(unknown, nobody));
      const after = await at.ledger.of("mina", "x").changes({});
      assert.deepEqual(after.changes, before.changes);
    });
  }
  for (const { name, route } of table.filter((each) => each.effect === "none")) {
    test(`${name} writes nothing`, async (t) => {
      const at = await fixture(t);
      at.people.set("all", { owner: "mina", by: "all", scopes: ["admin"], origin: null });
      const id = await made(at, "/v1/notifications", { message: "secret", at: "+1h" });
      const [schedules, runs] = await madeToRun(at);
      const [nags, pages] = await madeUntilDone(at);
      const events = await made(at, "/v1/events", { type: "jira.ticket.assigned" });
      const workspaces = await made(at, "/v1/workspaces", { name: "scratch" });
      const calendars = await made(at, "/v1/calendars", { kind: "ics" });
      const { question: questions } = await questioned(minaAt(at));
      const before = await at.ledger.of("mina", "x").changes({});
      const [, sort = ""] = /^\/v1\/(\w+)\//.exec(route.path) ?? [];
      const named = new Map(
        Object.entries({ schedules, runs, nags, pages, events, questions, workspaces, calendars }),
      ).get(sort);
      const { status, text } = await asker(at, name, "all")(named ?? id);
      assert.equal(status, 200, text);
      assert.deepEqual(await at.ledger.of("mina", "x").changes({}), before);
    });
  }
});

test("a reminder is asked, found, changed and taken back over HTTP", async (t) => {
  const at = await fixture(t);
  const headers = { "idempotency-key": "standup" };
  const body = { message: "stand-up", at: "+30m" };
  const first = await at.ask("/v1/notifications", { method: "POST", body, headers });
  const again = await at.ask("/v1/notifications", { method: "POST", body, headers });
  assert.deepEqual([first.status, again.status], [201, 200]);
  const path = first.headers.get("location") ?? "";
  assert.equal(path, `/v1/notifications/${String(again.json["id"])}`);
  const read = await at.ask(path);
  const etag = read.headers.get("etag") ?? "";
  assert.equal(etag, '"1"');
  const change = { method: "PATCH", body: { message: "sit-down" }, headers: { "if-match": etag } };
  assert.equal((await at.ask(path, change)).status, 200);
  assert.equal((await at.ask(path, change)).status, 412);
  const list = await at.ask("/v1/notifications");
  assert.match(list.text, /sit-down/);
  assert.equal((await at.ask(`${path}/cancel`, { method: "POST" })).status, 200);
  assert.equal((await at.ask(path, { ...change, headers: {} })).status, 409);
});

test("a schedule is made, found, changed, run and taken back over HTTP", async (t) => {
  const at = await fixture(t);
  const body = {
    name: "tidy",
    when: "every weekday 9am",
    run: { task: "tidy", input: { deep: true } },
  };
  const headers = { "idempotency-key": "tidy" };
  const first = await at.ask("/v1/schedules", { method: "POST", body, headers });
  const again = await at.ask("/v1/schedules", { method: "POST", body, headers });
  assert.deepEqual([first.status, again.status], [201, 200], again.text);
  assert.equal((first.json["next"] as unknown[]).length, 5);
  const path = first.headers.get("location") ?? "";
  assert.equal(path, `/v1/schedules/${String(first.json["id"])}`);
  const etag = (await at.ask(path)).headers.get("etag") ?? "";
  const change = { method: "PATCH", body: { notify: "never" }, headers: { "if-match": etag } };
  assert.deepEqual(
    [(await at.ask(path, change)).status, (await at.ask(path, change)).status],
    [200, 412],
  );
  for (const step of ["pause", "resume"]) {
    assert.equal((await at.ask(`/v1/schedules/tidy/${step}`, { method: "POST" })).status, 200);
  }
  const run = await at.ask(`${path}/run`, { method: "POST" });
  assert.equal(run.status, 201);
  assert.equal((await at.ask(`${path}/run`, { method: "POST" })).status, 409);
  const runs = await at.ask(`${path}/runs?limit=20`);
  assert.match(runs.text, new RegExp(String(run.json["id"])));
  const output = await at.ask(`/v1/runs/${String(run.json["id"])}/output?offset=0&max_chars=200`);
  assert.deepEqual([output.status, output.json["message"]], [200, "no output stored for this run"]);
  const found = await at.ask("/v1/schedules?name=TID&cadence_type=cron&limit=1");
  assert.equal(found.json["total"], 1);
  assert.equal((await at.ask(path, { method: "DELETE" })).status, 200);
  assert.equal((await at.ask(path, { ...change, headers: {} })).status, 409);
  const wrong = { ...body, run: { command: ["ls"] } };
  const refused = await at.ask("/v1/schedules", { method: "POST", body: wrong });
  assert.deepEqual([refused.status, refused.json["code"]], [403, "refused"]);
  const bad = { ...body, cadence: { type: "cron", expression: 7 } };
  const invalid = await at.ask("/v1/schedules", { method: "POST", body: bad });
  assert.equal(invalid.status, 422);
  assert.match(invalid.text, /cadence\.expression/);
});

test("a webhook and a token that are asked for again with their key are the same", async (t) => {
  const at = await fixture(t);
  at.people.set("root", { owner: "mina", by: "root", scopes: ["admin"], origin: null });
  const headers = { "idempotency-key": "once" };
  const asked = [
    ["/v1/webhooks", { url: "https://example.com/hook" }],
    ["/v1/tokens", { name: "laptop" }],
  ] as const;
  for (const [path, body] of asked) {
    const init = { method: "POST", body, headers, token: "root" };
    const [first, again] = [await at.ask(path, init), await at.ask(path, init)];
    assert.deepEqual([first.status, again.status], [201, 200], again.text);
    assert.equal(again.json["id"], first.json["id"]);
    const other = await at.ask(path, { ...init, body: { ...body, name: "other" } });
    assert.deepEqual([other.status, other.json["code"]], [409, "conflict"]);
  }
});

test("a login page shows what comes next", async (t) => {
  const at = await fixture(t);
  await made(at, "/v1/notifications", { message: "stand-up", at: "+30m" });
  const headers = { "accept-language": "ko" };
  const { text } = await at.ask(`/login?code=${at.login.issue()}`, { token: null, headers });
  assert.match(text, /<h2>예정된 일<\/h2>\n<pre>.*stand-up/);
  assert.match(text, /<h2>대기 중인 알림<\/h2>\n<pre>.*stand-up/);
});

describe("a path that an operation had before", () => {
  for (const { name, route } of table) {
    const { method, path, oldPath } = route;
    if (oldPath === undefined) continue;
    test(`${oldPath} is answered as ${path}`, async (t) => {
      const at = await fixture(t);
      const ask = async (template: string): Promise<string> => {
        const body = inputs[name] ?? {};
        return core(await at.ask(template.replace("{id}", nobody), { method, body }), nobody);
      };
      const now = await ask(path);
      assert.match(now, /^\[404,.*There is no event, task or message/);
      assert.equal(await ask(oldPath), now);
    });
  }
});

import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { httpFixture, type Answer, type HttpFixture } from "../../../test/http-fixture.ts";
import type { Events } from "../../kernel/events.ts";
import { is } from "../../kernel/kind.ts";
import { provide } from "../../kernel/port.ts";
import { bus } from "../../platform/event-bus.ts";
import { systemRandom } from "../../platform/random.ts";
import { plainProfile } from "../accounts/profile.ts";
import { table } from "../index.ts";
import { notificationKind } from "../notifications/kind.ts";
import { nagController } from "./controller.ts";
import { nagKind } from "./kind.ts";
import { pageRecordId } from "./page.ts";
import { passOver, type Pass } from "./pass.ts";
import { nagPass } from "./ports.ts";

const register = "/api/reminder/register-by-page";
const schedule = "/api/reminder/schedule/v2";
const page = { page_id: "p1", title: "Trip", body: "<p>Book it</p>" };

async function fixture(t: TestContext): Promise<HttpFixture> {
  let pass: Pass = () => Promise.reject(new Error("not yet"));
  const passed = provide(nagPass, () => (limit: number) => pass(limit));
  const at = await httpFixture(t, { operations: table }, passed);
  const { ledger, clock } = at;
  const profile = () => Promise.resolve(plainProfile);
  const ports = { work: ledger.work, clock, random: systemRandom(), events: bus<Events>() };
  pass = passOver(nagController({ ledger, profile }), ports, { holder: "cron" });
  at.people.set("cron", { owner: "ops", by: "cron", scopes: ["cron"], origin: null });
  at.people.set("root", { owner: "ops", by: "root", scopes: ["admin"], origin: null });
  return at;
}

function asks(at: HttpFixture): (body: unknown, token?: string | null) => Promise<Answer> {
  return (body, token = "mina") => at.ask(register, { method: "POST", body, token });
}

function data({ json }: Answer): Readonly<Record<string, unknown>> {
  return json["data"] as Readonly<Record<string, unknown>>;
}

/** Every answer has this form, and names the request as its header does. */
function checkForm({ status, json, headers }: Answer): void {
  const names = status === 200 ? ["data"] : ["errorCode"];
  assert.deepEqual(
    Object.keys(json).toSorted(),
    [...names, "message", "meta", "status"].toSorted(),
  );
  assert.equal(json["status"], status);
  assert.deepEqual(json["meta"], { requestId: headers.get("x-request-id") });
  assert.match(headers.get("content-type") ?? "", /^application\/json/);
}

async function changesOf({ ledger }: HttpFixture, owner = "mina"): Promise<number> {
  return (await ledger.of(owner, "x").changes({ limit: 500 })).changes.length;
}

describe("registering by page", () => {
  test("makes the page and what is said of it: due now, the first one next", async (t) => {
    const at = await fixture(t);
    const answer = await asks(at)(page);
    assert.equal(answer.status, 200, answer.text);
    checkForm(answer);
    const now = new Date(at.clock.wall()).toISOString().replace(".000", "");
    const { id, ...rest } = data(answer);
    assert.deepEqual(rest, { success: true, next_alarm_time: now, sent_count: 1 });
    const nag = await at.ask(`/v1/nags/${String(id)}`);
    assert.equal(nag.json["title"], "Trip");
  });
  test("again is the same one, due now, and what was said stays counted", async (t) => {
    const at = await fixture(t);
    const first = data(await asks(at)(page));
    const book = at.ledger.of("mina", "x");
    const nag = await book.get(String(first["id"]));
    assert.ok(is(nagKind, nag) && nag.outcome);
    const outcome = { ...nag.outcome, count: 5, nextAt: at.clock.wall() + 9e8 };
    await book.edit({ kind: "nag", id: nag.id, outcome, wakeAt: outcome.nextAt });
    at.clock.advance(60_000);
    const again = await asks(at)({ page_id: "p1" });
    const now = new Date(at.clock.wall()).toISOString().replace(".000", "");
    assert.deepEqual(data(again), {
      success: true,
      id: first["id"],
      next_alarm_time: now,
      sent_count: 5,
    });
    await asks(at)({ ...page, title: "New" });
    const kept = await book.get(pageRecordId("mina", "p1"));
    assert.deepEqual(kept?.body, { pageId: "p1", title: "New", body: page.body });
  });
  test("asked ten times at once makes one", async (t) => {
    const at = await fixture(t);
    const answers = await Promise.all(Array.from({ length: 10 }, () => asks(at)(page)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    );
    assert.equal(new Set(answers.map((answer) => data(answer)["id"])).size, 1);
  });
  test("is said in the zone that was named", async (t) => {
    const at = await fixture(t);
    const { id } = data(await asks(at)({ ...page, timezone: "Europe/Paris" }));
    const nag = await at.ledger.of("mina", "x").get(String(id));
    assert.equal(is(nagKind, nag) ? nag.body.zone : undefined, "Europe/Paris");
  });
  const wrong: readonly [title: string, body: unknown, status: number, code: string][] = [
    ["no page_id", {}, 400, "INVALID_REQUEST"],
    ["an empty page_id", { page_id: "" }, 400, "INVALID_REQUEST"],
    ["a page_id that is no text", { page_id: 7 }, 400, "INVALID_REQUEST"],
    ["a page_id that is too long", { ...page, page_id: "x".repeat(201) }, 400, "INVALID_REQUEST"],
    ["no JSON", "{", 400, "INVALID_REQUEST"],
    ["a list", [page], 400, "INVALID_REQUEST"],
    ["a title that is no text", { ...page, title: 7 }, 400, "INVALID_REQUEST"],
    ["a zone that is none", { ...page, timezone: "Mars/Base" }, 400, "INVALID_REQUEST"],
  ];
  for (const [title, body, status, code] of wrong) {
    test(`with ${title} is ${status} ${code}, and nothing is written`, async (t) => {
      const at = await fixture(t);
      const answer = await asks(at)(body);
      assert.deepEqual([answer.status, answer.json["errorCode"]], [status, code], answer.text);
      checkForm(answer);
      assert.equal(await changesOf(at), 0);
    });
  }
  test("by nobody is 401, but first it must be understood; by who may only read, 403", async (t) => {
    const at = await fixture(t);
    const answers = [
      await asks(at)({}, null),
      await asks(at)(page, null),
      await asks(at)(page, "wrong"),
      await asks(at)(page, "mina-reads"),
    ];
    for (const each of answers) checkForm(each);
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json["errorCode"]]),
      [
        [400, "INVALID_REQUEST"],
        [401, "UNAUTHORIZED"],
        [401, "UNAUTHORIZED"],
        [403, "FORBIDDEN"],
      ],
    );
    assert.match(answers[1]?.headers.get("www-authenticate") ?? "", /Bearer/);
    assert.equal(await changesOf(at), 0);
  });
  test("of another's page is as of one that never was", async (t) => {
    const at = await fixture(t);
    const { id } = data(await asks(at)(page));
    const foreign = await asks(at)({ page_id: "p1" }, "jun");
    assert.equal(foreign.status, 200);
    assert.notEqual(data(foreign)["id"], id);
    const shown = await at.ask(`/v1/nags/${String(data(foreign)["id"])}`, { token: "jun" });
    assert.equal(shown.json["title"], "p1", "without the words of the other page");
  });
  test("cuts: `title`, `body` (최대 2000자)", async (t) => {
    const at = await fixture(t);
    const long = { page_id: "p1", title: "t".repeat(2_001), body: "b".repeat(100_001) };
    assert.equal((await asks(at)(long)).status, 200);
    await at.ask(schedule, { token: "cron" });
    const sent = await at.ledger.of("mina", "x").list({ kind: notificationKind });
    assert.deepEqual(
      sent.records.map(({ body }) => body.message),
      [`${"t".repeat(2_000)}\n${"b".repeat(2_000)}`],
    );
  });
  test("of an unknown page: `next_alarm_time = now` (즉시 발송 대상), `sent_count = 1`로 초기화 (이미 존재하면 유지)", async (t) => {
    const at = await fixture(t);
    const first = await asks(at)({ page_id: "p1" });
    assert.equal(first.status, 200, first.text);
    const now = new Date(at.clock.wall()).toISOString().replace(".000", "");
    const { id } = data(first);
    assert.deepEqual(data(first), { success: true, id, next_alarm_time: now, sent_count: 1 });
    const again = data(await asks(at)({ page_id: "p1" }));
    assert.deepEqual([again["id"], again["sent_count"]], [id, 1]);
    await at.ask(schedule, { token: "cron" });
    const book = at.ledger.of("mina", "x");
    assert.deepEqual((await book.list({ kind: notificationKind })).records, [], "it has no words");
    const waits = await at.ask(`/v1/nags/${String(id)}`);
    assert.equal(waits.json["state"], "active");
    assert.match(String(waits.json["reason"]), /page/);
    const pulled = await at.ask("/v1/sync/pull");
    const { page: pages } = pulled.json["changes"] as { page: { created: unknown[] } };
    assert.deepEqual(pages.created, [], "the client's own page is not overwritten");
    const changes = { page: { created: [{ id: "p1", title: "Trip", body: "Book it" }] } };
    const body = { changes, last_pulled_at: pulled.json["timestamp"] };
    const pushed = await at.ask("/v1/sync/push", { method: "POST", body });
    assert.equal(pushed.status, 200, pushed.text);
    await at.ask(schedule, { token: "cron" });
    const sent = await book.list({ kind: notificationKind });
    assert.deepEqual(
      sent.records.map(({ body: each }) => each.message),
      ["Trip\nBook it"],
    );
    assert.equal(data(await asks(at)({ page_id: "p1" }))["id"], id);
  });
  test("takes POST alone, and a fault of ours is in the same form", async (t) => {
    const at = await fixture(t);
    const get = await at.ask(register);
    checkForm(get);
    assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
    at.ledger.of = () => {
      throw new Error("the disk is gone");
    };
    const broken = await asks(at)(page);
    checkForm(broken);
    assert.deepEqual([broken.status, broken.json["errorCode"]], [500, "INTERNAL_ERROR"]);
    assert.doesNotMatch(broken.text, /disk/);
  });
});

describe("scheduling", () => {
  test("says what is due in all books once, by GET and by POST", async (t) => {
    const at = await fixture(t);
    for (const token of ["mina", "jun"]) await asks(at)(page, token);
    const first = await at.ask(`${schedule}?fetch_limit=1`, { token: "cron" });
    checkForm(first);
    const { processing_time_ms: ms, ...counts } = data(first);
    assert.equal(typeof ms, "number");
    assert.deepEqual(counts, {
      processed: 1,
      said: 1,
      planned: 0,
      failed: 0,
      errors: [],
      batch: 1_000,
    });
    const second = await at.ask(schedule, { method: "POST", token: "root" });
    assert.deepEqual([data(second)["said"], second.status], [1, 200]);
    assert.equal(data(await at.ask(schedule, { token: "cron" }))["processed"], 0);
    for (const owner of ["mina", "jun"]) {
      const said = await at.ledger.of(owner, "x").list({ kind: notificationKind });
      assert.deepEqual(
        said.records.map(({ body }) => body.message),
        ["Trip\nBook it"],
      );
    }
  });
  test("needs the scope for it", async (t) => {
    const at = await fixture(t);
    const answers = await Promise.all(
      [null, "mina", "cron"].map((token) => at.ask(schedule, { token })),
    );
    for (const each of answers) checkForm(each);
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json["errorCode"]]),
      [
        [401, "UNAUTHORIZED"],
        [403, "FORBIDDEN"],
        [200, undefined],
      ],
    );
    assert.equal((await at.ask("/v1/nags", { token: "cron" })).status, 403, "and sees nothing");
  });
  test("takes a limit from 1 to 1,000", async (t) => {
    const at = await fixture(t);
    const status = async (query: string): Promise<number> => {
      const answer = await at.ask(`${schedule}?${query}`, { token: "cron" });
      checkForm(answer);
      return answer.status;
    };
    for (const right of ["fetch_limit=1", "fetch_limit=1000", ""]) {
      assert.equal(await status(right), 200, right);
    }
    const wrong = ["0", "1001", "-1", "1.5", "ten", "", "1&fetch_limit=2"];
    for (const each of wrong) assert.equal(await status(`fetch_limit=${each}`), 400, each);
  });
  test("looked at ahead does nothing", async (t) => {
    const at = await fixture(t);
    await asks(at)(page);
    assert.equal((await at.ask(schedule, { method: "HEAD", token: "cron" })).status, 405);
    assert.equal(data(await at.ask(schedule, { token: "cron" }))["said"], 1);
  });
  test("that breaks is SCHEDULER_FAILED", async (t) => {
    const broken: Pass = () => Promise.reject(new Error("no disk"));
    const passed = provide(nagPass, () => broken);
    const at = await httpFixture(t, { operations: table }, passed);
    at.people.set("cron", { owner: "ops", by: "cron", scopes: ["cron"], origin: null });
    const answer = await at.ask(schedule, { token: "cron" });
    checkForm(answer);
    assert.deepEqual([answer.status, answer.json["errorCode"]], [500, "SCHEDULER_FAILED"]);
  });
});

test("API 엔드포인트: `/api/reminder/register-by-page` and `/api/reminder/schedule/v2` (`fetch_limit`) are in /openapi.json, as they answer", async (t) => {
  const at = await fixture(t);
  const { paths } = (await at.ask("/openapi.json")).json as unknown as {
    paths: Record<string, Record<string, DescribedPath>>;
  };
  const { post } = paths[register] ?? {};
  assert.ok(post?.requestBody?.content["application/json"].schema.properties["page_id"]);
  const dataOf = (path: DescribedPath | undefined): string[] => {
    const { properties } = path?.responses["200"].content["application/json"].schema ?? {};
    return Object.keys(properties?.["data"]?.properties ?? {}).toSorted();
  };
  assert.deepEqual(dataOf(post), Object.keys(data(await asks(at)(page))).toSorted());
  const answer = data(await at.ask(`${schedule}?fetch_limit=10`, { token: "cron" }));
  for (const method of ["get", "post"]) {
    const described = paths[schedule]?.[method];
    assert.deepEqual(dataOf(described), Object.keys(answer).toSorted());
    assert.deepEqual(
      described?.parameters?.map(({ name, schema }) => [name, schema]),
      [["fetch_limit", { type: "integer", minimum: 1, maximum: 1_000 }]],
    );
  }
});

interface Described {
  readonly content: { readonly "application/json": { readonly schema: DescribedSchema } };
}
interface DescribedSchema {
  readonly properties: Readonly<Record<string, DescribedSchema>>;
}
interface DescribedPath {
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[];
  readonly requestBody?: Described;
  readonly responses: { readonly "200": Described };
}

describe("sync over HTTP", () => {
  const path = "/v1/sync/push";
  test("takes more at once than other requests, up to its own bound", async (t) => {
    const at = await fixture(t);
    const body = "x".repeat(90_000);
    const created = Array.from({ length: 20 }, (_, n) => ({ id: `p${n}`, body }));
    const pushed = await at.ask(path, {
      method: "POST",
      body: { changes: { page: { created } } },
    });
    assert.deepEqual([pushed.status, pushed.json["written"]], [200, 20], pushed.text);
    const large = await at.ask(path, { method: "POST", body: "x".repeat(8 * 1024 * 1024 + 1) });
    assert.equal(large.status, 413);
  });
  test("what is stale is 409 and what is wrong 422, as problems", async (t) => {
    const at = await fixture(t);
    const send = (title: unknown, lastPulledAt: number) => {
      const body = { changes: { page: { updated: [{ id: "p1", title }] } }, lastPulledAt };
      return at.ask(path, { method: "POST", body });
    };
    assert.equal((await send("a", 0)).status, 200);
    const stale = await send("b", 1);
    assert.deepEqual([stale.status, stale.json["code"]], [409, "stale"]);
    assert.match(String(stale.json["detail"]), /pull first/);
    const wrong = await send(7, 1);
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /changes\.page\.updated\.0\.title/);
    const first = await at.ask("/v1/sync/pull?last_pulled_at=null&schema_version=1&migration=null");
    assert.equal(first.status, 200, first.text);
    const since = String(first.json["timestamp"]);
    const again = await at.ask(`/v1/sync/pull?since=${since}`);
    assert.equal(String(again.json["timestamp"]), since);
  });
});

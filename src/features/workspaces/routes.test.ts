import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { settled } from "../../../test/hand-clock.ts";
import { httpFixture, type Answer, type HttpFixture } from "../../../test/http-fixture.ts";
import { observedAs } from "../../../test/workspace-states.ts";
import type { Book } from "../../kernel/ledger.ts";
import { table } from "../index.ts";

const path = "/api/v1/workspaces";

interface Fixture extends HttpFixture {
  book: Book;
  make(name: string, token?: string): Promise<string>;
}

async function fixture(t: TestContext): Promise<Fixture> {
  const at = await httpFixture(t, { operations: table });
  const make = async (name: string, token = "mina"): Promise<string> => {
    const body = { name, image_ref: "node:24" };
    const made = await at.ask(path, { method: "POST", body, token });
    assert.equal(made.status, 201, made.text);
    return String(made.json["id"]);
  };
  return { ...at, book: at.ledger.of("mina", "controller"), make };
}

function errorOf({ json }: Answer): Readonly<Record<string, unknown>> {
  const { error, ...rest } = json;
  assert.deepEqual(rest, {});
  return error as Readonly<Record<string, unknown>>;
}

describe("a workspace in its first shape", () => {
  test("is made to run, read, changed and deleted", async (t) => {
    const at = await fixture(t);
    const body = { name: "one", description: "for trials", image_ref: "node:24" };
    const made = await at.ask(path, { method: "POST", body });
    assert.equal(made.status, 201);
    const { id, desired_state, status, operation, display, image_ref } = made.json;
    assert.deepEqual(
      { desired_state, status, operation, display, image_ref },
      {
        desired_state: "RUNNING",
        status: "PENDING",
        operation: "NONE",
        display: "PENDING",
        image_ref: "node:24",
      },
    );
    const own = `${path}/${String(id)}`;
    const change = { name: "two", memo: "mine", desired_state: "STANDBY" };
    const changed = await at.ask(own, { method: "PATCH", body: change });
    assert.deepEqual(
      [changed.status, changed.json["name"], changed.json["memo"], changed.json["desired_state"]],
      [200, "two", "mine", "STANDBY"],
    );
    assert.equal((await at.ask(own)).json["description"], "for trials");
    const restored = await at.ask(`${own}:restore`, { method: "POST" });
    assert.deepEqual([restored.status, restored.json["desired_state"]], [202, "RUNNING"]);
    const deleted = await at.ask(own, { method: "DELETE" });
    assert.deepEqual([deleted.status, deleted.text], [204, ""]);
    const gone = await at.ask(own);
    assert.deepEqual([gone.status, errorOf(gone)["code"]], [404, "WORKSPACE_NOT_FOUND"]);
    assert.equal((await at.ask(path)).json["total"], 0);
  });
  test("is listed by its owner alone, a page at a time", async (t) => {
    const at = await fixture(t);
    const [a, b] = [await at.make("a"), await at.make("b")];
    await at.make("c", "jun");
    const ids = async (query: string): Promise<unknown> => {
      const { json } = await at.ask(`${path}?${query}`);
      const list = json["workspaces"] as readonly { id: string }[];
      return [list.map(({ id }) => id), json["total"]];
    };
    assert.deepEqual(await ids(""), [[b, a], 2]);
    assert.deepEqual(await ids("limit=1&offset=1"), [[a], 2]);
    for (const wrong of ["limit=0", "limit=101", "limit=x", "offset=-1"]) {
      const answer = await at.ask(`${path}?${wrong}`);
      assert.deepEqual([answer.status, errorOf(answer)["code"]], [400, "INVALID_REQUEST"], wrong);
    }
  });
  test("of another owner is as one that never was", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    const asks: [string, string, unknown?][] = [
      ["GET", ""],
      ["PATCH", "", { memo: "x" }],
      ["DELETE", ""],
      ["POST", ":restore"],
      ["GET", "/events"],
    ];
    for (const [method, rest, body] of asks) {
      const ask = (which: string): Promise<Answer> =>
        at.ask(`${path}/${which}${rest}`, {
          method,
          token: "jun",
          ...(body === undefined ? {} : { body }),
        });
      const [foreign, never] = [await ask(id), await ask("nowhere")];
      assert.equal(foreign.status, 404, `${method} ${rest}`);
      assert.deepEqual(
        errorOf(foreign)["message"],
        String(errorOf(never)["message"]).replace("nowhere", id),
      );
    }
  });
  test("is closed to nobody and to who may only read", async (t) => {
    const at = await fixture(t);
    const post = { method: "POST", body: { name: "x", image_ref: "node:24" } };
    const answers = [
      await at.ask(path, { token: null }),
      await at.ask("/api/v1/events", { token: "wrong" }),
      await at.ask(path, { ...post, token: "mina-reads" }),
      await at.ask("/api/v1/events", { token: "mina-writes" }),
    ];
    assert.deepEqual(
      answers.map((answer) => [answer.status, errorOf(answer)["code"]]),
      [
        [401, "UNAUTHORIZED"],
        [401, "UNAUTHORIZED"],
        [403, "FORBIDDEN"],
        [403, "FORBIDDEN"],
      ],
    );
  });
  const wrong: readonly [title: string, body: unknown][] = [
    ["no name", {}],
    ["an unknown key", { name: "x", privileged: true }],
    ["an image that is none", { name: "x", image_ref: "; rm -rf" }],
    ["a name that is none", { name: "/x", image_ref: "node:24" }],
    ["no image where none is set", { name: "x" }],
    ["no object", []],
  ];
  for (const [title, body] of wrong) {
    test(`with ${title} is 400, and nothing is written`, async (t) => {
      const at = await fixture(t);
      const answer = await at.ask(path, { method: "POST", body });
      assert.deepEqual([answer.status, errorOf(answer)["code"]], [400, "INVALID_REQUEST"]);
      assert.deepEqual((await at.book.changes({})).changes, []);
    });
  }
  test("is not changed, restored or deleted while something is done with it: 409", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    await observedAs(at.book, id, "standby", { operation: "STARTING", operationStartedAt: 1 });
    const own = `${path}/${id}`;
    const answers = [
      await at.ask(own, { method: "PATCH", body: { desired_state: "PENDING" } }),
      await at.ask(own, { method: "DELETE" }),
      await at.ask(`${own}:restore`, { method: "POST" }),
    ];
    for (const answer of answers) {
      assert.deepEqual([answer.status, errorOf(answer)["code"]], [409, "INVALID_STATE"]);
      assert.match(String(errorOf(answer)["message"]), /STARTING is under way/);
    }
    assert.equal((await at.ask(own)).json["asked_state"], "RUNNING");
  });
  test("over the limit is 429, says which limit and names the owner's own alone", async (t) => {
    const at = await fixture(t);
    const [a, b] = [await at.make("a"), await at.make("b")];
    const third = { method: "POST", body: { name: "c", image_ref: "node:24" } };
    const own = await at.ask(path, third);
    assert.equal(own.status, 429);
    const { code, details } = errorOf(own) as { code: string; details: object };
    assert.equal(code, "RUNNING_LIMIT_EXCEEDED");
    const both = [
      { id: a, name: "a" },
      { id: b, name: "b" },
    ];
    assert.deepEqual(
      { ...details, running_workspaces: [] },
      { limit_type: "per_user", current: 2, max: 2, running_workspaces: [] },
    );
    const named = (details as { running_workspaces: { id: string }[] }).running_workspaces;
    assert.deepEqual(
      named.toSorted((x, y) => (x.id < y.id ? -1 : 1)),
      both.toSorted((x, y) => (x.id < y.id ? -1 : 1)),
    );
    const c = await at.make("c", "jun");
    const inAll = await at.ask(path, {
      ...third,
      token: "jun",
      body: { name: "d", image_ref: "x" },
    });
    assert.deepEqual(errorOf(inAll)["details"], {
      limit_type: "global",
      current: 3,
      max: 3,
      running_workspaces: [{ id: c, name: "c" }],
    });
    const asOthers = await at.ask("/v1/workspaces", third);
    assert.deepEqual([asOthers.status, asOthers.json["code"]], [429, "held"]);
    // One that sleeps has given its place back, and takes it again when it is asked for.
    await at.ask(`${path}/${a}`, { method: "PATCH", body: { desired_state: "STANDBY" } });
    await at.make("c");
    const again = await at.ask(`${path}/${a}`, {
      method: "PATCH",
      body: { desired_state: "RUNNING" },
    });
    assert.deepEqual([again.status, errorOf(again)["code"]], [429, "RUNNING_LIMIT_EXCEEDED"]);
  });
  test("takes no other method, and a fault of ours is in the same form", async (t) => {
    const at = await fixture(t);
    const put = await at.ask(path, { method: "PUT", body: {} });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, POST"]);
    assert.equal((await at.ask(`${path}/x:explode`, { method: "POST" })).status, 405);
    at.ledger.of = () => {
      throw new Error("the disk is gone");
    };
    const broken = await at.ask(path);
    assert.deepEqual([broken.status, errorOf(broken)["code"]], [500, "INTERNAL_ERROR"]);
    assert.doesNotMatch(broken.text, /disk/);
  });
});

interface Heard {
  readonly id?: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What comes over a stream, one after the other. */
async function listening(
  t: TestContext,
  at: Fixture,
  where: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<AsyncIterator<Heard, undefined> & { leave(): void }> {
  const stop = new AbortController();
  t.after(() => stop.abort());
  const answer = await fetch(`${at.url}${where}`, {
    headers: { authorization: "Bearer mina", ...headers },
    signal: stop.signal,
  });
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  const { body } = answer;
  assert.ok(body);
  const heard = parts(body.pipeThrough(new TextDecoderStream()));
  return { next: () => heard.next(), leave: () => stop.abort() };
}

async function* parts(texts: AsyncIterable<string>): AsyncGenerator<Heard, undefined> {
  let left = "";
  for await (const text of texts) {
    const blocks = (left + text).split("\n\n");
    left = blocks.pop() ?? "";
    for (const block of blocks.filter((each) => !each.startsWith(":"))) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2)),
      ) as Record<string, string>;
      const { id, event = "", data = "" } = fields;
      yield { ...(id === undefined ? {} : { id }), event, data: JSON.parse(data) as Heard["data"] };
    }
  }
  return undefined;
}

/** A second later whoever tells has looked again. */
async function lookAgain(at: Fixture): Promise<void> {
  await untilItWaits(at);
  at.clock.advance(1_000);
}

/** Until whoever tells has told all and looks again in a second. */
async function untilItWaits({ clock }: Fixture): Promise<void> {
  while (!clock.waiting().includes(1_000)) await settled();
}

async function nextOf(stream: AsyncIterator<Heard, undefined>): Promise<Heard> {
  const { value } = await stream.next();
  return value ?? assert.fail("the stream is over");
}

describe("events of workspaces", () => {
  test("begin with how it stands, and go on with each change", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    await at.make("b");
    const stream = await listening(t, at, `${path}/${id}/events`);
    const first = await nextOf(stream);
    const state = {
      workspace_id: id,
      status: "PENDING",
      display: "PENDING",
      operation: "NONE",
      desired_state: "RUNNING",
    };
    assert.deepEqual([first.event, first.data], ["state_changed", state]);
    assert.match(first.id ?? "", /^\d+$/);
    await observedAs(at.book, id, "pending", { operation: "PROVISIONING", operationStartedAt: 1 });
    await lookAgain(at);
    const began = await nextOf(stream);
    assert.deepEqual(began.data, { ...state, operation: "PROVISIONING" });
    const fault = {
      reason: "Unreachable",
      message: "nobody answers",
      context: {},
      occurredAt: 1,
    } as const;
    await observedAs(at.book, id, "error", { operation: null, errorInfo: fault, errorCount: 4 });
    await lookAgain(at);
    const failed = await nextOf(stream);
    assert.equal(failed.data["status"], "ERROR");
    const error = await nextOf(stream);
    assert.equal(error.event, "error");
    assert.deepEqual(error.data, {
      workspace_id: id,
      error_message: "nobody answers",
      error_count: 4,
      reason: "Unreachable",
    });
    assert.deepEqual([failed.id, typeof error.id], [undefined, "string"], "the last has the place");
  });
  test("resume where the listener was, with all that happened since and nothing before", async (t) => {
    const at = await fixture(t);
    const [a, b] = [await at.make("a"), await at.make("b")];
    const stream = await listening(t, at, "/api/v1/events");
    const begun = [await nextOf(stream), await nextOf(stream)];
    assert.deepEqual(new Set(begun.map(({ data }) => data["workspace_id"])), new Set([a, b]));
    const last = begun.at(-1)?.id ?? assert.fail();
    stream.leave();
    await observedAs(at.book, b, "standby");
    await observedAs(at.book, b, "running");
    const again = await listening(t, at, "/api/v1/events", { "last-event-id": last });
    const missed = await nextOf(again);
    assert.deepEqual([missed.data["workspace_id"], missed.data["status"]], [b, "RUNNING"]);
    await observedAs(at.book, a, "standby");
    await lookAgain(at);
    const later = await nextOf(again);
    assert.deepEqual([later.data["workspace_id"], later.data["status"]], [a, "STANDBY"]);
    const wrong = await at.ask("/api/v1/events", { headers: { "last-event-id": "nowhere" } });
    assert.deepEqual([wrong.status, errorOf(wrong)["code"]], [400, "INVALID_REQUEST"]);
  });
  test("tell nothing of another owner's", async (t) => {
    const at = await fixture(t);
    const stream = await listening(t, at, "/api/v1/events");
    const foreign = await at.make("secret", "jun");
    const own = await at.make("own");
    await lookAgain(at);
    const heard = await nextOf(stream);
    assert.equal(heard.data["workspace_id"], own);
    assert.notEqual(heard.data["workspace_id"], foreign);
  });
  test("beat every 30 seconds while nothing happens", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    const stream = await listening(t, at, `${path}/${id}/events`);
    await nextOf(stream);
    await untilItWaits(at);
    at.clock.advance(30_000);
    const { event, data, id: place } = await nextOf(stream);
    assert.deepEqual([event, place], ["heartbeat", undefined]);
    assert.equal(Date.parse(String(data["timestamp"])), at.clock.wall());
  });
  test("end when the token is taken back", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    const stream = await listening(t, at, `${path}/${id}/events`);
    await nextOf(stream);
    await untilItWaits(at);
    at.people.delete("mina");
    at.clock.advance(3_000);
    assert.equal((await stream.next()).done, true);
  });
  test("do not hold up a server that stops", async (t) => {
    const at = await fixture(t);
    const id = await at.make("a");
    const stream = await listening(t, at, `${path}/${id}/events`);
    await nextOf(stream);
    await at.server.stop();
    assert.equal((await stream.next()).done, true);
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import {
  askRaw,
  erased,
  httpFixture,
  notes,
  type HttpFixture,
} from "../../../test/http-fixture.ts";
import { errorsIn } from "../../app/error-texts.ts";
import { operation, type Operation } from "../../kernel/operation.ts";
import { DaybookError, type ErrorCode } from "../../platform/errors.ts";
import { bodyBytesMax } from "../../platform/http-body.ts";
import { routeOf } from "./route.ts";

const nobody = "01939c3a-0000-7000-8000-000000000000";

async function added(fixture: HttpFixture, message = "milk"): Promise<string> {
  const { json, status } = await fixture.ask("/v1/notes", { method: "POST", body: { message } });
  assert.equal(status, 201);
  return String(json["id"]);
}

function pathOf(each: Operation, id: string): string {
  return each.route.path.replaceAll(/\{\w+\}/g, id);
}

/** An operation that does what a test says. */
function doing(run: () => Promise<unknown>): Operation {
  return erased(
    operation({
      name: "do_it",
      summary: "Does it.",
      input: z.strictObject({}),
      output: z.unknown(),
      route: { method: "POST", path: "/v1/do" },
      command: { name: "do", positionals: [] },
      tool: "never",
      run,
      render: () => "",
    }),
  );
}

describe("the operations over HTTP", () => {
  test("what is added is 201, with where it is and its revision", async (t) => {
    const fixture = await httpFixture(t);
    const made = await fixture.ask("/v1/notes", { method: "POST", body: { message: "milk" } });
    const id = String(made.json["id"]);
    assert.equal(made.status, 201);
    assert.equal(made.headers.get("location"), `/v1/notes/${id}`);
    assert.equal(made.headers.get("etag"), '"1"');
    const read = await fixture.ask(`/v1/notes/${id}`);
    assert.deepEqual([read.status, read.json], [200, { id, message: "milk", revision: 1 }]);
    const head = await fixture.ask(`/v1/notes/${id}`, { method: "HEAD" });
    assert.deepEqual([head.status, head.headers.get("etag"), head.text], [200, '"1"', ""]);
  });
  test("an answer is rendered for our command line, and is JSON whatever else is accepted", async (t) => {
    const fixture = await httpFixture(t);
    const body = { message: "milk" };
    const text = { "daybook-format": "text" };
    const made = await fixture.ask("/v1/notes", { method: "POST", body, headers: text });
    assert.deepEqual([made.status, made.headers.get("etag")], [201, '"1"']);
    assert.equal(made.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.doesNotMatch(made.text, /^\{/);
    const plain = await fixture.ask("/v1/notes", { headers: { accept: "text/plain" } });
    assert.match(plain.headers.get("content-type") ?? "", /json/);
    const wrong = await fixture.ask("/v1/notes/nothing", { headers: text });
    assert.deepEqual([wrong.status, wrong.json["code"]], [404, "not_found"]);
  });
  test("what ends takes its reason from the query", async (t) => {
    const fixture = await httpFixture(t);
    const id = await added(fixture);
    const gone = await fixture.ask(`/v1/notes/${id}?reason=bought`, { method: "DELETE" });
    assert.deepEqual([gone.status, gone.json], [200, { id, result: "cancelled" }]);
    const { changes } = await fixture.ledger.of("mina", "x").changes({ id });
    assert.deepEqual([changes.at(-1)?.note, changes.at(-1)?.by], ["bought", "mina-at-http"]);
  });
  test("pages follow each other by body and by Link, and a query is read as what it means", async (t) => {
    const fixture = await httpFixture(t);
    const ids = [await added(fixture, "a"), await added(fixture, "b"), await added(fixture, "c")];
    await fixture.ask(`/v1/notes/${ids[1]}`, { method: "DELETE" });
    const seen: string[] = [];
    let path: string | undefined = "/v1/notes?all=true&limit=2";
    let pages = 0;
    while (path !== undefined) {
      const { json, headers, status } = await fixture.ask(path);
      assert.equal(status, 200);
      seen.push(...(json["notes"] as { id: string }[]).map((each) => each.id));
      const link: string | undefined = /^<(.*)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
      assert.equal(link === undefined, json["next"] === null);
      path = link;
      pages += 1;
    }
    assert.deepEqual([seen, pages], [ids, 2]);
    assert.equal(((await fixture.ask("/v1/notes")).json["notes"] as unknown[]).length, 2);
  });
  test("a path that takes other methods says which", async (t) => {
    const fixture = await httpFixture(t);
    const { status, headers } = await fixture.ask("/v1/notes", { method: "PUT", body: {} });
    assert.deepEqual([status, headers.get("allow")], [405, "POST, GET"]);
  });
});

describe("a key", () => {
  const post = { method: "POST", body: { message: "milk" } };
  test("in the header asks once, and the second answer is the first's, with 200", async (t) => {
    const fixture = await httpFixture(t);
    const headers = { "idempotency-key": "one" };
    const first = await fixture.ask("/v1/notes", { ...post, headers });
    const quoted = { "idempotency-key": '"one"' };
    const second = await fixture.ask("/v1/notes", { ...post, headers: quoted });
    assert.deepEqual([first.status, second.status], [201, 200]);
    assert.equal(first.json["id"], second.json["id"]);
    assert.equal((await fixture.ledger.work.stats()).records, 1);
  });
  test("for something else is a conflict", async (t) => {
    const fixture = await httpFixture(t);
    const headers = { "idempotency-key": "one" };
    await fixture.ask("/v1/notes", { ...post, headers });
    const other = { method: "POST", body: { message: "tea" }, headers };
    const { status, json } = await fixture.ask("/v1/notes", other);
    assert.deepEqual([status, json["code"]], [409, "conflict"]);
  });
  for (const [name, status] of [
    ["two", 400],
    ["one", 201],
  ] as const) {
    test(`in the header beside "${name}" in the body is ${status}`, async (t) => {
      const fixture = await httpFixture(t);
      for (const field of ["key", "idempotency_key"]) {
        const body = { message: field, [field]: `${field} ${name}` };
        const headers = { "idempotency-key": `${field} one` };
        const answer = await fixture.ask("/v1/notes", { method: "POST", body, headers });
        assert.equal(answer.status, status, answer.text);
      }
    });
  }
});

describe("If-Match", () => {
  const edit = (message: string, ifMatch?: string) => ({
    method: "PATCH",
    body: { message },
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });
  test("lets the first edit through and stops the second with 412", async (t) => {
    const fixture = await httpFixture(t);
    const path = `/v1/notes/${await added(fixture)}`;
    const first = await fixture.ask(path, edit("tea", '"1"'));
    assert.deepEqual([first.status, first.headers.get("etag")], [200, '"2"']);
    const second = await fixture.ask(path, edit("beer", '"1"'));
    assert.deepEqual([second.status, second.json["code"]], [412, "stale"]);
    assert.equal((await fixture.ask(path)).json["message"], "tea");
  });
  test("absent, a stale revision in the body is 409; * names none", async (t) => {
    const fixture = await httpFixture(t);
    const path = `/v1/notes/${await added(fixture)}`;
    const body = { message: "tea", revision: 7 };
    assert.equal((await fixture.ask(path, { method: "PATCH", body })).status, 409);
    assert.equal((await fixture.ask(path, edit("tea", "*"))).status, 200);
  });
  test("that cannot be held is refused, not overlooked", async (t) => {
    const fixture = await httpFixture(t);
    const path = `/v1/notes/${await added(fixture)}`;
    for (const header of ["1", 'W/"1"', '"1", "2"', '"one"']) {
      assert.equal((await fixture.ask(path, edit("tea", header))).status, 400, header);
    }
    const drop = { method: "DELETE", headers: { "if-match": '"1"' } };
    assert.equal((await fixture.ask(path, drop)).status, 400);
    assert.equal((await fixture.ask(path)).json["revision"], 1);
  });
});

describe("who may ask", () => {
  const others = ["/metrics", "/v1/attach", "/mcp", "/v1/none", "/", "/login/", "//livez"];
  test("without a token, and with a wrong one, every route answers the same 401", async (t) => {
    const fixture = await httpFixture(t, { mcp: () => Promise.resolve(new Response("in")) });
    const known = notes.map((each) => [each.route.method, pathOf(each, nobody)] as const);
    const routes = [...known, ...others.map((path) => ["GET", path] as const)];
    const seen = new Set<string>();
    for (const [method, path] of routes) {
      for (const token of [null, "wrong", "mina mina", "x".repeat(600)]) {
        fixture.clock.advance(60_000); // so that nobody was wrong too often
        const { status, headers, json } = await fixture.ask(path, { method, token });
        assert.equal(status, 401, `${method} ${path} with ${token}`);
        assert.match(headers.get("www-authenticate") ?? "", /^Bearer/);
        seen.add(JSON.stringify({ ...json, request_id: "" }));
      }
    }
    assert.equal(seen.size, 1);
  });
  test("a scope that is missing is 403 on every route, before the input is looked at", async (t) => {
    const fixture = await httpFixture(t);
    for (const each of notes) {
      const token = each.scope === "read" ? "mina-writes" : "mina-reads";
      const path = pathOf(each, nobody);
      const { status, json } = await fixture.ask(path, { method: each.route.method, token });
      assert.deepEqual([status, json["code"]], [403, "refused"], path);
      assert.deepEqual(json["details"], { scope: each.scope });
    }
    const metrics = await fixture.ask("/metrics", { token: "mina-writes" });
    assert.equal(metrics.status, 403);
  });
  test("another owner's record cannot be told from one that never was, on any route", async (t) => {
    const fixture = await httpFixture(t);
    const foreign = await added(fixture, "secret");
    const withId = notes.filter((each) => routeOf(each).params.length > 0);
    assert.equal(withId.length, 3);
    for (const each of withId) {
      const ask = async (id: string): Promise<string> => {
        const body = each.name === "edit_note" ? { body: { message: "mine" } } : {};
        const asking = { method: each.route.method, token: "jun", ...body };
        const { status, json } = await fixture.ask(pathOf(each, id), asking);
        assert.equal(status, 404, each.name);
        return JSON.stringify({ ...json, request_id: "" }).replaceAll(id, "ID");
      };
      assert.equal(await ask(foreign), await ask(nobody));
    }
    assert.deepEqual((await fixture.ask("/v1/notes", { token: "jun" })).json["notes"], []);
    assert.equal((await fixture.ask(`/v1/notes/${foreign}`)).json["message"], "secret");
  });
  test("a token that is taken away is refused at the next request", async (t) => {
    const fixture = await httpFixture(t);
    assert.equal((await fixture.ask("/v1/notes")).status, 200);
    fixture.people.delete("mina");
    assert.equal((await fixture.ask("/v1/notes")).status, 401);
  });
  test("no trick with a path gets past the token", async (t) => {
    const { url } = await httpFixture(t);
    const tricks = ["/v1/notes/", "//v1/notes", "/v1//notes", "/V1/notes", "/v1/notes;livez"];
    tricks.push("/livez/../v1/notes", "/v1/notes%2f", "/%76%31/notes", "/v1/notes?x=/livez");
    tricks.push("/v1/notes#/livez", "/livez%2f..%2fv1%2fnotes", "/x/livez", "/livez/x");
    for (const path of tricks) assert.equal(await askRaw(url, path), 401, path);
  });
  test("no path that can be made up is open, but for the five that are", async (t) => {
    const { handler } = await httpFixture(t);
    const open = new Set(["/livez", "/readyz", "/healthz", "/login", "/openapi.json"]);
    const part = fc.constantFrom(
      ..."/ // . .. %2f %2e ; ? # livez readyz healthz login openapi.json v1 notes mcp metrics LIVEZ %6civez".split(
        " ",
      ),
    );
    const path = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join("")}`);
    const method = fc.constantFrom("GET", "HEAD", "POST", "DELETE", "OPTIONS", "PATCH");
    await fc.assert(
      fc.asyncProperty(path, method, async (path, method) => {
        const request = new Request(`http://localhost${path}`, { method });
        const { status } = await handler.fetch(request);
        const { pathname } = new URL(request.url);
        if (open.has(decodeURIComponent(pathname))) return;
        assert.equal(status, 401, `${method} ${path}`);
      }),
      { numRuns: 500 },
    );
  });
  test("who is wrong too often waits, and those who know their token do not", async (t) => {
    const fixture = await httpFixture(t);
    const statuses: number[] = [];
    for (let wrong = 0; wrong < 12; wrong += 1) {
      statuses.push((await fixture.ask("/v1/notes", { token: `wrong${wrong}` })).status);
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429]);
    assert.equal((await fixture.ask("/v1/notes")).status, 200);
    const late = await fixture.ask("/v1/notes", { token: "wrong" });
    assert.equal(late.headers.get("retry-after"), "6");
    fixture.clock.advance(6_000);
    assert.equal((await fixture.ask("/v1/notes", { token: "wrong" })).status, 401);
  });
});

describe("a request that is wrong", () => {
  test("by its host name is 421, whatever it asks", async (t) => {
    const { url } = await httpFixture(t);
    const authorization = "Bearer mina";
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.", "x@localhost"]) {
      for (const path of ["/v1/notes", "/livez", "/login?code=x"]) {
        assert.ok([400, 421].includes(await askRaw(url, path, { host, authorization })), host);
      }
    }
    assert.equal(await askRaw(url, "/v1/notes", { host: "evil.example", authorization }), 421);
    const { port } = new URL(url);
    for (const host of [`localhost:${port}`, "LOCALHOST", "127.0.0.1"]) {
      assert.equal(await askRaw(url, "/v1/notes", { host, authorization }), 200, host);
    }
    const whole = "http://evil.example/v1/notes";
    assert.equal(await askRaw(url, whole, { host: "localhost", authorization }), 421);
  });

  const deep = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const bodies: [name: string, body: string, status: number, type?: string][] = [
    ["JSON that ends too early", '{"message": "se', 400],
    ["a body that is no object", '["message"]', 422],
    ["an input that is no name of ours", '{"message":"a","mesage":"b"}', 422],
    ["a prototype", '{"message":"a","__proto__":{"key":"b"}}', 400],
    ["a prototype further in", '{"message":{"a":[{"__proto__":1}]}}', 400],
    ["33 levels", `{"message":${deep(32)}}`, 400],
    ["32 levels", `{"message":${deep(31)}}`, 422],
    ["another type", '{"message":"a"}', 415, "text/plain"],
    ["a form", "message=a", 400, "application/x-www-form-urlencoded"],
    ["nothing in it", "", 422],
  ];
  for (const [name, body, status, type = "application/json"] of bodies) {
    test(`by ${name} is ${status}, and nothing is written`, async (t) => {
      const fixture = await httpFixture(t);
      const headers = { "content-type": type };
      const answer = await fixture.ask("/v1/notes", { method: "POST", body, headers });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers.get("content-type"), "application/problem+json");
      assert.doesNotMatch(answer.text, /"message": "se/);
      assert.equal((await fixture.ledger.work.stats()).records, 0);
    });
  }
  test("by JSON under the type of a form is taken with a token in the header alone", async (t) => {
    // A page of another site can send any of these types with the cookie, and none with the header.
    const fixture = await httpFixture(t, {
      auth: ({ headers }) =>
        headers.has("cookie") ? { owner: "mina", scopes: ["read", "write"] } : null,
    });
    const { fetch } = fixture.handler;
    const post = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const body = Buffer.from('{"message":"milk"}'); // no type is set for bytes
      const request = new Request("http://localhost/v1/notes", { method: "POST", headers, body });
      return (await fetch(request)).status;
    };
    const form = "application/x-www-form-urlencoded";
    const authorization = "Bearer mina";
    assert.equal(await post({ authorization }), 201);
    assert.equal(await post({ authorization, "content-type": form }), 201);
    assert.equal(await post({ authorization, "content-type": "multipart/form-data" }), 415);
    const cookie = "theirs=1";
    for (const headers of [{}, { "content-type": form }, { authorization: "Basic bWluYTo=" }]) {
      assert.equal(await post({ cookie, ...headers }), 415, JSON.stringify(headers));
    }
    assert.equal(await post({ cookie, "content-type": "application/json" }), 201);
  });
  test("names every problem at once, in the sentence that every interface uses", async (t) => {
    const fixture = await httpFixture(t);
    const { status, json, headers } = await fixture.ask("/v1/notes?limit=501&al=true");
    assert.equal(status, 422);
    assert.deepEqual(json, {
      type: "urn:daybook:problem:invalid",
      title: "The input is wrong",
      status: 422,
      detail: '"limit" must be at most 500; There is no input "al": did you mean "all"?',
      code: "invalid",
      problems: [
        { path: "limit", text: '"limit" must be at most 500' },
        { path: "al", text: 'There is no input "al": did you mean "all"?' },
      ],
      request_id: headers.get("x-request-id"),
    });
  });
  test("is answered in the language that the client accepts, else in English", async (t) => {
    const { ask } = await httpFixture(t, { errorsIn });
    const details = async (language: string): Promise<unknown> => {
      const headers = { "accept-language": language };
      return (await ask("/v1/notes?limit=501&al=true", { headers })).json["detail"];
    };
    assert.equal(
      await details("ko-KR,ko;q=0.9"),
      '"limit" 값은 500 이하여야 합니다; 없는 입력입니다: "al". 혹시 "all" 아닌가요?',
    );
    const english = '"limit" must be at most 500; There is no input "al": did you mean "all"?';
    assert.deepEqual([await details("en"), await details("*")], [english, english]);
  });
  test("by a query where a body belongs, or by a prototype in it, is 400", async (t) => {
    const fixture = await httpFixture(t);
    const post = { method: "POST", body: { message: "a" } };
    assert.equal((await fixture.ask("/v1/notes?key=b", post)).status, 400);
    assert.equal((await fixture.ask("/v1/notes?__proto__=b")).status, 400);
  });
  test("by an id that differs from its path's is 400", async (t) => {
    const fixture = await httpFixture(t);
    const id = await added(fixture);
    const body = { id: nobody, message: "a" };
    assert.equal((await fixture.ask(`/v1/notes/${id}`, { method: "PATCH", body })).status, 400);
    const same = { method: "PATCH", body: { id, message: "a" } };
    assert.equal((await fixture.ask(`/v1/notes/${id}`, same)).status, 200);
  });

  const sized = (bytes: number): string => {
    const body = JSON.stringify({ message: "" });
    return body.replace('""', `"${"x".repeat(bytes - body.length)}"`);
  };
  test("by one byte too many is 413; one less is looked at", async (t) => {
    const fixture = await httpFixture(t);
    const ask = (bytes: number) => fixture.ask("/v1/notes", { method: "POST", body: sized(bytes) });
    const fits = await ask(bodyBytesMax);
    assert.match(String(fits.json["detail"]), /the maximum is 20000/);
    const over = await ask(bodyBytesMax + 1);
    assert.equal(over.status, 413);
    assert.match(String(over.json["detail"]), /262144 bytes at most/);
  });
  test("by a body that never says its size is cut off all the same", async (t) => {
    const { url } = await httpFixture(t);
    const chunk = new Uint8Array(64 * 1024).fill(32);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(chunk);
      },
    });
    const headers = { authorization: "Bearer mina", "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as const;
    const status = await fetch(`${url}/v1/notes`, init).then(
      (answer) => answer.status,
      () => "cut off",
    );
    assert.ok(status === 413 || status === "cut off", String(status));
    assert.ok(sent < 500);
  });
});

describe("what goes wrong inside", () => {
  const codes: [ErrorCode, number, retry: string | null][] = [
    ["held", 409, null],
    ["ended", 409, null],
    ["leased", 409, null],
    ["too_large", 413, null],
    ["refused", 403, null],
    ["unsupported", 501, null],
    ["unknown", 504, null],
    ["busy", 503, "1"],
    ["unavailable", 503, "5"],
    ["closed", 503, "5"],
  ];
  for (const [code, status, retry] of codes) {
    test(`"${code}" is ${status}`, async (t) => {
      const fault = new DaybookError(code, "Do this.", { details: { file: "/secret" } });
      const fixture = await httpFixture(t, { operations: [doing(() => Promise.reject(fault))] });
      const answer = await fixture.ask("/v1/do", { method: "POST" });
      assert.deepEqual([answer.status, answer.headers.get("retry-after")], [status, retry]);
      assert.deepEqual([answer.json["detail"], answer.json["code"]], ["Do this.", code]);
      assert.equal(answer.text.includes("/secret"), status < 500);
    });
  }
  const held: [details: Record<string, unknown>, title: string][] = [
    [{ name: "schedule-name:report" }, "What it needs is in use"],
    [{ limit: 50 }, "The limit is reached"],
    [{ limit_type: "per_user" }, "The limit is reached"],
  ];
  for (const [details, title] of held) {
    test(`"held" for ${JSON.stringify(details)} is told as "${title}"`, async (t) => {
      const fault = new DaybookError("held", "Do this.", { details });
      const fixture = await httpFixture(t, { operations: [doing(() => Promise.reject(fault))] });
      assert.equal((await fixture.ask("/v1/do", { method: "POST" })).json["title"], title);
    });
  }
  for (const fault of [new Error("password 123"), new DaybookError("bug", "password 123")]) {
    test(`a ${fault.name} of ours is 500 without its words, and the log has it`, async (t) => {
      const fixture = await httpFixture(t, { operations: [doing(() => Promise.reject(fault))] });
      const { status, text, json } = await fixture.ask("/v1/do", { method: "POST" });
      assert.equal(status, 500);
      assert.doesNotMatch(text, /password/);
      const line = fixture.lines.find((each) => each.includes("password 123")) ?? "";
      assert.ok(line.includes(String(json["request_id"])));
    });
  }
  test("what takes too long is 504 and says that its fate is open", async (t) => {
    const began = Promise.withResolvers<void>();
    const never = doing(() => {
      began.resolve();
      return new Promise(() => undefined);
    });
    const fixture = await httpFixture(t, { operations: [never] });
    const asked = fixture.ask("/v1/do", { method: "POST" });
    await began.promise;
    fixture.clock.advance(30_000);
    const { status, json } = await asked;
    assert.deepEqual([status, json["code"]], [504, "unknown"]);
  });
  test("tokens that cannot be looked up are 503, not 401", async (t) => {
    const down = new DaybookError("unavailable", "The store is down: wait.");
    const fixture = await httpFixture(t, { tokens: () => Promise.reject(down) });
    assert.equal((await fixture.ask("/v1/notes")).status, 503);
  });
});

describe("beside the operations", () => {
  test("anybody may see whether it lives and is ready", async (t) => {
    let isWell = true;
    const ready = () => (isWell ? Promise.resolve(true) : Promise.reject(new Error("no")));
    const fixture = await httpFixture(t, { health: { live: () => isWell, ready } });
    const look = async (): Promise<number[]> => {
      const paths = ["/livez", "/readyz", "/healthz"];
      return Promise.all(
        paths.map(async (path) => (await fixture.ask(path, { token: null })).status),
      );
    };
    assert.deepEqual(await look(), [200, 200, 200]);
    isWell = false;
    assert.deepEqual(await look(), [503, 503, 503]);
  });
  test("health is JSON without details", async (t) => {
    const fixture = await httpFixture(t);
    const { json, headers } = await fixture.ask("/healthz", { token: null });
    assert.deepEqual(json, { status: "ok" });
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
    const ready = () => Promise.reject(new Error("/home/mina/book.db is locked"));
    const ill = await httpFixture(t, { health: { live: () => true, ready } });
    assert.deepEqual((await ill.ask("/healthz", { token: null })).json, { status: "unavailable" });
  });
  test("who may read sees the metrics", async (t) => {
    const fixture = await httpFixture(t, { metrics: () => Promise.resolve("daybook_due 3\n") });
    const { status, text, headers } = await fixture.ask("/metrics", { token: "mina-reads" });
    assert.deepEqual([status, text], [200, "daybook_due 3\n"]);
    assert.match(headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  });
  test("who administers sees the facts of the process, and others do not", async (t) => {
    const fixture = await httpFixture(t, { facts: () => Promise.resolve({ home: "/home/mina" }) });
    const refused = await fixture.ask("/v1/facts");
    assert.deepEqual([refused.status, /home/.test(refused.text)], [403, false]);
    fixture.people.set("root", { owner: "me", by: "me", scopes: ["admin"], origin: null });
    assert.deepEqual((await fixture.ask("/v1/facts", { token: "root" })).json, {
      home: "/home/mina",
    });
    assert.equal((await fixture.ask("/v1/facts", { token: null })).status, 401);
  });
  test("agents are handed on with who they are and a body within bounds", async (t) => {
    const fixture = await httpFixture(t, {
      mcp: async (request, caller) => new Response(`${caller.owner}: ${await request.text()}`),
    });
    const post = { method: "POST", body: '{"jsonrpc":"2.0"}' };
    assert.equal((await fixture.ask("/mcp", post)).text, 'mina: {"jsonrpc":"2.0"}');
    const body = "x".repeat(bodyBytesMax + 1);
    assert.equal((await fixture.ask("/mcp", { ...post, body })).status, 413);
  });
  test("every answer is guarded, and the log has no query", async (t) => {
    const fixture = await httpFixture(t);
    const paths = ["/livez", "/openapi.json", "/login?code=abcdef", "/v1/notes", "/none"];
    for (const path of paths) {
      const { headers } = await fixture.ask(path);
      assert.equal(headers.get("x-content-type-options"), "nosniff", path);
      assert.equal(headers.get("cache-control"), "no-store");
      assert.match(headers.get("content-security-policy") ?? "", /^default-src 'none'/);
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{16}$/);
    }
    assert.equal(fixture.lines.filter((line) => line.includes('"request"')).length, paths.length);
    assert.doesNotMatch(fixture.lines.join(""), /abcdef|Bearer|"mina"/);
  });
});

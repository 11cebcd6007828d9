import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import { askBook, type } from "../../../test/terminal.ts";
import { table } from "../../features/index.ts";
import { checkInput } from "../../kernel/call.ts";
import { systemClock } from "../../platform/clock.ts";
import { DaybookError } from "../../platform/errors.ts";
import { safeFetch } from "../../platform/fetch.ts";
import type { CliPorts, GivenInput, OperationEntry, LocalDaemon } from "./command.ts";
import { operationIn } from "./find.ts";
import { manifest } from "./manifest.ts";
import { remoteAsk, requestFor, type RemoteAsk } from "./remote.ts";

function remote(url: string, token = "mina", language?: "en" | "ko"): RemoteAsk {
  const daemon: LocalDaemon = { url, token, tokenFile: "/home/mina/token", pid: 1 };
  const allowHosts = [new URL(url).host];
  const clock = systemClock();
  const fetch = safeFetch({ clock, timeoutMs: 5_000, bytesMax: 1_000_000, allowHosts });
  return remoteAsk({ daemon, fetch, check: checked, language });
}

async function checked({ name }: OperationEntry, input: GivenInput): Promise<void> {
  checkInput(table.find((each) => each.name === name) ?? assert.fail(name), input);
}

/** A server that answers everything alike. */
async function answering(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Where a command writes to a file. */
const file = { columns: null, color: false };

/** The operation as the manifest has it. */
const named = (name: string): OperationEntry => operationIn(manifest, name);
const remind = named("schedule_notification");
const list = named("list_notifications");
const show = named("get_notification");
const update = named("update_notification");
const revokeToken = named("revoke_token");

describe("a request", () => {
  const cases: [
    of: OperationEntry,
    input: Record<string, unknown>,
    path: string,
    body?: unknown,
  ][] = [
    [remind, { message: "hi", at: "+1m" }, "/v1/notifications", { message: "hi", at: "+1m" }],
    [show, { id: "a/b ?#%" }, "/v1/notifications/a%2Fb%20%3F%23%25"],
    [show, { notification_id: "x" }, "/v1/notifications/x"],
    [show, { id: "가\uD800" }, "/v1/notifications/%EA%B0%80%EF%BF%BD"],
    [
      update,
      { id: "x", message: "m", revision: 3 },
      "/v1/notifications/x",
      { message: "m", revision: 3 },
    ],
    [list, {}, "/v1/notifications"],
    [
      list,
      { all: true, limit: 7, after: "a&b=c" },
      "/v1/notifications?all=true&limit=7&after=a%26b%3Dc",
    ],
    [list, { all: undefined }, "/v1/notifications"],
    [revokeToken, { id: "x" }, "/v1/tokens/x"],
  ];
  for (const [operation, input, path, body] of cases) {
    test(`to ${operation.name} ${JSON.stringify(input)} is ${operation.route.method} ${path}`, () => {
      const made = requestFor(operation, input, "http://127.0.0.1:1");
      assert.equal(made.url, `http://127.0.0.1:1${path}`);
      assert.deepEqual(made.body === undefined ? undefined : JSON.parse(made.body), body);
    });
  }
  test("with a list repeats its name", () => {
    const { url } = requestFor(list, { state: ["a", "b"] }, "http://h");
    assert.equal(url, "http://h/v1/notifications?state=a&state=b");
  });
  for (const id of ["", ".", ".."]) {
    test(`never leaves its path for the id ${JSON.stringify(id)}`, () => {
      assert.throws(
        () => requestFor(show, { id }, "http://h"),
        (error) => error instanceof DaybookError && error.code === "not_found",
      );
    });
  }
});

describe("a daemon that runs is asked over HTTP, and the terminal shows the same as from the book:", () => {
  const lines: string[][] = [
    ["remind", "hi", "--at", "+30m", "--json"],
    ["remind", "hi", "--at", "soon"],
    ["remind", "hi", "--at", "2020-01-01 09:00"],
    ["remind", "hi", "--at", "2020-01-01 09:00", "--json"],
    ["remind", "hi", "--at", "+1m", "--target", "banana:1"],
    ["list", "--limit", "5", "--all"],
    ["list", "--after", "banana", "--json"],
    ["show", "nothing", "--json"],
    ["next", "7d"],
    ["whoami"],
    ["update", "nothing", "--message", "x", "--revision", "1"],
    ["cancel", "nothing", "--json"],
    ["explain", "nothing"],
    ["token", "list"],
    ["webhook", "remove", "nothing"],
    ["webhook", "add", "nonsense", "--json"],
    ["list", "--limit", "many"],
    ["list", "--limit", "-1", "--json"],
    ["show", "--offset", "7"],
    ["update", "--message", "x", "--json"],
    ["remind", "--at", "+1h"],
    ["token", "create", "x", "--scopes", "reed"],
  ];
  for (const typed of lines) {
    test(typed.join(" "), async (t) => {
      const [near, far] = [
        await httpFixture(t, { operations: table }),
        await httpFixture(t, { operations: table }),
      ];
      const local = await type(typed, locally(near));
      const asked = remote(far.url);
      const over = await type(typed, {
        ask: async (...of) => (await asked(...of)) ?? assert.fail(),
      });
      assert.deepEqual({ ...over, asked: 0 }, { ...local, asked: 0 });
      assert.notEqual(local.exit, 1, local.err);
    });
  }
});

/** Sends requests to the fixture's book as its server does. */
function locally({ installation, people }: HttpFixture): Partial<CliPorts> {
  const mina = people.get("mina") ?? assert.fail();
  return { ask: askBook({ installation, caller: mina }) };
}

describe("an answer", () => {
  test("is rendered by the daemon, or is data from one that does not render", async (t) => {
    const { url } = await httpFixture(t, { operations: table });
    const rendered = await remote(url)(named("whoami"), {}, file);
    assert.match(rendered?.text ?? "", /^mina/);
    const data = await remote(url)(named("whoami"), {}, "json");
    assert.deepEqual(JSON.parse(data?.text ?? ""), data?.output);
    const older = await answering(t, (_, answer) => answer.end('{"id":"x"}'));
    assert.equal((await remote(older)(list, {}, file))?.text, '{"id":"x"}');
  });
  test("has the width and the colours of the terminal, as from the book itself", async (t) => {
    const fixture = await httpFixture(t, { operations: table });
    const { ask } = locally(fixture);
    await remote(fixture.url)(
      remind,
      { message: `tea ${"and cake ".repeat(20)}`, at: "+1h" },
      file,
    );
    const terminals = [
      { columns: 80, color: true },
      { columns: 200, color: false },
      { columns: null, color: false },
    ];
    const texts: string[] = [];
    for (const terminal of terminals) {
      const rendered = await remote(fixture.url)(list, {}, terminal);
      assert.deepEqual(rendered, await ask?.(list, {}, terminal));
      texts.push(rendered?.text ?? "");
    }
    const [narrow = "", wide = "", whole = ""] = texts;
    assert.ok(narrow.startsWith("\u001B[2mID\u001B[0m "), narrow);
    assert.match(narrow, / tea and cake and[^\n]*…$/);
    assert.match(wide, /^ID .*cake…$/s);
    assert.match(whole, /^[\da-f-]{36}  pending .*cake$/);
  });
  test("is not waited for where the daemon could not check the input: that is done here", async () => {
    const unsent: [OperationEntry, GivenInput][] = [
      [show, { offset: 7 }],
      [show, { id: "x".repeat(20_000), offset: "many" }],
      [remind, { message: "가".repeat(120_000), at: 7 }],
    ];
    for (const [operation, input] of unsent) {
      const asked = remote("http://127.0.0.1:1")(operation, input, file);
      await assert.rejects(asked, ({ code }: DaybookError) => code === "invalid");
    }
  });
  test("carries the token", async (t) => {
    const heard: (string | undefined)[] = [];
    const url = await answering(t, ({ headers }, answer) => {
      heard.push(headers.authorization);
      answer.end("{}");
    });
    await remote(url, "daybook_secret")(list, {}, file);
    assert.deepEqual(heard, ["Bearer daybook_secret"]);
  });
});

describe("what goes wrong on the way is told:", () => {
  async function failed(asked: Promise<unknown>): Promise<DaybookError> {
    const error = await asked.then(
      () => undefined,
      (error: unknown) => error,
    );
    return error instanceof DaybookError ? error : assert.fail(String(error));
  }

  test("nobody there answers nothing, so that the book can be opened", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => {
      gone.listen(0, "127.0.0.1", resolve);
    });
    const free = (gone.address() as AddressInfo).port;
    await new Promise((resolve) => {
      gone.close(resolve);
    });
    assert.equal(await remote(`http://127.0.0.1:${free}`)(list, {}, file), undefined);
  });
  test("text is asked for in the language of this terminal, and data is not", async (t) => {
    const asked: (string | undefined)[] = [];
    const url = await answering(t, ({ headers }, answer) => {
      asked.push(headers["accept-language"]);
      answer.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    for (const language of ["ko", undefined] as const) {
      await remote(url, "mina", language)(list, {}, file);
      await remote(url, "mina", language)(list, {}, "json");
    }
    assert.deepEqual(asked, ["ko", undefined, undefined, undefined]);
  });
  test("times of the command line are a person's, and must be ahead; those of a program may be late", async (t) => {
    const { url, ask } = await httpFixture(t, { operations: table });
    const late = { message: "hi", at: "2020-01-01T09:00:00+09:00" };
    for (const format of [file, "json"] as const) {
      const { code, message } = await failed(remote(url)(remind, late, format));
      assert.equal(code, "invalid");
      assert.match(message, /days ago: give a later time, or "now"\.$/);
    }
    assert.equal((await ask("/v1/notifications", { method: "POST", body: late })).status, 201);
  });
  test("a token that is not known names its file", async (t) => {
    const { url } = await httpFixture(t, { operations: table });
    const { code, message } = await failed(remote(url, "wrong")(list, {}, file));
    assert.equal(code, "refused");
    assert.match(message, /does not know the token in \/home\/mina\/token:/);
  });
  test("another program on that port is no daemon", async (t) => {
    for (const [status, body] of [
      [200, "<html>"],
      [404, "<html>"],
      [302, ""],
      [500, "{}"],
    ] as const) {
      const url = await answering(t, (_, answer) => answer.writeHead(status).end(body));
      const { code, message } = await failed(remote(url)(list, {}, file));
      assert.equal(code, "unavailable");
      assert.match(message, /is not Daybook|check that it is Daybook/);
    }
  });
  test("a write whose answer was lost may have happened; a look did not matter", async (t) => {
    const url = await answering(t, ({ socket }) => socket.destroy());
    const write = await failed(remote(url)(remind, { message: "a", at: "+1m" }, file));
    assert.equal(write.code, "unknown");
    assert.match(write.message, /unknown: check the record, or repeat the request with a key\.$/);
    assert.equal((await failed(remote(url)(list, {}, file))).code, "unavailable");
  });
  test("a code of a newer daemon is not ours to guess", async (t) => {
    const problem = JSON.stringify({ code: "constructor", detail: "Do that.", problems: [1] });
    const url = await answering(t, (_, answer) => answer.writeHead(418).end(problem));
    const { code, message, details } = await failed(remote(url)(list, {}, file));
    assert.deepEqual([code, message, details], ["unavailable", "Do that.", { problems: [1] }]);
  });
});

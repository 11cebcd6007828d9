import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { getRequestListener } from "@hono/node-server";
import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { handClock, type HandClock } from "../../../test/hand-clock.ts";
import { table } from "../../features/index.ts";
import { channelNames } from "../../features/notifications/ports.ts";
import type { Caller } from "../../kernel/operation.ts";
import { portsFrom, provide } from "../../kernel/port.ts";
import { ids } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { systemRandom } from "../../platform/random.ts";
import { memory } from "../../stores/memory/memory.ts";
import { mcpHandler, type McpHandler, type McpHandlerOptions } from "./http.ts";

const old: ClientOptions = {};
const current: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } };

interface McpFixture {
  url: URL;
  clock: HandClock;
  handler: McpHandler;
  /** Connects a client of a named caller. */
  connect(
    callerName: string,
    options: ClientOptions,
    query?: string,
  ): Promise<Client & { sessionId?: string }>;
}

/** `mina` and `mina/reader`: one owner, two callers; `mina/again` is `mina` with another token. */
function callerOf(callerName: string): Caller {
  const [owner = ""] = callerName.split("/");
  const isReader = callerName.endsWith("/reader");
  const scopes = isReader ? (["read"] as const) : (["read", "write"] as const);
  const token = callerName.endsWith("/again") ? "second" : "first";
  return { owner, by: `${owner}-agent`, scopes, origin: null, token };
}

async function mcpFixture(
  t: TestContext,
  options: Partial<McpHandlerOptions> = {},
): Promise<McpFixture> {
  const clock = handClock();
  const handler = mcpHandler({
    installation: {
      ledger: memory({ now: clock.wall, ids: ids(clock, systemRandom()) }),
      readProfile: () =>
        Promise.resolve({
          zone: "Asia/Seoul",
          zoneFrom: "setting",
          language: "en",
          home: null,
          quiet: null,
        }),
      ...portsFrom([provide(channelNames, () => ["inbox"])]),
      now: clock.wall,
      randomBytes,
    },
    operations: table,
    version: "1.2.3",
    log: log({ write: () => undefined, clock, level: "error", format: "json", color: false }),
    clock,
    ...options,
  });
  const listener = getRequestListener(
    (request) => handler.handle(request, callerOf(request.headers.get("x-caller") ?? "")),
    { overrideGlobalObjects: false },
  );
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  t.after(async () => {
    await handler.stop();
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  return {
    url,
    clock,
    handler,
    async connect(callerName, options, query = "") {
      const client = new Client({ name: callerName, version: "0" }, options);
      const requestInit = { headers: { "x-caller": callerName } };
      const transport = new StreamableHTTPClientTransport(new URL(query, url), { requestInit });
      await client.connect(transport);
      t.after(() => client.close());
      const { sessionId } = transport;
      return Object.assign(client, sessionId === undefined ? {} : { sessionId });
    },
  };
}

type Data = Record<string, unknown>;

async function call(client: Client, name: string, args: Data = {}): Promise<Data> {
  const result: CallToolResult = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, undefined, JSON.stringify(result.content));
  return result.structuredContent as Data;
}

async function messages(client: Client): Promise<unknown[]> {
  const { notifications } = await call(client, "list_notifications", {});
  return (notifications as Data[]).map(({ message }) => message);
}

interface RawRequest {
  callerName: string;
  session?: string;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

/** Sends a request as a client of 2025 does. */
async function send(url: URL, raw: RawRequest): Promise<{ status: number; text: string }> {
  const { callerName, session, method = "POST", headers } = raw;
  const { body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) } = raw;
  const response = await fetch(url, {
    method,
    headers: {
      "x-caller": callerName,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    body: method === "POST" ? body : null,
  });
  return { status: response.status, text: await response.text() };
}

for (const [era, options] of [
  ["2025", old],
  ["2026", current],
] as const) {
  describe(`over HTTP, a client of ${era}`, () => {
    test("is offered the usual tools, and every tool at ?tools=all", async (t) => {
      const { connect } = await mcpFixture(t);
      const few = await (await connect("mina", options)).listTools();
      const client = await connect("mina", options, "?tools=all");
      const all = await client.listTools();
      const pauses = ["pause_everything", "resume_everything"];
      const onRequest = [
        "emit_event",
        "list_questions",
        "answer_question",
        "claim_task",
        ...pauses,
      ];
      const offered = (tools: typeof few.tools): unknown[] =>
        onRequest.filter((name) => tools.some((tool) => tool.name === name));
      assert.deepEqual(offered(few.tools), []);
      assert.deepEqual(offered(all.tools), onRequest);
      assert.deepEqual((await call(client, "list_questions"))["questions"], []);
    });

    test("schedules, lists, updates and cancels", async (t) => {
      const { connect } = await mcpFixture(t);
      const client = await connect("mina", options);
      assert.ok(client.getNegotiatedProtocolVersion()?.startsWith(era));
      assert.equal(client.sessionId !== undefined, era === "2025");
      const input = { message: "stand-up", at: "tomorrow 9am" };
      const { id } = await call(client, "schedule_notification", input);
      assert.deepEqual(await messages(client), ["stand-up"]);
      await call(client, "update_notification", { id, message: "sit-down" });
      assert.deepEqual(await messages(client), ["sit-down"]);
      await call(client, "cancel_notification", { id });
      assert.deepEqual(await messages(client), []);
    });
    test("never receives the answer of another caller's concurrent request", async (t) => {
      const { connect } = await mcpFixture(t);
      const names = ["mina", "jun", "sora"];
      const clients = await Promise.all(names.map((name) => connect(name, options)));
      const rounds = Array.from({ length: 10 }, (_, round) => round);
      await Promise.all(
        clients.flatMap((client, index) =>
          rounds.map(async (round) => {
            const message = `${names[index]} ${round}`;
            const made = await call(client, "schedule_notification", { message, at: "+1h" });
            assert.equal(made["message"], message);
            const seen = await messages(client);
            assert.ok(seen.includes(message));
            assert.ok(seen.every((each) => String(each).startsWith(`${names[index]} `)));
          }),
        ),
      );
      for (const client of clients) assert.equal((await messages(client)).length, rounds.length);
    });
    test("is offered the tools that its token allows", async (t) => {
      const { connect } = await mcpFixture(t);
      const { tools } = await (await connect("mina/reader", options)).listTools();
      assert.ok(tools.length > 0);
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    });
    test("gets an error when Daybook is stopping", async (t) => {
      const { connect, handler } = await mcpFixture(t);
      const client = await connect("mina", options);
      await handler.stop();
      await assert.rejects(messages(client), /503|stopping/);
    });
  });
}

/** Sends a request as a client of 2026 does; returns its result and the size of the response. */
async function exchange(url: URL, method: string, params: Data): Promise<[Data, number]> {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const name = params["name"];
  const { status, text } = await send(url, {
    callerName: "mina",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
  });
  assert.equal(status, 200, text);
  return [(JSON.parse(text) as { result: Data }).result, Buffer.byteLength(text)];
}

describe("over the wire", () => {
  test("the list of tools has a cache time and is private to the caller", async (t) => {
    const { url } = await mcpFixture(t);
    const [result] = await exchange(url, "tools/list", {});
    assert.deepEqual([result["ttlMs"], result["cacheScope"]], [300_000, "private"]);
  });
  test("a long list comes in pages of at most 16 KB that together are complete", async (t) => {
    const { url } = await mcpFixture(t);
    const sent = Array.from({ length: 60 }, (_, at) => `${at} ${"긴 말 ".repeat(at * 10)}`.trim());
    for (const message of sent) {
      const input = { message, at: "+1h" };
      await exchange(url, "tools/call", { name: "schedule_notification", arguments: input });
    }
    const seen: unknown[] = [];
    for (let after: Data | undefined = {}; after !== undefined;) {
      const params: Data = { name: "list_notifications", arguments: after };
      const [result, bytes] = await exchange(url, "tools/call", params);
      assert.ok(bytes <= 16_384, `${bytes} bytes`);
      const { notifications, next } = result["structuredContent"] as Data;
      seen.push(...(notifications as Data[]).map(({ message }) => message));
      after = next === null ? undefined : { after: next };
    }
    assert.equal(seen.length, sent.length);
    assert.deepEqual(new Set(seen), new Set(sent));
  });
});

/** The request with which a client of 2025 opens a session. */
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "0" },
  },
});

describe("a session", () => {
  test("is found only by the caller who opened it, with the same rights", async (t) => {
    const { connect, url } = await mcpFixture(t);
    const session = (await connect("mina", old)).sessionId ?? "";
    assert.match(session, /^[\w-]{43}$/);
    assert.equal((await send(url, { callerName: "mina", session })).status, 200);
    const unknown = await send(url, { callerName: "jun", session: "x".repeat(43) });
    assert.equal(unknown.status, 404);
    assert.deepEqual(await send(url, { callerName: "jun", session }), unknown);
    assert.deepEqual(await send(url, { callerName: "mina/reader", session }), unknown);
    assert.deepEqual(await send(url, { callerName: "mina/again", session }), unknown);
    const ended = await send(url, { callerName: "jun", session, method: "DELETE" });
    assert.deepEqual(ended, unknown);
    assert.equal((await send(url, { callerName: "mina", session })).status, 200);
  });
  test("ends when its client deletes it", async (t) => {
    const { connect, url, clock } = await mcpFixture(t);
    const session = (await connect("mina", old)).sessionId ?? "";
    assert.equal((await send(url, { callerName: "mina", session, method: "DELETE" })).status, 200);
    assert.equal((await send(url, { callerName: "mina", session })).status, 404);
    assert.deepEqual(clock.waiting(), []);
  });
  test("ends after the idle time since its last request, not before", async (t) => {
    const { connect, url, clock } = await mcpFixture(t, { idleMs: 60_000 });
    const session = (await connect("mina", old)).sessionId ?? "";
    clock.advance(59_999);
    assert.equal((await send(url, { callerName: "mina", session })).status, 200);
    clock.advance(59_999);
    assert.equal((await send(url, { callerName: "mina", session })).status, 200);
    clock.advance(60_000);
    assert.equal((await send(url, { callerName: "mina", session })).status, 404);
  });
  test("over the limit of its caller ends the caller's longest idle one", async (t) => {
    const { connect, url } = await mcpFixture(t, { perCallerMax: 2 });
    const first = (await connect("mina", old)).sessionId ?? "";
    const second = (await connect("mina", old)).sessionId ?? "";
    const other = (await connect("jun", old)).sessionId ?? "";
    assert.equal((await send(url, { callerName: "mina", session: first })).status, 200);
    const third = (await connect("mina", old)).sessionId ?? "";
    const statuses = [first, second, third].map((session) =>
      send(url, { callerName: "mina", session }),
    );
    assert.deepEqual(
      (await Promise.all(statuses)).map(({ status }) => status),
      [200, 404, 200],
    );
    assert.equal((await send(url, { callerName: "jun", session: other })).status, 200);
  });
  test("stays within the limit when many are opened at once", async (t) => {
    const { handler, url, clock } = await mcpFixture(t, { perCallerMax: 2 });
    const open = (): Promise<Response> =>
      handler.handle(
        new Request(url, {
          method: "POST",
          headers: {
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
          },
          body: initialize,
        }),
        callerOf("mina"),
      );
    await Promise.all(Array.from({ length: 8 }, open));
    assert.equal(clock.waiting().length, 2);
  });
  test("over the limit of the server is refused, and open ones continue", async (t) => {
    const { connect } = await mcpFixture(t, { sessionsMax: 2 });
    const mina = await connect("mina", old);
    await connect("jun", old);
    await assert.rejects(connect("sora", old), /Too many sessions/);
    assert.deepEqual(await messages(mina), []);
  });
  test("does not remain after a failed initialize", async (t) => {
    const { url, clock } = await mcpFixture(t);
    const refused = await send(url, {
      callerName: "mina",
      body: initialize,
      headers: { accept: "text/plain" },
    });
    assert.equal(refused.status, 406);
    assert.deepEqual(clock.waiting(), []);
    assert.equal((await send(url, { callerName: "mina", body: initialize })).status, 200);
    assert.equal(clock.waiting().length, 1);
  });
});

describe("an invalid request", () => {
  const bad: [name: string, raw: Omit<RawRequest, "callerName">, status: number][] = [
    ["without a session", {}, 400],
    ["for a stream", { method: "GET" }, 405],
    ["that is not JSON", { body: "{" }, 400],
    ["that is null", { body: "null" }, 400],
    ["that is empty", { body: "" }, 400],
    ["of another type", { headers: { "content-type": "text/plain" } }, 415],
    ["that is too long", { body: JSON.stringify("x".repeat(1_048_576)) }, 413],
    ["by another method", { method: "PUT" }, 405],
  ];
  for (const [name, raw, status] of bad) {
    test(`${name} is refused with ${status}`, async (t) => {
      const { url } = await mcpFixture(t);
      assert.equal((await send(url, { callerName: "mina", ...raw })).status, status);
    });
  }
});

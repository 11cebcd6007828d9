import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import express from "express";
import { Hono } from "hono";
import { WebSocket, WebSocketServer } from "ws";
import * as z from "zod";
import { task } from "../features/tasks/function.ts";
import type { HostCaller } from "../interfaces/http/callers.ts";
import { hasCode } from "../platform/errors.ts";
import { open, type Daybook, type OpenOptions } from "./library/open.ts";

const double = task({
  name: "double",
  input: z.object({ n: z.number() }),
  run: ({ n }) => ({ twice: n * 2 }),
});

async function opened(t: TestContext, options: Partial<OpenOptions> = {}): Promise<Daybook> {
  const daybook = await open({ store: "memory:", ...options });
  t.after(() => daybook.close());
  return daybook;
}

/** Who asks is a header of the host's own. */
function byHeader(request: Request): HostCaller | null {
  const owner = request.headers.get("x-user");
  return owner === null ? null : { owner, scopes: ["read", "write"] };
}

const backup = { name: "backup", every: "1d" };
const json = { "content-type": "application/json" };

function post(url: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(url, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { ...json, ...headers },
  });
}

async function served(t: TestContext, app: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("functions of the host program", { timeout: 120_000 }, () => {
  test("run when they are asked for, and what they return comes back", async (t) => {
    const daybook = await opened(t, { tasks: [double] });
    const early = await daybook.run(double, { n: 2 });
    await daybook.start();
    assert.deepEqual(await early.result(), { twice: 4 });
    const keyed = await daybook.run(double, { n: 21 }, { key: "once" });
    const again = await daybook.run(double, { n: 21 }, { key: "once" });
    assert.deepEqual([keyed.fresh, again.fresh, again.id], [true, false, keyed.id]);
    assert.deepEqual(await again.result(), { twice: 42 });
  });
  test("are not asked with a wrong input: it does not compile, and is refused", async (t) => {
    const daybook = await opened(t);
    // @ts-expect-error: a text is no number
    await assert.rejects(daybook.run(double, { n: "2" }), (error) => {
      return hasCode(error, "invalid") && error.details["path"] === "n";
    });
  });
  test("say how they ended when they did not complete", async (t) => {
    const breaks = task({
      name: "breaks",
      input: z.object({}),
      retry: { attempts: 1 },
      run() {
        throw new Error("out of paper");
      },
    });
    const daybook = await opened(t, { tasks: [breaks] });
    await daybook.start();
    const handle = await daybook.run(breaks, {});
    await assert.rejects(handle.result(), (error) => {
      return hasCode(error, "ended") && /failed \(out of paper\)/.test(error.message);
    });
  });
  test("are waited for no longer than the caller wants", async (t) => {
    const daybook = await opened(t, { tasks: [double] });
    const handle = await daybook.run(double, { n: 1 });
    const stopping = new AbortController();
    const waiting = handle.result({ signal: stopping.signal });
    stopping.abort(new Error("enough"));
    await assert.rejects(waiting, /enough/);
  });
  test("stay where nobody runs them: the name is another program's", async (t) => {
    const daybook = await opened(t);
    await daybook.start();
    const { id } = await daybook.run(double, { n: 1 });
    assert.equal((await daybook.showRun({ id })).status, "pending");
  });
  test("have a name each", async () => {
    const asked = open({ store: "memory:", tasks: [double, double] });
    await assert.rejects(asked, /Two tasks have the name "double"/);
  });
});

describe("a book that only asks", () => {
  test("is not started, and says why", async (t) => {
    const daybook = await opened(t, { controllers: false });
    await daybook.remind({ message: "hi", at: "+1s" });
    await assert.rejects(daybook.start(), (error) => {
      return hasCode(error, "refused") && /controllers: false/.test(error.message);
    });
  });
});

describe("the face in somebody else's server", { timeout: 120_000 }, () => {
  test("lets the host say who asks", async (t) => {
    const daybook = await opened(t, { auth: byHeader });
    const ask = post("http://shop.example/v1/notifications", { message: "hi", at: "+1h" });
    assert.equal((await daybook.fetch(ask)).status, 401);
    const known = post(ask.url, { message: "hi", at: "+1h" }, { "x-user": "mina" });
    assert.equal((await daybook.fetch(known)).status, 201);
    const { notifications } = await daybook.as({ owner: "mina" }).list({});
    assert.deepEqual(
      notifications.map(({ message, created_by: by }) => [message, by]),
      [["hi", "mina"]],
    );
    assert.deepEqual((await daybook.list({})).notifications, []);
  });
  test("asks the tokens about whom the host does not know", async (t) => {
    const daybook = await opened(t, { auth: byHeader });
    const { token } = await daybook.createToken({ name: "ci", scopes: ["read"], owner: "mina" });
    const headers = { authorization: `Bearer ${token}` };
    const whoami = new Request("http://shop.example/v1/whoami", { headers });
    const answer = (await (await daybook.fetch(whoami)).json()) as { owner: string };
    assert.equal(answer.owner, "mina");
    headers.authorization += "x";
    const wrong = new Request("http://shop.example/v1/whoami", { headers });
    assert.equal((await daybook.fetch(wrong)).status, 401);
  });
  test("goes by the scopes that the host gives", async (t) => {
    const auth = (): HostCaller => ({ owner: "mina", scopes: ["read"] });
    const daybook = await opened(t, { auth });
    const ask = post("http://shop.example/v1/notifications", { message: "hi", at: "+1h" });
    assert.equal((await daybook.fetch(ask)).status, 403);
  });
  test("takes nothing from another site's page on the strength of a cookie", async (t) => {
    const daybook = await opened(t, { auth: byHeader });
    const foreign = { "x-user": "mina", origin: "https://evil.example" };
    const ask = post("http://shop.example/v1/notifications", { message: "x", at: "+1h" }, foreign);
    assert.equal((await daybook.fetch(ask)).status, 403);
  });
  test("does not read the body before who asks is known, and the host cannot take it", async (t) => {
    const bodies: (object | null)[] = [];
    const auth = (request: Request): HostCaller => {
      bodies.push(request.body);
      return { owner: "mina", scopes: ["write"] };
    };
    const daybook = await opened(t, { auth });
    const ask = post("http://shop.example/v1/notifications", { message: "hi", at: "+1h" });
    assert.equal((await daybook.fetch(ask)).status, 201);
    assert.deepEqual(bodies, [null]);
  });
  test("has no login page", async (t) => {
    const daybook = await opened(t);
    const answer = await daybook.fetch(new Request("http://shop.example/login?code=x"));
    assert.equal(answer.status, 401);
  });
  test("stands under its path, and says so where things are", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook/" });
    const at = "http://shop.example/daybook/v1/notifications";
    const mina = { "x-user": "mina" };
    const made = await daybook.fetch(post(at, { message: "hi", at: "+1h" }, mina));
    const place = made.headers.get("location") ?? "";
    assert.match(place, /^\/daybook\/v1\/notifications\/[\w-]+$/);
    const found = new Request(new URL(place, at), { headers: mina });
    assert.equal((await daybook.fetch(found)).status, 200);
    const beside = new Request("http://shop.example/daybooks/v1/whoami", { headers: mina });
    assert.equal((await daybook.fetch(beside)).status, 404);
  });
  test("answers a wrong task input with 422 and the place", async (t) => {
    const daybook = await opened(t, { auth: byHeader, tasks: [double] });
    const ask = post(
      "http://shop.example/v1/tasks",
      { task: "double", input: { n: "two" } },
      { "x-user": "mina" },
    );
    const answer = await daybook.fetch(ask);
    const problem = (await answer.json()) as { details: unknown };
    assert.deepEqual([answer.status, problem.details], [422, { path: "n" }]);
  });
  test("serves agents", async (t) => {
    const daybook = await opened(t, { auth: byHeader });
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "test", version: "1" },
      },
    };
    const accept = "application/json, text/event-stream";
    const ask = post("http://shop.example/mcp", body, { "x-user": "mina", accept });
    assert.equal((await daybook.fetch(ask)).status, 200);
  });
  test("two in one process know nothing of each other", async (t) => {
    const [one, two] = [await opened(t, { auth: byHeader }), await opened(t, { auth: byHeader })];
    const before = process.listenerCount("SIGTERM") + process.listenerCount("SIGINT");
    await Promise.all([one.start(), two.start()]);
    assert.equal(process.listenerCount("SIGTERM") + process.listenerCount("SIGINT"), before);
    const mina = { "x-user": "mina" };
    const ask = post("http://a.example/v1/notifications", { message: "one", at: "+1h" }, mina);
    assert.equal((await one.fetch(ask)).status, 201);
    const look = (): Request => new Request("http://a.example/v1/notifications", { headers: mina });
    const counts = await Promise.all(
      [one, two].map(async ({ fetch }) => {
        const { notifications } = (await (await fetch(look())).json()) as { notifications: [] };
        return notifications.length;
      }),
    );
    assert.deepEqual(counts, [1, 0]);
  });
});

describe("mounted", { timeout: 120_000 }, () => {
  const message = { message: "hi", at: "+1h" };
  const mina = { "x-user": "mina" };

  for (const [name, before] of [
    ["before a body parser", []],
    ["after a body parser", [express.json()]],
  ] as const) {
    test(`in Express ${name}, at the path that Express says`, async (t) => {
      const daybook = await opened(t, { auth: byHeader });
      const app = express();
      for (const each of before) app.use(each);
      app.use("/daybook", daybook.node());
      const url = await served(t, app as Parameters<typeof createServer>[1]);
      const made = await fetch(post(`${url}/daybook/v1/notifications`, message, mina));
      assert.equal(made.status, 201, await made.clone().text());
      const place = made.headers.get("location") ?? "";
      assert.match(place, /^\/daybook\/v1\//);
      assert.equal((await fetch(`${url}${place}`, { headers: mina })).status, 200);
    });
  }
  test("in Express, who asks may be what another middleware found", async (t) => {
    const auth: OpenOptions["auth"] = (_, { incoming }) => {
      const { user } = incoming as IncomingMessage & { user: string };
      return { owner: user, scopes: ["read"] };
    };
    const daybook = await opened(t, { auth });
    const app = express().use((request, _, next) => {
      Object.assign(request, { user: "mina" });
      next();
    });
    app.use("/daybook", daybook.node());
    const url = await served(t, app as Parameters<typeof createServer>[1]);
    const answer = await (await fetch(`${url}/daybook/v1/whoami`)).json();
    assert.equal((answer as { owner: string }).owner, "mina");
  });
  test("shows where a watch is pinged, as whoever asked reaches it", async (t) => {
    const daybook = await opened(t, { auth: byHeader });
    const app = express().use("/daybook", daybook.node());
    const url = await served(t, app as Parameters<typeof createServer>[1]);
    const made = await fetch(post(`${url}/daybook/v1/watches`, backup, mina));
    const { ping_url: ping } = (await made.json()) as { ping_url: string };
    assert.ok(ping.startsWith(`${url}/daybook/ping/`), ping);
    assert.equal((await fetch(ping)).status, 200);
  });
  const asked = "http://shop.example/daybook/v1/watches";
  for (const [publicUrl, byMethod, byFetch] of [
    [undefined, "/daybook/ping/", "http://shop.example/daybook/ping/"],
    ["https://jobs.example/d/", "https://jobs.example/d/ping/", "https://jobs.example/d/ping/"],
  ] as const) {
    test(`shows where a watch is pinged, where it is reached at ${publicUrl}`, async (t) => {
      const where = { basePath: "/daybook", ...(publicUrl && { publicUrl }) };
      const daybook = await opened(t, { auth: byHeader, ...where });
      const { ping_url: ping } = await daybook.createWatch(backup);
      assert.ok(ping.startsWith(byMethod), ping);
      const made = await daybook.fetch(post(asked, backup, mina));
      const { ping_url: told } = (await made.json()) as { ping_url: string };
      assert.ok(told.startsWith(byFetch), told);
    });
  }
  test("in Hono, by mount and by a route", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook" });
    const app = new Hono();
    app.mount("/daybook", daybook.fetch);
    const routed = new Hono();
    routed.all("/daybook/*", (c) => daybook.fetch(c.req.raw));
    for (const each of [app, routed]) {
      const ask = post("http://shop.example/daybook/v1/notifications", message, mina);
      assert.equal((await each.fetch(ask)).status, 201);
    }
  });
});

describe("attached to somebody else's server", { timeout: 120_000 }, () => {
  const mina = { "x-user": "mina" };

  /** An app with a socket of its own at `/live`. */
  async function withSockets(t: TestContext, daybook: Daybook): Promise<string> {
    const app = express().use("/daybook", daybook.node());
    const server = createServer(app as Parameters<typeof createServer>[1]);
    const live = new WebSocketServer({ noServer: true });
    server.on("upgrade", daybook.upgrade);
    server.on("upgrade", (incoming, socket, head) => {
      if (incoming.url !== "/live") return;
      live.handleUpgrade(incoming, socket, head, (opened) => opened.send("theirs"));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function socketAt(t: TestContext, url: string, headers: Record<string, string> = {}): WebSocket {
    const socket = new WebSocket(url, { headers });
    t.after(() => socket.terminate());
    return socket;
  }

  async function statusAt(t: TestContext, url: string, headers = {}): Promise<number> {
    const socket = socketAt(t, url, headers).on("error", () => undefined);
    const [, answer] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    return answer.statusCode ?? 0;
  }

  async function frameFrom(socket: WebSocket): Promise<Record<string, unknown>> {
    const [data] = (await once(socket, "message")) as [Buffer];
    return JSON.parse(data.toString()) as Record<string, unknown>;
  }

  test("whom the host knows hears what is for them, and says that it was shown", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook" });
    await daybook.start();
    const url = await withSockets(t, daybook);
    const socket = socketAt(t, `${url}/daybook/v1/attach`, mina);
    const hello = await frameFrom(socket);
    assert.deepEqual([hello["type"], hello["waiting"]], ["hello", 0]);
    const book = daybook.as({ owner: "mina" });
    const { id } = await book.remind({ message: "안녕", at: "+0s" });
    const { message, id: shown } = await frameFrom(socket);
    assert.deepEqual([message, shown], ["안녕", id]);
    socket.send(JSON.stringify({ type: "ack", id }));
    while ((await book.show({ id })).state !== "delivered") await setTimeout(10);
  });
  test("other sockets of the host are its own", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook" });
    await daybook.start();
    const socket = socketAt(t, `${await withSockets(t, daybook)}/live`);
    const [data] = (await once(socket, "message")) as [Buffer];
    assert.equal(data.toString(), "theirs");
  });
  test("a token of the book is as good, and who is not known is not let in", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook/" });
    await daybook.start();
    const at = `${await withSockets(t, daybook)}/daybook/v1/attach`;
    const tokens = await Promise.all(
      (["read", "write"] as const).map((scope) =>
        daybook.createToken({ name: scope, scopes: [scope], owner: "mina" }),
      ),
    );
    const [reads, writes] = tokens.map(({ token }) => ({ authorization: `Bearer ${token}` }));
    assert.equal((await frameFrom(socketAt(t, at, reads)))["type"], "hello");
    const foreign = { ...mina, origin: "https://evil.example" };
    const rows = [
      [writes, 403],
      [{ authorization: "Bearer wrong" }, 401],
      [{}, 401],
      [foreign, 403],
    ] as const;
    for (const [headers, status] of rows) {
      assert.equal(await statusAt(t, at, headers), status, JSON.stringify(headers));
    }
  });
  test("nobody is let in before it is started, and all are told when it stops", async (t) => {
    const daybook = await opened(t, { auth: byHeader, basePath: "/daybook" });
    const at = `${await withSockets(t, daybook)}/daybook/v1/attach`;
    assert.equal(await statusAt(t, at, mina), 503);
    await daybook.start();
    const socket = socketAt(t, at, mina);
    await frameFrom(socket);
    const closed = once(socket, "close");
    await daybook.stop();
    assert.equal((await closed)[0], 1001);
    assert.equal(await statusAt(t, at, mina), 503);
    await daybook.start();
    assert.equal((await frameFrom(socketAt(t, at, mina)))["type"], "hello");
  });
  test("a book that only asks has no socket", async (t) => {
    const daybook = await opened(t, { auth: byHeader, controllers: false });
    const at = `${await withSockets(t, daybook)}/v1/attach`;
    assert.equal(await statusAt(t, at, mina), 404);
  });
});

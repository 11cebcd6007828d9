import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test, type TestContext } from "node:test";
import { WebSocket, type ClientOptions } from "ws";
import { settled } from "../../../test/hand-clock.ts";
import { httpFixture, type HttpFixture } from "../../../test/http-fixture.ts";
import type { Caller } from "../../kernel/operation.ts";
import { DaybookError } from "../../platform/errors.ts";
import type { Attached, SessionPort, SessionSocket } from "./attach.ts";
import type { HostCaller } from "./callers.ts";
import type { HttpOptions } from "./options.ts";

/** A port that notes what it is told. */
interface Port extends SessionPort {
  listeners: { caller: Caller; socket: SessionSocket; session: string | undefined }[];
  acks: string[];
  detached: Promise<void>;
}

function port(change: Partial<Attached> = {}): Port {
  const detached = Promise.withResolvers<void>();
  const here: Port = {
    listeners: [],
    acks: [],
    detached: detached.promise,
    attach(caller, socket, session) {
      here.listeners.push({ caller, socket, session });
      return {
        lane: `session:${session ?? "all"}`,
        acked: (id) => void here.acks.push(id),
        async detach() {
          detached.resolve();
        },
        ...change,
      };
    },
  };
  return here;
}

interface Client {
  socket: WebSocket;
  /** The next frame that came or comes. */
  frame(): Promise<unknown>;
  closed: Promise<number>;
}

function client(t: TestContext, url: string, options: ClientOptions & { protocols?: string[] }) {
  const socket = new WebSocket(url, options.protocols ?? [], options);
  t.after(() => socket.terminate());
  const came: unknown[] = [];
  const waiting: ((frame: unknown) => void)[] = [];
  socket.on("message", (data: Buffer) => {
    const frame: unknown = JSON.parse(data.toString());
    const next = waiting.shift();
    if (next === undefined) came.push(frame);
    else next(frame);
  });
  const closed = once(socket, "close").then(([code]) => Number(code));
  closed.catch(() => undefined); // told where it is waited for
  const frame = (): Promise<unknown> =>
    came.length > 0
      ? Promise.resolve(came.shift())
      : new Promise((resolve) => {
          waiting.push(resolve);
        });
  return { socket, frame, closed } satisfies Client;
}

const bearer = { headers: { authorization: "Bearer mina" } };

async function attached(
  t: TestContext,
  sessions: SessionPort,
  change: Partial<HttpOptions> = {},
): Promise<HttpFixture & Client> {
  const fixture = await httpFixture(t, { sessions, ...change });
  const one = client(t, `${wsUrl(fixture)}?session=desk`, bearer);
  return { ...fixture, ...one };
}

function wsUrl({ url }: HttpFixture): string {
  return `${url.replace("http", "ws")}/v1/attach`;
}

/** The status of an upgrade that is refused. */
async function refusal(t: TestContext, url: string, options: ClientOptions): Promise<number> {
  const { socket } = client(t, url, options);
  socket.on("error", () => undefined);
  const [, answer] = (await once(socket, "unexpected-response")) as [
    unknown,
    { statusCode: number },
  ];
  return answer.statusCode;
}

describe("who attaches", { timeout: 120_000 }, () => {
  test("is greeted, hears messages and confirms them", async (t) => {
    const sessions = port({ waiting: 2 });
    const { socket, frame, closed } = await attached(t, sessions);
    assert.deepEqual(await frame(), { type: "hello", session: "session:desk", waiting: 2 });
    const [listener] = sessions.listeners;
    assert.deepEqual([listener?.caller.owner, listener?.session], ["mina", "desk"]);
    const message = { type: "message", id: "7", message: "안녕", at: 1, maybe_repeat: false };
    await listener?.socket.send(message);
    assert.deepEqual(await frame(), message);
    socket.send(JSON.stringify({ type: "ack", id: "7" }));
    socket.close();
    assert.equal(await closed, 1005);
    await Promise.all([sessions.detached, listener?.socket.closed]);
    assert.deepEqual(sessions.acks, ["7"]);
    await assert.rejects(listener?.socket.send(message) ?? Promise.resolve(), DaybookError);
  });
  test("hears nothing before the greeting", async (t) => {
    const inner = port();
    const sessions: SessionPort = {
      async attach(caller, socket, session) {
        void socket.send({ type: "message", id: "early" });
        await settled();
        return inner.attach(caller, socket, session);
      },
    };
    const { frame } = await attached(t, sessions);
    assert.deepEqual(await frame(), { type: "hello", session: "session:desk", waiting: null });
    assert.deepEqual(await frame(), { type: "message", id: "early" });
  });
  test("may give the token as a protocol, which is not said back", async (t) => {
    const fixture = await httpFixture(t, { sessions: port() });
    const { socket, frame } = client(t, wsUrl(fixture), { protocols: ["daybook", "bearer.mina"] });
    assert.deepEqual(await frame(), { type: "hello", session: "session:all", waiting: null });
    assert.equal(socket.protocol, "daybook");
  });
  test("is told why when the port refuses", async (t) => {
    const sessions: SessionPort = {
      attach: () => Promise.reject(new DaybookError("refused", "Name your own session.")),
    };
    const { frame, closed } = await attached(t, sessions);
    const detail = "Name your own session.";
    assert.deepEqual(await frame(), { type: "problem", code: "refused", detail });
    assert.equal(await closed, 1008);
  });
  test("is told when the server stops, and the stop waits for the port", async (t) => {
    const done: string[] = [];
    const sessions = port({
      async detach() {
        await settled();
        done.push("detached");
      },
    });
    const { frame, closed, server } = await attached(t, sessions);
    await frame();
    await server.stop();
    done.push("stopped");
    assert.equal(await closed, 1001);
    assert.deepEqual(done, ["detached", "stopped"]);
  });
});

describe("listeners of one owner", { timeout: 120_000 }, () => {
  test("are a hundred at most, and one that leaves makes room", async (t) => {
    const left = Promise.withResolvers<void>();
    const sessions = port({ detach: () => Promise.resolve(left.resolve()) });
    const fixture = await httpFixture(t, { sessions });
    const comers = Array.from({ length: 101 }, () => client(t, wsUrl(fixture), bearer));
    const greetings = await Promise.all(
      comers.map(async (comer) => ({ comer, frame: (await comer.frame()) as { type: string } })),
    );
    const { hello = [], problem = [] } = Object.groupBy(greetings, ({ frame }) => frame.type);
    assert.deepEqual([hello.length, problem.length], [100, 1]);
    const detail =
      '100 listen in the book of "mina" at this node, and no more may: close one of them first.';
    assert.deepEqual(problem[0]?.frame, { type: "problem", code: "refused", detail });
    assert.equal(await problem[0]?.comer.closed, 1008);
    const greeted = async (options: ClientOptions): Promise<string> =>
      JSON.stringify(await client(t, wsUrl(fixture), options).frame());
    assert.match(await greeted({ headers: { authorization: "Bearer jun" } }), /hello/);
    assert.match(await greeted(bearer), /problem/);
    hello[0]?.comer.socket.close();
    await left.promise;
    assert.match(await greeted(bearer), /hello/);
  });
  test("who are turned away by the port take no seat", async (t) => {
    const fixture = await httpFixture(t, {
      sessions: { attach: () => Promise.reject(new DaybookError("refused", "Not here.")) },
    });
    for (let count = 0; count < 101; count += 1) {
      const { frame, closed } = client(t, wsUrl(fixture), bearer);
      assert.match(JSON.stringify(await frame()), /Not here/);
      await closed;
    }
  });
});

describe("an upgrade is refused", { timeout: 120_000 }, () => {
  const cases: [name: string, status: number, options: ClientOptions, path?: string][] = [
    ["without a token", 401, {}],
    ["with a wrong token", 401, { headers: { authorization: "Bearer wrong" } }],
    ["with a cookie alone", 401, { headers: { cookie: "daybook_session=x" } }],
    ["with a token that may not read", 403, { headers: { authorization: "Bearer mina-writes" } }],
    ["from another site's page", 403, { ...bearer, origin: "https://evil.example" }],
    ["from another port's page", 403, { ...bearer, origin: "http://127.0.0.1:1" }],
    ["to another host", 421, { headers: { ...bearer.headers, host: "evil.example" } }],
    ["elsewhere", 404, bearer, "/v1/notes"],
    ["elsewhere without a token", 401, {}, "/v1/notes"],
  ];
  for (const [name, status, options, path = "/v1/attach"] of cases) {
    test(`${name}: ${status}`, async (t) => {
      const sessions = port();
      const { url } = await httpFixture(t, { sessions });
      assert.equal(await refusal(t, `${url.replace("http", "ws")}${path}`, options), status);
      assert.deepEqual(sessions.listeners, []);
    });
  }
  test("when there is nothing to attach to: 404", async (t) => {
    assert.equal(await refusal(t, wsUrl(await httpFixture(t)), bearer), 404);
  });
  test("but not from our own page", async (t) => {
    const fixture = await httpFixture(t, { sessions: port() });
    const { frame } = client(t, wsUrl(fixture), { ...bearer, origin: fixture.url });
    assert.match(JSON.stringify(await frame()), /hello/);
  });
  test("and a plain request is told that it is a socket: 426", async (t) => {
    const fixture = await httpFixture(t, { sessions: port() });
    assert.equal((await fixture.ask("/v1/attach")).status, 426);
  });
});

describe("a frame that is wrong", { timeout: 120_000 }, () => {
  const frames: [name: string, data: string | Buffer, code: number][] = [
    ["no JSON", "{", 1007],
    ["a prototype", '{"__proto__":{}}', 1007],
    ["another type", '{"type":"say","id":"1"}', 1008],
    ["one name too many", '{"type":"ack","id":"1","owner":"jun"}', 1008],
    ["an id that is no text", '{"type":"ack","id":1}', 1008],
    ["bytes", Buffer.from([1, 2]), 1003],
  ];
  for (const [name, data, code] of frames) {
    test(`by ${name} is answered and closed with ${code}`, async (t) => {
      const sessions = port();
      const { socket, frame, closed } = await attached(t, sessions);
      await frame();
      socket.send(data);
      socket.send('{"type":"ack","id":"after"}');
      const said = (await frame()) as { type: string; code: string };
      assert.deepEqual([said.type, said.code], ["problem", "invalid"]);
      assert.equal(await closed, code);
      await sessions.detached;
      assert.deepEqual(sessions.acks, []);
    });
  }
  test("by one byte over 64 KiB is closed with 1009", async (t) => {
    const { socket, frame, closed } = await attached(t, port());
    await frame();
    socket.send("x".repeat(64 * 1024 + 1));
    assert.equal(await closed, 1009);
  });
});

describe("a socket over time", { timeout: 120_000 }, () => {
  test("is pinged every 20 s, and dropped when it answers no more", async (t) => {
    const sessions = port();
    const { socket, frame, clock, closed } = await attached(t, sessions);
    await frame();
    for (let beat = 0; beat < 3; beat += 1) {
      const pinged = once(socket, "ping");
      await passing(clock, 20_000);
      await pinged;
      // The pong is answered by the time that an echo after it has come back.
      await echo(socket);
    }
    socket.pause(); // as one whose machine is gone
    await passing(clock, 40_000);
    await sessions.detached;
    socket.resume();
    assert.equal(await closed, 1006);
  });
  test("is closed within five seconds of its token being taken away", async (t) => {
    const { people, frame, clock, closed } = await attached(t, port());
    await frame();
    await passing(clock, 20_000);
    people.delete("mina");
    await passing(clock, 5_000);
    assert.equal(await closed, 1008);
  });
  test("is closed when its token may not read any more", async (t) => {
    const { people, frame, clock, closed } = await attached(t, port());
    await frame();
    const mina = people.get("mina");
    assert.ok(mina);
    people.set("mina", { ...mina, scopes: ["write"] });
    await passing(clock, 5_000);
    assert.equal(await closed, 1008);
  });
  test("whom the program around us knows stays as long as it says so, and as the same owner", async (t) => {
    const changes: (HostCaller | null)[] = [
      null,
      { owner: "jun", scopes: ["read"] },
      { owner: "mina", scopes: ["write"] },
    ];
    for (const change of changes) {
      let known: HostCaller | null = { owner: "mina", scopes: ["read"] };
      const fixture = await httpFixture(t, { sessions: port(), auth: () => known });
      const { frame, closed } = client(t, wsUrl(fixture), {});
      assert.deepEqual(await frame(), { type: "hello", session: "session:all", waiting: null });
      await passing(fixture.clock, 20_000);
      known = change;
      await passing(fixture.clock, 5_000);
      assert.equal(await closed, 1008);
    }
  });
  test("is closed when nobody can say whether its token holds", async (t) => {
    const sessions = port();
    let looks = 0;
    const caller: Caller = { owner: "mina", by: "mina", scopes: ["read"], origin: null };
    const tokens = (): Promise<Caller> => {
      looks += 1;
      return looks === 1 ? Promise.resolve(caller) : new Promise(() => undefined);
    };
    const { frame, clock, closed } = await attached(t, sessions, { tokens });
    await frame();
    await passing(clock, 5_000);
    assert.equal(await closed, 1013);
  });
});

/** Time passes in steps, and what it sets off is done in between. */
async function passing(clock: HttpFixture["clock"], ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    clock.advance(500);
    await settled();
  }
}

/** A ping of the client's own and its answer: what went before has been read by then. */
async function echo(socket: WebSocket): Promise<void> {
  const answered = once(socket, "pong");
  socket.ping();
  await answered;
}

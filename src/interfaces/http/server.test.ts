import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, Agent, request as rawRequest, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { describe, test } from "node:test";
import * as z from "zod";
import { erased, httpFixture, notes } from "../../../test/http-fixture.ts";
import { operation, type Operation } from "../../kernel/operation.ts";
import { systemClock } from "../../platform/clock.ts";
import { hasCode } from "../../platform/errors.ts";
import { nodeHandler } from "./node-handler.ts";
import { httpServer } from "./server.ts";

const { Request: givenRequest } = globalThis;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** An operation that answers when it is told to. */
function slow(): { each: Operation; began: Promise<void>; finish(): void } {
  const began = Promise.withResolvers<void>();
  const done = Promise.withResolvers<{ done: true }>();
  const each = operation({
    name: "wait",
    summary: "Waits.",
    input: z.strictObject({}),
    output: z.object({ done: z.literal(true) }),
    route: { method: "GET", path: "/v1/wait" },
    command: { name: "wait", positionals: [] },
    tool: "never",
    run() {
      began.resolve();
      return done.promise;
    },
    render: () => "done",
  });
  return {
    each: erased(each),
    began: began.promise,
    finish: () => done.resolve({ done: true }),
  };
}

describe("the server", { timeout: 120_000 }, () => {
  test("is on this machine alone, and says where", async (t) => {
    const { url, server, lines } = await httpFixture(t);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.ok(lines.some((line) => line.includes(url)));
    await server.stop();
    assert.equal(server.url(), undefined);
    await server.start();
    assert.match(server.url() ?? "", /^http/);
  });
  test("on a port that is taken says so, and names the setting", async (t) => {
    const { handler, url } = await httpFixture(t);
    const port = Number(new URL(url).port);
    const second = httpServer({ handler, port, clock: systemClock(), log: silent });
    await assert.rejects(
      second.start(),
      (error) => hasCode(error, "unavailable") && /DAYBOOK_PORT/.test(error.message),
    );
    await second.stop();
  });
  // In less time than an idle connection is kept: nobody may wait for that.
  const timeout = 4_000;
  test(
    "that stops finishes what it began, takes nothing new, and leaves no connection",
    { timeout },
    async (t) => {
      const { each, began, finish } = slow();
      const { url, server } = await httpFixture(t, { operations: [each] });
      const agent = new Agent({ keepAlive: true });
      t.after(() => agent.destroy());
      const headers = { authorization: "Bearer mina" };
      const asked = rawRequest(`${url}/v1/wait`, { agent, headers }).end();
      const answered = once(asked, "response") as Promise<[IncomingMessage]>;
      await began;
      const stopped = server.stop();
      const late = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
      const [refused] = (await once(late, "error")) as [NodeJS.ErrnoException];
      assert.equal(refused.code, "ECONNREFUSED");
      finish();
      const [answer] = await answered;
      const socketClosed = once(answer.socket, "close");
      assert.deepEqual(await new Response(await text(answer)).json(), { done: true });
      await Promise.all([stopped, socketClosed]);
    },
  );
  test("that stops does not wait for a connection that asks nothing", async (t) => {
    const { url, server } = await httpFixture(t);
    const idle = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    await once(idle, "connect");
    const agent = new Agent({ keepAlive: true });
    t.after(() => agent.destroy());
    const [answer] = (await once(rawRequest(`${url}/livez`, { agent }).end(), "response")) as [
      IncomingMessage,
    ];
    await text(answer);
    const closed = once(idle, "close");
    idle.resume();
    await Promise.all([server.stop(), closed]);
  });
  test("that stops gives up on what does not end", async (t) => {
    const { each, began, finish } = slow();
    t.after(finish);
    const { handler } = await httpFixture(t, { operations: [each] });
    const log = silent;
    const server = httpServer({ handler, port: 0, clock: systemClock(), log, stopMs: 20 });
    await server.start();
    const headers = { authorization: "Bearer mina" };
    const asked = fetch(`${server.url()}/v1/wait`, { headers });
    await began;
    await Promise.all([assert.rejects(asked), server.stop()]);
  });
});

test("the handler stands behind any Node server", async (t) => {
  const { handler } = await httpFixture(t, { operations: notes });
  const server = createServer(
    (incoming, outgoing) => void nodeHandler(handler)(incoming, outgoing),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/v1/notes`, {
    headers: { authorization: "Bearer mina" },
  });
  assert.deepEqual(await answer.json(), { notes: [], next: null });
  assert.equal(globalThis.Request, givenRequest);
});

async function text(answer: IncomingMessage): Promise<string> {
  let all = "";
  for await (const chunk of answer) all = `${all}${String(chunk)}`;
  return all;
}

import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, test, type TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { handClock, settled } from "../../test/hand-clock.ts";
import { systemClock } from "./clock.ts";
import { DaybookError } from "./errors.ts";
import {
  retryAfterMs,
  safeFetch,
  type FetchRequest,
  type SafeFetch,
  type SafeFetchOptions,
} from "./fetch.ts";

type Asked = Omit<FetchRequest, "url"> & { path?: string };

/** A server on this machine, listed, and how to ask it. */
async function listening(
  t: TestContext,
  server: Server | ReturnType<typeof createSocketServer>,
  options: Partial<SafeFetchOptions> = {},
): Promise<{ host: string; ask(asked?: Asked): ReturnType<SafeFetch> }> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  const limits = { clock: systemClock(), timeoutMs: 5000, bytesMax: 1000, allowHosts: [host] };
  const fetch = safeFetch({ ...limits, ...options });
  return {
    host,
    ask: ({ path = "/", ...asked } = {}) => fetch({ url: `http://${host}${path}`, ...asked }),
  };
}

function serving(t: TestContext, listener: RequestListener, options?: Partial<SafeFetchOptions>) {
  return listening(t, createServer(listener), options);
}

async function faultOf(asking: Promise<unknown>): Promise<DaybookError> {
  const error: unknown = await asking.then(
    () => "it was answered",
    (error: unknown) => error,
  );
  assert.ok(error instanceof DaybookError, String(error));
  return error;
}

describe("an exchange", () => {
  test("carries method, headers and body to the peer, and the answer back", async (t) => {
    const { ask, host } = await serving(t, (request, response) => {
      const { method, url, headers } = request;
      response.writeHead(201, { "x-seen": "yes", "set-cookie": ["a=1", "b=2"] });
      void text(request).then((body) => {
        response.end(JSON.stringify({ method, url, headers, body }));
      });
    });
    const answer = await ask({
      path: "/hook?a=b",
      method: "POST",
      headers: { "content-type": "text/plain", "X-Key": "k1" },
      body: "grüße",
    });
    const seen: unknown = JSON.parse(answer.body.toString());
    assert.deepEqual(seen, {
      method: "POST",
      url: "/hook?a=b",
      headers: {
        "content-type": "text/plain",
        "x-key": "k1",
        "content-length": "7",
        host,
        connection: "close",
      },
      body: "grüße",
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers["x-seen"], "yes");
    assert.equal(answer.headers["set-cookie"], "a=1, b=2");
  });
  test("carries the methods of WebDAV with their bodies", async (t) => {
    const { ask } = await serving(t, (request, response) => {
      response.writeHead(207);
      void text(request).then((body) => response.end(`${request.method} ${body}`));
    });
    for (const method of ["PROPFIND", "REPORT"] as const) {
      const answer = await ask({ method, headers: { depth: "1" }, body: "<a/>" });
      assert.deepEqual([answer.status, answer.body.toString()], [207, `${method} <a/>`]);
    }
  });
  test("accepts any status as an answer", async (t) => {
    const { ask } = await serving(t, (request, response) => {
      response.writeHead(Number(request.url?.slice(1))).end();
    });
    for (const status of [204, 304, 404, 429, 500, 503]) {
      assert.equal((await ask({ path: `/${status}` })).status, status);
    }
  });
  test("does not follow a redirect, not even to a literal", async (t) => {
    const paths: (string | undefined)[] = [];
    const { ask, host } = await serving(t, (request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: `http://${host}/inner` }).end();
    });
    const answer = await ask();
    assert.equal(answer.status, 302);
    assert.equal(answer.headers["location"], `http://${host}/inner`);
    assert.deepEqual(paths, ["/"]);
  });
  test("reaches a listed name at the address its lookup gives", async (t) => {
    const asked: string[] = [];
    const server = createServer((request, response) => response.end(request.headers.host));
    const { host } = await listening(t, server);
    const name = host.replace("127.0.0.1", "hooks.internal");
    const lookup = (name: string): Promise<string[]> => {
      asked.push(name);
      return Promise.resolve(["127.0.0.1"]);
    };
    const limits = { clock: systemClock(), timeoutMs: 5000, bytesMax: 1000 };
    const fetch = safeFetch({ ...limits, allowHosts: [name], lookup });
    assert.equal((await fetch({ url: `http://${name}/` })).body.toString(), name);
    assert.deepEqual(asked, ["hooks.internal"]);
  });
  test("leaves no timer or listener behind, answered or not", async (t) => {
    const clock = handClock();
    const { signal } = new AbortController();
    const { ask } = await serving(
      t,
      (request, response) => {
        if (request.url === "/cut") response.destroy();
        else response.end();
      },
      { clock },
    );
    await ask({ signal });
    await faultOf(ask({ signal, path: "/cut" }));
    assert.deepEqual(clock.waiting(), []);
    assert.equal(getEventListeners(signal, "abort").length, 0);
  });
});

describe("a name that answers differently each time", () => {
  test("is looked up once per exchange, by the socket itself, and refused when private", async (t) => {
    let reached = 0;
    const { host } = await serving(t, (_request, response) => {
      reached += 1;
      response.end();
    });
    const stopping = new AbortController();
    const answers = ["93.184.216.34", "127.0.0.1"];
    const lookup = (): Promise<string[]> => {
      const next = answers.shift() ?? "127.0.0.1";
      // The test stops before the public address would be dialled.
      if (next !== "127.0.0.1") stopping.abort();
      return Promise.resolve([next]);
    };
    const fetch = safeFetch({ clock: systemClock(), timeoutMs: 5000, bytesMax: 1000, lookup });
    const url = `https://${host.replace("127.0.0.1", "rebind.example")}/`;
    const first = await faultOf(fetch({ url, signal: stopping.signal }));
    assert.equal(first.code, "unavailable");
    assert.equal(answers.length, 1, "one lookup per exchange");
    const second = await faultOf(fetch({ url }));
    assert.equal(second.code, "refused");
    assert.equal(reached, 0);
  });
});

describe("the limits of an exchange", () => {
  test("an answer over the limit is cut; one at the limit is not", async (t) => {
    let closed: Promise<unknown> = Promise.resolve();
    const { ask } = await serving(t, (request, response) => {
      if (request.url === "/fits") return response.end("x".repeat(1000));
      closed = once(response, "close");
      const pour = (): void => {
        if (!response.destroyed) response.write("x".repeat(5000), () => setImmediate(pour));
      };
      return pour();
    });
    assert.equal((await ask({ path: "/fits" })).body.length, 1000);
    const fault = await faultOf(ask());
    assert.equal(fault.code, "too_large");
    assert.match(fault.message, /1000 bytes/);
    assert.deepEqual(fault.details, { sent: true, status: 200 });
    await closed;
    const { body, isCut } = await ask({ keepsFirst: true });
    assert.deepEqual([body.length, isCut], [1000, true]);
    await closed;
    assert.equal((await ask({ path: "/fits", keepsFirst: true })).isCut, false);
  });
  test("a peer that is silent or slow exceeds the timeout", async (t) => {
    const clock = handClock();
    const begun = new EventTarget();
    const { ask } = await serving(
      t,
      (request, response) => {
        if (request.url === "/slow") response.write("x");
        begun.dispatchEvent(new Event("asked"));
      },
      { clock, timeoutMs: 1000 },
    );
    for (const path of ["/silent", "/slow"]) {
      const asked = once(begun, "asked");
      const asking = faultOf(ask({ path }));
      await asked;
      clock.advance(999);
      await settled();
      clock.advance(1);
      const fault = await asking;
      assert.equal(fault.code, "unavailable");
      assert.match(fault.message, /within 1000 ms/);
      assert.equal(fault.details["sent"], true);
    }
  });
  test("a lookup that never answers exceeds the timeout, with nothing sent", async () => {
    const clock = handClock();
    const called = Promise.withResolvers<void>();
    const lookup = (): Promise<string[]> => {
      called.resolve();
      return new Promise(() => undefined);
    };
    const fetch = safeFetch({ clock, timeoutMs: 1000, bytesMax: 1000, lookup });
    const asking = faultOf(fetch({ url: "https://slow.example/" }));
    await called.promise;
    clock.advance(1000);
    const fault = await asking;
    assert.equal(fault.code, "unavailable");
    assert.equal(fault.details["sent"], false);
  });
  test("an abort before the start sends nothing; a later one reports sent bytes", async (t) => {
    const stopping = new AbortController();
    let asked = 0;
    const { ask } = await serving(t, () => {
      asked += 1;
      stopping.abort(new Error("shutting down"));
    });
    const early = await faultOf(ask({ signal: AbortSignal.abort() }));
    assert.equal(early.code, "unavailable");
    assert.deepEqual([early.details["sent"], asked], [false, 0]);
    const late = await faultOf(ask({ signal: stopping.signal }));
    assert.equal(late.code, "unavailable");
    assert.deepEqual([late.details["sent"], asked], [true, 1]);
    assert.equal(late.cause, stopping.signal.reason);
  });
  test("headers that cannot be written are an invalid input", async (t) => {
    const { ask } = await serving(t, (_request, response) => response.end());
    const fault = await faultOf(ask({ headers: { "x-a": "b\r\nx-injected: 1" } }));
    assert.equal(fault.code, "invalid");
    assert.equal(fault.details["sent"], false);
  });
});

describe("a broken peer", () => {
  test("without a listening server is unavailable, with nothing sent", async (t) => {
    const server = createServer();
    const { ask } = await listening(t, server);
    server.close();
    await once(server, "close");
    const fault = await faultOf(ask());
    assert.equal(fault.code, "unavailable");
    assert.equal(fault.details["sent"], false);
    assert.match(fault.message, /ECONNREFUSED/);
    assert.ok(fault.cause instanceof Error);
  });
  test("that has no address is unavailable", async () => {
    const limits = { clock: handClock(), timeoutMs: 1000, bytesMax: 1000 };
    const fetch = safeFetch({ ...limits, lookup: () => Promise.resolve([]) });
    const fault = await faultOf(fetch({ url: "https://nowhere.example/" }));
    assert.equal(fault.code, "unavailable");
    assert.match(fault.message, /has no address/);
  });
  test("that hangs up, truncates or garbles its answer leaves the result unknown", async (t) => {
    const replies = [
      "",
      "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel",
      "220 smtp.example ESMTP\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      `HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`,
    ];
    const server = createSocketServer((socket: Socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(replies.shift() ?? ""));
    });
    const { ask } = await listening(t, server);
    while (replies.length > 0) {
      const fault = await faultOf(ask({ method: "POST", body: "x" }));
      assert.equal(fault.code, "unavailable");
      assert.equal(fault.details["sent"], true);
    }
  });
});

// For these tests alone: made with openssl, for localhost, valid until 2126.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg4nwobcEuC3mF3Wzh
8fP/GfZkuR2cUA6xW2gZ3ulc4qOhRANCAATf4JPDSSPt4QlwnkfpWYXk1SSrlTO+
0smFl5GVS/y2eUczO272wFaeIAGTjB/yUPILY524473+DOieWhTBST9P
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBqTCCAU+gAwIBAgIUCBNmNS9Tj5SUhqo5BPHZC8IR/4swCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTIyMTkzNloYDzIxMjYxMDIy
MjIxOTM2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATf4JPDSSPt4QlwnkfpWYXk1SSrlTO+0smFl5GVS/y2eUczO272wFae
IAGTjB/yUPILY524473+DOieWhTBST9Po30wezAdBgNVHQ4EFgQUMAVWpPUQDo+c
BKf/QXgD/7FICxEwHwYDVR0jBBgwFoAUMAVWpPUQDo+cBKf/QXgD/7FICxEwDwYD
VR0TAQH/BAUwAwEB/zAoBgNVHREEITAfgglsb2NhbGhvc3SCDGRheWJvb2sudGVz
dIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiEA4UeyvOQBFF3d7z6WtcxTaGDOIEbO
sf1Gb6MF4EiuRMoCIB2uem+fZAAx6GIcLbpOjbNt0o4T+ZSGmHMBjmCPHoDj
-----END CERTIFICATE-----`;

describe("over https", () => {
  const secured = async (t: TestContext) => {
    const seen: (string | undefined)[] = [];
    const server = createTlsServer({ key, cert }, (request, response) => {
      seen.push(request.headers.host);
      response.end("safe");
    });
    const { host } = await listening(t, server);
    const limits = { clock: systemClock(), timeoutMs: 5000, bytesMax: 1000 };
    const lookup = (): Promise<string[]> => Promise.resolve(["127.0.0.1"]);
    const port = host.split(":")[1];
    const allowHosts = ["daybook.test", "other.test", host];
    return { seen, port, fetch: safeFetch({ ...limits, allowHosts, lookup }) };
  };

  test("an untrusted certificate ends it before any byte is sent", async (t) => {
    const { fetch, port, seen } = await secured(t);
    const fault = await faultOf(fetch({ url: `https://daybook.test:${port}/`, body: "secret" }));
    assert.equal(fault.code, "unavailable");
    assert.equal(fault.details["sent"], false);
    assert.match(fault.message, /self-signed/);
    assert.deepEqual(seen, []);
  });
  test("a trusted certificate must match the requested name, not the address", async (t) => {
    const before = getCACertificates("default");
    setDefaultCACertificates([cert]);
    t.after(() => setDefaultCACertificates(before));
    const { fetch, port, seen } = await secured(t);
    const answer = await fetch({ url: `https://daybook.test:${port}/` });
    assert.equal(answer.body.toString(), "safe");
    const fault = await faultOf(fetch({ url: `https://other.test:${port}/` }));
    assert.equal(fault.details["sent"], false);
    assert.match(fault.message, /does not match certificate/);
    assert.deepEqual(seen, [`daybook.test:${port}`]);
  });
});

test("Retry-After is read as seconds or as a date of HTTP", () => {
  const cases: [header: string, ms: number][] = [
    ["0", 0],
    ["120", 120_000],
    ["Fri, 15 Jan 2027 08:00:10 GMT", 10_000],
    ["Friday, 15-Jan-27 08:00:10 GMT", 10_000],
    ["Fri, 15 Jan 2027 07:00:00 GMT", 0],
  ];
  for (const [header, ms] of cases)
    assert.equal(retryAfterMs(header, 1_800_000_000_000), ms, header);
});

test("a Retry-After that cannot be read is ignored", () => {
  const nonsense = [
    "",
    "soon",
    "-5",
    "1.5",
    "1e9",
    "5, 10",
    "9".repeat(40),
    "2027-01-15",
    "X, GMT",
  ];
  for (const header of nonsense)
    assert.equal(retryAfterMs(header, 1_800_000_000_000), undefined, header);
  assert.equal(retryAfterMs(undefined, 1_800_000_000_000), undefined);
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { test, type TestContext } from "node:test";
import type { Machines } from "../../features/workspaces/machines.ts";
import { systemClock } from "../../platform/clock.ts";
import { assertThrows } from "../../testing/machines/rig.ts";
import { engineHost } from "./docker-api.ts";
import { dockerMachines } from "./docker.ts";

const { signal } = new AbortController();
const noVolumes = '{"Volumes":null}';
const json = { "content-type": "application/json" };

/** Machines of a fake engine, for answers that a real one cannot be made to give. */
async function machinesOf(t: TestContext, answer: RequestListener): Promise<Machines> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return dockerMachines({
    clock: systemClock(),
    host: `tcp://127.0.0.1:${port}`,
    timeoutMs: 5_000,
  });
}

test("an engine that is too old is refused, with advice", async (t) => {
  const machines = await machinesOf(t, (_, response) => {
    response.writeHead(200, json).end('{"Version":"19.03","ApiVersion":"1.40"}');
  });
  for (const call of [machines.check(signal), machines.list(signal)]) {
    const error = await assertThrows(call, "unsupported");
    assert.match(error.message, /API 1\.40, but 1\.41 is required: install Docker 20\.10/u);
  }
});

const spoken: [newest: string, least: string, printed: string][] = [
  ["1.41", "1.12", "1.41"],
  ["1.43", "1.24", "1.43"],
  ["1.52", "1.44", "1.44"],
  ["1.60", "1.50", "1.50"],
];
for (const [newest, least, printed] of spoken) {
  test(`an engine with APIs ${least} to ${newest} is called with ${printed}`, async (t) => {
    const requested: string[] = [];
    const machines = await machinesOf(t, ({ url = "" }, response) => {
      requested.push(url);
      const version = JSON.stringify({ Version: "x", ApiVersion: newest, MinAPIVersion: least });
      const body = url === "/version" ? version : url.includes("volumes") ? noVolumes : "[]";
      response.writeHead(200, json).end(body);
    });
    assert.equal((await machines.list(signal)).size, 0);
    await machines.list(signal);
    const paths = requested.filter((url) => url !== "/version");
    assert.equal(paths.length, 4);
    for (const url of paths) assert.ok(url.startsWith(`/v${printed}/`), url);
  });
}

test("a list with one failed half is an error", async (t) => {
  for (const broken of ["/containers", "/volumes"]) {
    const machines = await machinesOf(t, ({ url = "" }, response) => {
      if (url === "/version") return response.writeHead(200, json).end('{"ApiVersion":"1.41"}');
      if (url.includes(broken)) {
        return response.writeHead(500, json).end('{"message":"no space left on device"}');
      }
      return response.writeHead(200, json).end(url.includes("volumes") ? noVolumes : "[]");
    });
    const error = await assertThrows(machines.list(signal), "unknown");
    assert.match(error.message, /no space left on device\): free space/u);
  }
});

test("a truncated answer is an error", async (t) => {
  const machines = await machinesOf(t, ({ url = "" }, response) => {
    if (url === "/version") return response.writeHead(200, json).end('{"ApiVersion":"1.41"}');
    response.writeHead(200, { ...json, "content-length": "1000" }).write("[");
    return setImmediate(() => response.destroy());
  });
  await assertThrows(machines.list(signal), "unavailable");
});

test("an answer that is not a list is an error, not an empty list", async (t) => {
  for (const printed of ["<html>a proxy</html>", "{}", "[]", "null", '{"Volumes":null}', ""]) {
    const machines = await machinesOf(t, ({ url = "" }, response) => {
      response.writeHead(200).end(url === "/version" ? '{"ApiVersion":"1.41"}' : printed);
    });
    await assertThrows(machines.list(signal), "unavailable");
  }
});

test("DOCKER_HOST is a socket or an address; other values give advice", () => {
  assert.deepEqual(engineHost("unix:///run/d.sock"), { socketPath: "/run/d.sock" });
  assert.deepEqual(engineHost("tcp://10.0.0.7:2375"), { host: "10.0.0.7", port: 2_375 });
  assert.deepEqual(engineHost("tcp://engine"), { host: "engine", port: 2_375 });
  for (const wrong of [
    "",
    "unix://",
    "unix://relative",
    "ssh://me@there",
    "/run/d.sock",
    "tcp://",
  ]) {
    assert.throws(() => engineHost(wrong), { code: "invalid", message: /unix:\/\/\/path/u }, wrong);
  }
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import * as z from "zod";
import { operations } from "../../features/index.ts";
import { task } from "../../features/tasks/function.ts";
import { DaybookError, hasCode } from "../../platform/errors.ts";
import { routes } from "./client-routes.ts";
import { connect, type Remote } from "./client.ts";
import type { Methods } from "./methods.ts";
import { open, type Daybook } from "./open.ts";

const double = task({
  name: "double",
  input: z.object({ n: z.number() }),
  run: ({ n }) => ({ twice: n * 2 }),
});

interface Scenario {
  daybook: Daybook;
  remote: Remote;
}

async function scenario(t: TestContext): Promise<Scenario> {
  const daybook = await open({ store: "memory:", tasks: [double], basePath: "/daybook" });
  t.after(() => daybook.close());
  const scopes = ["read", "write", "target"] as const;
  const { token } = await daybook.createToken({ name: "web", scopes: [...scopes] });
  assert.ok(token);
  const url = "http://shop.example/daybook/";
  return { daybook, remote: connect({ url, token, fetch: daybook.fetch }) };
}

/** What an import leaves in the code that runs, from a file on. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const code = readFileSync(join(import.meta.dirname, file), "utf8");
  const kept = code.replaceAll(/^(import|export) type [^;]*;/gm, "");
  for (const [, path = ""] of kept.matchAll(/(?:\bfrom |^import |\bimport\()"([^"]+)"/gm)) {
    if (path.startsWith(".")) reached(join(dirname(file), path), seen);
    else seen.add(path);
  }
  return seen;
}

describe("a book that is served elsewhere", { timeout: 120_000 }, () => {
  test("is asked at the table's own routes", () => {
    const wanted = Object.entries(operations).map(([name, { route }]) => [
      name,
      [route.method, route.path],
    ]);
    assert.deepEqual(routes, Object.fromEntries(wanted), "write these into client-routes.ts");
  });
  test("needs nothing that a browser does not have", () => {
    const files = [
      "../../platform/clock.ts",
      "../../platform/errors.ts",
      "../../platform/route-request.ts",
      "client-routes.ts",
      "client.ts",
      "run-handle.ts",
    ];
    assert.deepEqual([...reached("client.ts")].toSorted(), files);
    assert.ok(reached("open.ts").has("node:crypto"), "it would find what is not for browsers");
  });
  test("has the same methods, with the same answers", async (t) => {
    const { daybook, remote } = await scenario(t);
    const same: Methods = remote;
    const made = await same.remind({ message: "회의 / 100%", at: "+1h", key: "a key" });
    const { fresh: _, due: __, ...rest } = made;
    const { due: ___, ...shown } = await daybook.show({ id: made.id });
    assert.deepEqual({ ...shown, ...rest }, shown);
    assert.deepEqual(await same.list({ limit: 1 }), await daybook.list({ limit: 1 }));
    const moved = await same.update({ id: made.id, at: "+2h", revision: made.revision ?? 0 });
    assert.equal(moved.revision, 2);
    assert.equal((await same.cancel({ id: made.id, reason: "done" })).state, "cancelled");
    assert.match((await same.explain({ id: made.id })).state, /cancelled/);
  });
  test("runs functions, and waits for what they return", async (t) => {
    const { daybook, remote } = await scenario(t);
    const typed = await remote.run(double, { n: 4 }, { key: "four", at: new Date(0) });
    const named = await remote.run("double", { n: 5 });
    await daybook.start();
    assert.deepEqual([await typed.result(), await named.result()], [{ twice: 8 }, { twice: 10 }]);
    // @ts-expect-error: a text is no number
    await assert.rejects(remote.run(double, { n: "4" }), (error) => hasCode(error, "invalid"));
  });

  const wrong: [name: string, ask: (methods: Methods) => Promise<unknown>][] = [
    ["a wrong input", (to) => to.remind({ message: "", at: "someday" })],
    ["an unknown input", (to) => to.remind({ message: "x", at: "+1h", tarqet: "a:b" } as never)],
    ["an unknown id", (to) => to.show({ id: "nowhere" })],
    ["an id that a path would lose", (to) => to.show({ id: ".." })],
    ["an unknown task's wrong input", (to) => to.runTask({ task: "double", input: { n: "x" } })],
  ];
  for (const [name, ask] of wrong) {
    test(`refuses ${name} with the same code, sentence and facts`, async (t) => {
      const { daybook, remote } = await scenario(t);
      const refused = async (methods: Methods): Promise<DaybookError> => {
        const error = await ask(methods).catch((thrown: unknown) => thrown);
        assert.ok(error instanceof DaybookError, String(error));
        return error;
      };
      const [here, there] = [await refused(daybook), await refused(remote)];
      assert.equal(there.code, here.code);
      if (name === "an id that a path would lose") return; // it never leaves
      assert.deepEqual([there.message, there.details], [here.message, here.details]);
    });
  }
  test("says that a token is wrong", async (t) => {
    const { daybook } = await scenario(t);
    const url = "http://shop.example/daybook";
    const remote = connect({ url, token: "x", fetch: daybook.fetch });
    await assert.rejects(remote.whoami({}), (error) => hasCode(error, "refused"));
  });
  test("tells what is lost from what was never asked", async () => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
    const remote = connect({ url: "http://nowhere.example", fetch });
    await assert.rejects(remote.list({}), (error) => hasCode(error, "unavailable"));
    const asked = remote.remind({ message: "x", at: "+1h" });
    await assert.rejects(asked, (error) => hasCode(error, "unknown"));
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const nobody = connect({ url: `http://127.0.0.1:${port}` }).remind({ message: "x", at: "+1h" });
    await assert.rejects(nobody, { code: "unavailable", message: /check whether it runs/ });
    const nowhere = connect({ url: "foo" }).remind({ message: "x", at: "+1h" });
    await assert.rejects(nowhere, { code: "invalid", message: /^"foo" is not a usable URL/ });
  });
  for (const [name, answer] of [
    ["a page", () => new Response("<html>", { status: 200 })],
    ["another program's error", () => Response.json({ error: "no" }, { status: 500 })],
    ["an error that is null", () => Response.json(null, { status: 404 })],
  ] as const) {
    test(`says that ${name} is not Daybook`, async () => {
      const remote = connect({ url: "http://a.example", fetch: () => Promise.resolve(answer()) });
      await assert.rejects(remote.list({}), /did not answer like Daybook: check the URL/);
    });
  }
});

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test, type TestContext } from "node:test";
import { folder } from "../../test/child.ts";
import { handClock } from "../../test/hand-clock.ts";
import { systemClock } from "../platform/clock.ts";
import { loadPlugins, type Plugged } from "./plugins.ts";

const channel = (name: string): string =>
  `{ name: "${name}", send: async () => ({ result: "delivered", receipt: "${name}" }) }`;
const exporting = (...names: string[]): string =>
  `export const channels = [${names.map(channel).join(", ")}];`;

/** A folder with these files; loads what is named, as from settings in it. */
function place(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): (...names: string[]) => Promise<readonly Plugged[]> {
  const from = folder(t);
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(join(from, name)), { recursive: true });
    writeFileSync(join(from, name), code);
  }
  return (...names) => {
    const plugins = names.map((name) => {
      return { name: name.startsWith("./") ? join(from, name) : name, from };
    });
    return loadPlugins(plugins, systemClock());
  };
}

function namesOf(all: readonly Plugged[]): string[][] {
  return all.map(({ channels }) => channels.map(({ name }) => name));
}

describe("a plugin", () => {
  test("brings its channels, from a file in either language and from a package", async (t) => {
    const load = place(t, {
      "a.ts": `const names: string[] = [];\n${exporting("one", "two")}`,
      "b.mjs": exporting("three"),
      "node_modules/pager/package.json": '{ "type": "module", "exports": "./main.js" }',
      "node_modules/pager/main.js": exporting("four"),
    });
    const all = await load("./a.ts", "./b.mjs", "pager");
    assert.deepEqual(namesOf(all), [["one", "two"], ["three"], ["four"]]);
    assert.ok(all.every(({ problem }) => problem === null));
  });

  const bad: [what: string, code: string | undefined, says: RegExp][] = [
    ["throws while it loads", "throw new Error('no\\nkey')", /^it cannot be loaded \(no key\): f/],
    ["throws a value that is not an error", "throw null", /^it cannot be loaded \(.+\): fix it/],
    [
      "cannot be read",
      "export const = 1",
      /^it cannot be loaded \(.+\): fix it, or remove it from/,
    ],
    ["is not there", undefined, /^it cannot be loaded \(Cannot find module .+\): fix it/],
    ["exports nothing", "", /^it has no channels: add export const channels = /],
    ["exports an empty list", "export const channels = []", /^it has no channels: /],
    ["exports no list", `export const channels = ${channel("x")}`, /^it has no channels: /],
    ["has a channel that is none", "export const channels = [{ name: 'x' }]", /channels\[0\] is n/],
    [
      "has a name that no target has",
      exporting("fine", "Not Fine"),
      /^its channels\[1\] is not a channel/,
    ],
    [
      "takes a name of ours",
      exporting("fine", "ntfy"),
      /^its channel "ntfy" has a name that is already used/,
    ],
    ["takes a name of an earlier one", exporting("first"), /^its channel "first" has a name/],
    ["takes a name twice", exporting("twice", "twice"), /^its channel "twice" has a name/],
  ];
  for (const [what, code, says] of bad) {
    test(`that ${what} is off, and no other is`, async (t) => {
      const files = { "a.mjs": exporting("first"), "c.mjs": exporting("fine", "last") };
      const load = place(t, code === undefined ? files : { ...files, "b.mjs": code });
      const all = await load("./a.mjs", "./b.mjs", "./c.mjs");
      assert.deepEqual(namesOf(all), [["first"], [], ["fine", "last"]]);
      assert.match(all[1]?.problem ?? "", says);
    });
  }

  test("that never finishes loading is off when its time is up", async (t) => {
    const clock = handClock(0);
    const from = folder(t);
    writeFileSync(join(from, "a.mjs"), "await new Promise(() => undefined);");
    const loading = loadPlugins([{ name: join(from, "a.mjs"), from }], clock);
    clock.advance(10_000);
    clock.advance(1);
    const [plugged] = await loading;
    assert.match(plugged?.problem ?? "", /^it did not load within 10 s: /);
  });
});

test("the example in docs/extend.md is a plugin that works, in at most 30 lines", async (t) => {
  const docs = readFileSync(new URL("../../docs/extend.md", import.meta.url), "utf8");
  const [, code = ""] = /^```ts\n([^]*?)^```$/m.exec(docs) ?? [];
  assert.ok(code.split("\n").length <= 31);
  const heard: unknown[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push([request.url, request.headers["idempotency-key"], body]);
      response.writeHead(heard.length === 1 ? 200 : 429).end("r1");
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const load = place(t, { "pager.ts": code, "again.ts": code });
  delete process.env["PAGER_URL"];
  assert.match((await load("./again.ts"))[0]?.problem ?? "", /PAGER_URL is not set/);
  process.env["PAGER_URL"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => delete process.env["PAGER_URL"]);
  const [plugged] = await load("./pager.ts");
  const [pager] = plugged?.channels ?? [];
  const message = { id: "m1", owner: "me", address: "ops", text: "disk full", at: 0 } as const;
  const kind = { type: "reminder", priority: "normal", language: "en" } as const;
  const whole = { ...message, ...kind, maybeRepeat: false };
  const save = (): Promise<void> => Promise.resolve();
  const attempt = { signal: new AbortController().signal, progress: null, save };
  assert.deepEqual(await pager?.send(whole, attempt), { result: "delivered", receipt: "r1" });
  const again = { result: "retry", afterMs: 60_000, reason: "the pager answered 429" };
  assert.deepEqual(await pager?.send(whole, attempt), again);
  assert.deepEqual(heard[0], ["/ops", "m1", "disk full"]);
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { skipUnlessFull } from "../src/testing/depth.ts";
import { writePrograms } from "./docs-blocks.ts";
import { honoServer, triedOut, writeApp } from "./embed-app.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
/** The Node that runs this test runs npm too. */
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
  NODE_COMPILE_CACHE: undefined,
};
const isRequired = process.env["DAYBOOK_REQUIRE_PARTS"] === "1";
const unreachable = /E(NOTFOUND|CONNREFUSED|AI_AGAIN|TIMEDOUT|CONNRESET|NETUNREACH|NOTCACHED)\b/;

/** The reason for a skip; undefined if it was installed. */
async function install(folder: string, ...packages: string[]): Promise<string | undefined> {
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
  try {
    await run("npm", args, { cwd: folder, env });
    return undefined;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    if (isRequired || !unreachable.test(stderr)) throw error;
    return "npm cannot be reached";
  }
}

/** What `npm pack --json` says of the package. */
type Packed = [
  { readonly files: readonly { readonly path: string }[]; readonly unpackedSize: number },
];

/** A Node 24, fetched once for this machine. */
async function node24(): Promise<{ path: string } | { missing: string }> {
  const home = join(tmpdir(), "daybook-node-24");
  const path = join(home, "node_modules/node/bin/node");
  if (existsSync(path)) return { path };
  const fresh = mkdtempSync(`${home}-`);
  writeFileSync(join(fresh, "package.json"), '{"private":true,"allowScripts":{"node":true}}');
  const missing = await install(fresh, "node@24");
  if (missing !== undefined) return { missing };
  try {
    renameSync(fresh, home);
  } catch {
    rmSync(fresh, { recursive: true }); // another test run was faster
  }
  return { path };
}

describe("the package, installed in an empty folder", { timeout: 300_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), "daybook-package-"));
  let missing: string | undefined;
  let packed: Packed = [{ files: [], unpackedSize: 0 }];
  before(async () => {
    const packing = ["pack", "--json", "--pack-destination", home];
    const { stdout } = await run("npm", packing, { cwd: root, env, maxBuffer: 16_777_216 });
    packed = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as Packed;
    writeFileSync(join(home, "package.json"), '{"private":true,"type":"module"}');
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const others = ["express", "hono", "@hono/node-server", "zod"];
    missing = await install(home, `./daybook-${version}.tgz`, ...others);
    writeApp(home, (code) => code);
    writeFileSync(join(home, "hono.ts"), honoServer);
    writePrograms("docs/extend.md", home, (code) => code);
    writeFileSync(join(home, "broken.test.ts"), brokenStore);
  });
  after(() => rmSync(home, { recursive: true }));

  /** Each in its own folder, so that each has its own book. */
  const tryOut = async (t: TestContext, node: string, file: string): Promise<string> => {
    const cwd = mkdtempSync(join(home, "run-"));
    const { stdout } = await run(node, [join(home, file)], { cwd, env: { ...env, PORT: "0" } });
    t.diagnostic(`${file}: ${stdout.trim()}`);
    return stdout.trim();
  };
  const all = async (t: TestContext, node: string): Promise<void> => {
    assert.equal(await tryOut(t, node, "server.ts"), triedOut);
    assert.equal(await tryOut(t, node, "hono.ts"), triedOut);
    assert.equal(await tryOut(t, node, "invoice.test.ts"), "");
    const required = `const { open } = require("daybook"); console.log(typeof open, typeof Temporal);`;
    const { stdout } = await run(node, ["--input-type=commonjs", "-e", required], {
      cwd: home,
      env,
    });
    assert.equal(stdout.trim(), "function object");
    const bin = join(home, "node_modules/.bin/daybook");
    const typed = ["remind", "hi", "--at", "tomorrow 9am", "--json"];
    const own = { ...env, DAYBOOK_HOME: mkdtempSync(join(home, "book-")) };
    const said = await run(node, [bin, ...typed], { cwd: home, env: own });
    assert.equal((JSON.parse(said.stdout) as { message: string }).message, "hi");
  };

  test("runs the app of docs/embed.md on Express and on Hono, its test, and the program", async (t) => {
    if (missing !== undefined) return t.skip(missing);
    await all(t, process.execPath);
  });
  test("does so on Node 24 too", { skip: skipUnlessFull }, async (t) => {
    const old = await node24();
    const why = missing ?? ("missing" in old ? old.missing : undefined);
    if (why !== undefined || "missing" in old) return t.skip(why);
    const { stdout } = await run(old.path, ["-p", "process.version + typeof Temporal"], { env });
    assert.match(stdout, /^v24\..*undefined/);
    await all(t, old.path);
  });
  test("tests a store of somebody's own, and catches one that settles under an old fence", async (t) => {
    if (missing !== undefined) return t.skip(missing);
    assert.equal(await tryOut(t, process.execPath, "own-store.ts"), "");
    const suite = async (file: string): Promise<string> => {
      const own = { ...env, NODE_TEST_CONTEXT: undefined }; // it reports for itself
      const args = ["--test", "--test-reporter=spec", join(home, file)];
      const options = { cwd: home, env: own, maxBuffer: 16_777_216 };
      const ran = await run(process.execPath, args, options).catch((error: unknown) => error);
      return (ran as { stdout: string }).stdout;
    };
    assert.match(await suite("audited.test.ts"), /\bpass [12]\d\d\n.*\bfail 0\n/);
    const broken = await suite("broken.test.ts");
    assert.match(broken, /✖ a stale fence, a settled lease and an unknown record change nothing/);
    assert.doesNotMatch(broken, /\bfail 0\n/);
  });
  for (const { lib, skip } of [
    { lib: ["esnext"], skip: false },
    { lib: ["esnext", "dom"], skip: skipUnlessFull },
  ]) {
    const title = `has types that compile in the strictest program, with lib ${lib.join()}`;
    test(title, { skip }, async (t) => {
      if (missing !== undefined) return t.skip(missing);
      const compilerOptions = { ...strictest, lib };
      const files = [
        "typed.ts",
        "try-out.ts",
        "mail.ts",
        "invoice.ts",
        "invoice.test.ts",
        "order.ts",
        "audited.ts",
        "audited.test.ts",
        "own-store.ts",
        "broken.test.ts",
      ];
      writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
      writeFileSync(join(home, "typed.ts"), typed);
      // The only types that a program needs besides: its own of Node.
      mkdirSync(join(home, "node_modules/@types"), { recursive: true });
      const types = join(home, "node_modules/@types/node");
      if (!existsSync(types)) symlinkSync(join(root, "node_modules/@types/node"), types);
      const tsc = join(root, "node_modules/.bin/tsc");
      const checked = await run(tsc, ["-p", home], { cwd: home, env }).catch(
        (error: unknown) => error,
      );
      assert.equal((checked as { stdout: string }).stdout, "");
    });
  }
  test("is small: 5 MB at most, with few dependencies, and nothing that only tests need", (t) => {
    const [{ files, unpackedSize }] = packed;
    t.diagnostic(`${unpackedSize} bytes in ${files.length} files`);
    assert.ok(unpackedSize <= 5_000_000, `${unpackedSize} bytes`);
    assert.ok(unpackedSize > 1_000_000, "the build is in it");
    const paths = files.map(({ path }) => path);
    assert.ok(paths.includes("dist/app/testing-kit/testing-kit.js"));
    const needless = /\.test\.|\.map$|^dist\/testing\/|^(src|test|bench)\//;
    assert.deepEqual(
      paths.filter((path) => needless.test(path)),
      [],
    );
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    assert.equal(Object.keys(dependencies).length, 9);
  });
});

/** The settings of a program that also checks the types of its packages. */
const strictest = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  target: "esnext",
  types: ["node"],
  allowImportingTsExtensions: true,
  skipLibCheck: false,
  checkers: 1,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
};

/** A store with a planted fault: an old fence may settle. */
const brokenStore = `
import type { Ledger } from "daybook";
import { ledgerConformance, memoryStore } from "daybook/testing";

function broken(store: Ledger): Ledger {
  const newest = new Map<string, number>();
  const { claim, settle } = store.work;
  const work: Ledger["work"] = {
    ...store.work,
    async claim(request) {
      const claimed = await claim(request);
      for (const { id, lease } of claimed.records) newest.set(id, lease.fence);
      return claimed;
    },
    settle: (units) => settle(units.map((each) => ({ ...each, fence: newest.get(each.id) ?? each.fence }))),
  };
  return { ...store, work };
}

ledgerConformance("the broken store", async () => {
  let now = 0;
  const ledger = broken(memoryStore({ now: () => now }));
  return { ledger, setNow: (ms) => (now = ms), close: () => ledger.close() };
});
`;

const typed = `
import { open, task, type Daybook } from "daybook";
import { connect } from "daybook/client";
import { testDaybook } from "daybook/testing";
import * as z from "zod";

const double = task({ name: "double", input: z.object({ n: z.number() }), run: ({ n }) => n * 2 });
const daybook: Daybook = await open({ store: "memory:", tasks: [double], auth: () => null });
await daybook.run(double, { n: 1 }, { at: "in 2 days" });
// @ts-expect-error: a string is not a number
await daybook.run(double, { n: "1" });
const remote = connect({ url: "https://a.example" });
await remote.run(double, { n: 1 });
const { id }: { id: string } = await remote.remind({ message: "x", at: "+1h" });
// @ts-expect-error: this input does not exist
await remote.remind({ massage: "x", at: "+1h" });
const t = await testDaybook({ tasks: [double] });
const texts: string[] = [t.onlyMessage().text, ...t.outbox.map(({ text }) => text)];
const sweep = task({ name: "sweep", run: (_, { id }) => id });
await daybook.run(sweep);
await daybook.run(sweep, undefined, { key: "once" });
await remote.run(sweep);
// @ts-expect-error: it takes no input
await daybook.run(sweep, { n: 1 });
// @ts-expect-error: its input is missing
await t.run(double);
export { id, texts };
`;

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { task } from "../features/tasks/function.ts";
import type { Ledger } from "../kernel/ledger.ts";
import { hasCode } from "../platform/errors.ts";
import { open } from "./library/open.ts";
import { memoryStore } from "./testing-kit/memory-store.ts";

const now = (): number => Date.now();

describe("a store of a program's own", { timeout: 60_000 }, () => {
  test("holds a book: what is asked is done, and the book closes it", async () => {
    const store = memoryStore({ now });
    const { promise: ran, resolve } = Promise.withResolvers<string>();
    const greet = task({ name: "greet", run: () => (resolve("hello"), "done") });
    const daybook = await open({ store, tasks: [greet] });
    await daybook.start();
    const { id, result } = await daybook.run(greet);
    assert.equal(await ran, "hello");
    assert.equal(await result(), "done");
    assert.equal((await store.of("me", "me").get(id))?.state, "completed");
    await daybook.close();
    await assert.rejects(store.work.stats(), (error) => hasCode(error, "closed"));
  });

  test("writes only the kinds and states that there are", async () => {
    const daybook = await open({ store: memoryStore({ now }) });
    const draft = { kind: "nothing", body: {}, state: "open" } as const;
    const appended = daybook.ledger.of("me", "me").append(draft);
    await assert.rejects(appended, /no kind of record called "nothing"/);
    await daybook.close();
  });

  test("is backed up and shares transactions by itself", async () => {
    const daybook = await open({ store: memoryStore({ now }) });
    const isUnsupported = (error: unknown): boolean =>
      hasCode(error, "unsupported") && /a store of your own/.test(error.message);
    await assert.rejects(daybook.backup("/nowhere/book"), isUnsupported);
    assert.throws(() => daybook.within({ query: () => Promise.resolve([]) }), isUnsupported);
    await daybook.close();
  });

  const whole = memoryStore({ now });
  const { claim: _, ...work } = whole.work;
  const wrong: [what: string, store: object, missing: string][] = [
    ["nothing", {}, "of, work.claim, work.keep, .*work.onHint, lost, close"],
    ["no claim", { ...whole, work }, "work.claim"],
    ["no book", { ...whole, of: () => ({}) }, "of\\(\\).append, of\\(\\).get, .*of\\(\\).read"],
    ["a book that is promised", { ...whole, of: async () => whole.of("a", "b") }, "of\\(\\).*"],
    ["no end", { ...whole, lost: null, close: null }, "lost, close"],
  ];
  for (const [what, store, missing] of wrong) {
    test(`with ${what} is refused with what it lacks`, async () => {
      const advice = "Pass an object that implements Ledger \\(docs/extend.md\\), or write sqlite:";
      const sentence = new RegExp(`^The object .* it lacks ${missing}\\. ${advice}`);
      const refused = open({ store: store as Ledger });
      await assert.rejects(refused, { code: "invalid", message: sentence });
    });
  }

  test("that is named wrongly as a text or a reference gets the error of settings", async () => {
    await assert.rejects(open({ store: "book.db" }), /"book.db".*write sqlite:PATH/);
    await assert.rejects(open({ store: { env: "NO_SUCH_STORE" } }), /needs the variable NO_SUCH/);
  });
});

/** Faults that a store may have, each planted in a wrapper around a store that is right. */
const faults: [fault: string, code: string, sentence: string][] = [
  [
    "settles under any fence",
    `const newest = new Map();
    const claim = async (request) => {
      const claimed = await store.work.claim(request);
      for (const { id, lease } of claimed.records) newest.set(id, lease.fence);
      return claimed;
    };
    const settle = (units) =>
      store.work.settle(units.map((unit) => ({ ...unit, fence: newest.get(unit.id) ?? unit.fence })));
    return { ...store, work: { ...store.work, claim, settle } };`,
    "a stale fence, a settled lease and an unknown record change nothing",
  ],
  [
    "shows every owner the same book",
    `return { ...store, of: (owner, by) => store.of("ann", by) };`,
    "another owner",
  ],
  [
    "edits a record whatever its revision",
    `const of = (owner, by) => {
      const book = store.of(owner, by);
      return { ...book, edit: ({ ifRevision, ...edit }, ...more) => book.edit(edit, ...more) };
    };
    return { ...store, of };`,
    "of concurrent edits of one revision, exactly one succeeds",
  ],
];

describe("the published suite", { timeout: 120_000, concurrency: 2 }, () => {
  test("passes a store that is right", async (t) => {
    const { failed, output } = await suiteOver(t, "return { ...store };");
    assert.equal(failed, false, output);
    assert.match(output, /pass [12]\d\d\n/);
  });
  for (const [fault, code, sentence] of faults) {
    test(`catches a store that ${fault}`, async (t) => {
      const { failed, output } = await suiteOver(t, code);
      assert.equal(failed, true, output);
      const failures = output.split("\n").filter((line) => /^\s*✖/.test(line));
      assert.ok(
        failures.some((line) => line.includes(sentence)),
        failures.join("\n"),
      );
    });
  }
});

/** Runs the suite in a process of its own, over a store that this code wraps. */
async function suiteOver(
  t: TestContext,
  wrap: string,
): Promise<{ failed: boolean; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "daybook-suite-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const kit = join(import.meta.dirname, "testing-kit/testing-kit.ts");
  const file = join(folder, "store.test.mjs");
  writeFileSync(
    file,
    `import { ledgerConformance, memoryStore } from ${JSON.stringify(kit)};
    const wrapped = (store) => { ${wrap} };
    ledgerConformance("a wrapped store", async () => {
      let now = 0;
      const ledger = wrapped(memoryStore({ now: () => now }));
      return { ledger, setNow: (ms) => (now = ms), close: () => ledger.close() };
    });`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a process of its own reports for itself
  return new Promise((resolve) => {
    const args = ["--test", "--test-reporter=spec", file];
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error, output) =>
      resolve({ failed: error !== null, output }),
    );
  });
}

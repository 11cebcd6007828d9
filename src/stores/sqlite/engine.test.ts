import assert from "node:assert/strict";
import { test } from "node:test";
import { ledgerConformance } from "../../app/testing-kit/conformance/conformance.ts";
import { ledgerOver } from "../../kernel/checked-ledger.ts";
import type { Draft } from "../../kernel/unit.ts";
import { hasCode } from "../../platform/errors.ts";
import { type Ids, ids } from "../../platform/ids.ts";
import { seededRandom } from "../../platform/random.ts";
import { directly } from "../memory/memory.ts";
import { openDatabase } from "./database.ts";
import { type Call, engineOver, sqliteEngine, type SqliteEngine } from "./engine.ts";

const who = { owner: "ann", by: "ann@cli" };
const now = (): number => 1000;

function someIds(): Ids {
  return ids({ wall: now }, seededRandom(7));
}

function engine(): SqliteEngine {
  return sqliteEngine({ path: ":memory:", now, ids: someIds() });
}

function chore(more: Partial<Draft> = {}): Draft {
  const body = { name: "sweep", everyMs: 1000 };
  return { kind: "chore", state: "waiting", body, ...more };
}

function append(draft: Draft): Call {
  return ["append", { who, draft }];
}

ledgerConformance("the SQLite engine", async () => {
  let time = 0;
  const store = sqliteEngine({ path: ":memory:", now: () => time, ids: someIds() });
  const ledger = ledgerOver({ ...directly(store), close: async () => store.close() });
  return { ledger, setNow: (ms) => (time = ms), close: () => ledger.close() };
});

test("a refused call of a batch does not affect the others", () => {
  const store = engine();
  const consequences = { append: [chore()], cancel: [{ id: "missing" }] };
  const answers = store.batch([
    append(chore({ holds: ["one"] })),
    ["append", { who, draft: chore(), consequences: consequences }],
    append(chore({ holds: ["one"] })),
    append(chore()),
  ]);
  assert.deepEqual(
    answers.map((each) => ("error" in each ? each.error.code : "written")),
    ["written", "not_found", "held", "written"],
  );
  assert.equal(store.stats(null).records, 2);
  store.close();
});

test("a batch runs again only after a refused unit has written", () => {
  const steps: string[] = [];
  const onStep = (step: string): unknown => steps.push(step);
  const store = sqliteEngine({ path: ":memory:", now, ids: someIds(), onStep });
  const good = append(chore());
  const consequences = { append: [chore()], cancel: [{ id: "missing" }] };
  const refused: Call = ["append", { who, draft: chore(), consequences: consequences }];
  const early: Call = ["append", { who, draft: chore({ holds: ["one"] }), consequences: {} }];
  const started = (...calls: Call[]): number => {
    steps.length = 0;
    store.batch(calls);
    return steps.filter((step) => step === "started").length;
  };
  assert.equal(
    started(good, early, early),
    1,
    "a refusal before the first write needs no savepoint",
  );
  assert.equal(
    started(good, refused, good),
    2,
    "the first refusal after a write runs the batch again",
  );
  assert.equal(started(refused, good), 1, "then savepoints are used");
  assert.equal(started(good, early), 1, "until a batch needs none");
  assert.equal(started(good, refused), 2);
  assert.equal(store.stats(null).records, 7);
  store.close();
});

/** The ids of the feed, in its order. */
function feedIds(store: SqliteEngine): readonly string[] {
  return store.changes({ who, query: { limit: 200 } }).changes.map(({ id }) => id);
}

test("the feed shows the writes of a batch to its later calls, in order", () => {
  const store = engine();
  const drafts = Array.from({ length: 43 }, (_, n) => chore({ id: `chore-${n}` }));
  const readFeed: Call = ["changes", { who, query: { limit: 200 } }];
  const answers = store.batch([...drafts.map(append), readFeed]);
  const seen = answers.at(-1) as { answer: ReturnType<SqliteEngine["changes"]> };
  const names = drafts.map(({ id }) => id);
  assert.deepEqual(
    seen.answer.changes.map(({ id }) => id),
    names,
  );
  assert.deepEqual(feedIds(store), names);
  store.close();
});

test("a refused unit leaves no change in the feed and removes none", () => {
  const store = engine();
  const consequences = { append: [chore()], cancel: [{ id: "missing" }] };
  const refused: Call = ["append", { who, draft: chore(), consequences: consequences }];
  const good = (id: string): Call => append(chore({ id }));
  store.batch([good("a"), refused, good("b"), refused, good("c")]);
  store.batch([good("d"), refused]);
  store.batch([good("e")]);
  assert.deepEqual(feedIds(store), ["a", "b", "c", "d", "e"]);
  store.close();
});

test("a record can be pruned in the batch that ended it", () => {
  const steps: string[] = [];
  const onStep = (step: string): unknown => steps.push(step);
  const store = sqliteEngine({ path: ":memory:", now, ids: someIds(), onStep });
  const ended = { kind: "chore", ends: "cancelled", body: { name: "sweep", everyMs: 1 } } as Draft;
  const answers = store.batch([append(ended), ["prune", { endedBefore: 5000, limit: 10 }]]);
  assert.deepEqual(answers.at(-1), { answer: 1 });
  assert.deepEqual(steps, ["started", "written", "committed"]);
  assert.deepEqual(feedIds(store), []);
  store.close();
});

test("a call that SQLite cannot bind does not fail its batch", () => {
  const store = engine();
  const broken = append(chore({ lane: { not: "text" } as never }));
  const answers = store.batch([append(chore()), broken, append(chore())]);
  assert.deepEqual(
    answers.map((each) => ("error" in each ? each.error.code : "written")),
    ["written", "bug", "written"],
  );
  assert.equal(store.stats(null).records, 2);
  store.close();
});

test("a refused unit hints nothing", () => {
  const store = engine();
  const consequences = { append: [chore({ wakeAt: 5 })], cancel: [{ id: "missing" }] };
  const call = (): unknown => store.append({ who, draft: chore(), consequences: consequences });
  assert.throws(call, (error) => hasCode(error, "not_found"));
  assert.deepEqual(store.takeHints(), []);
  store.append({ who, draft: chore({ wakeAt: 5 }) });
  assert.deepEqual(store.takeHints(), ["chore"]);
  store.close();
});

test("a full disk refuses writes until there is free space", () => {
  const database = openDatabase(":memory:");
  const store = engineOver(database, { now, ids: someIds() });
  const { records } = store.stats(null);
  const limit = (pages: number): void => database.exec(`pragma max_page_count = ${pages}`);
  limit(Number(database.prepare("pragma page_count").get()?.["page_count"]) + 2);
  const large = chore({ body: { name: "x".repeat(100_000), everyMs: 1 } });
  const answers = store.batch([append(chore()), append(large)]);
  assert.deepEqual(
    answers.map((each) => "error" in each && each.error.code),
    ["unavailable", "unavailable"],
  );
  assert.equal(store.stats(null).records, records);
  limit(100_000);
  assert.equal(store.append({ who, draft: large }).fresh, true);
  store.close();
});

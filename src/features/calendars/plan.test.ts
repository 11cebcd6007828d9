import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { brakeFor } from "./brake.ts";
import type { EntryContent } from "./content.ts";
import type { EntryKind } from "./kind.ts";
import { type Facts, planEntry, type Sight, type Step } from "./plan.ts";
import type { Wish } from "./projection.ts";
import { nothingKnown } from "./reading.ts";

const content: EntryContent = {
  title: "stand-up",
  description: "daybook show n",
  at: 1_000,
  zone: "Asia/Seoul",
  minutes: 30,
};
const moved = { ...content, at: 9_000 };
const renamed = { ...content, title: "sit-down" };
const at = (etag: string) => ({ remoteId: "/n", etag });

const written: EntryKind["outcome"] = { ...nothingKnown, location: at("1"), content };
const shown = (wanted: EntryContent): Wish => ({ is: "shown", content: wanted });
const kept: Wish = { is: "kept", content: { ...content, isDone: true } };
const gone = (because: "finished" | "hidden" | "orphan"): Wish => ({ is: "gone", because });
const unlisted: Sight = { seen: "unlisted" };
const there = (etag: string, seen: EntryContent): Sight => {
  return { seen: "there", entry: { id: "n", location: at(etag), content: seen } };
};
const deleted: Sight = { seen: "gone", isCertain: true };
const missing: Sight = { seen: "gone", isCertain: false };

type Case = readonly [name: string, facts: Facts, edits: boolean, wanted: string];
const facts = (entry: Facts["entry"], wish: Wish, sight: Sight): Facts => ({ entry, wish, sight });

const cases: readonly Case[] = [
  ["new", facts(null, shown(content), unlisted), false, "put new"],
  [
    "new, but its first answer was lost",
    facts(null, shown(content), there("1", content)),
    false,
    "note",
  ],
  [
    "new, and there with other content",
    facts(null, shown(content), there("1", moved)),
    false,
    "put changed",
  ],
  ["as it should be", facts(written, shown(content), unlisted), false, "nothing"],
  [
    "as it should be, and listed",
    facts(written, shown(content), there("1", content)),
    false,
    "nothing",
  ],
  ["moved in the book", facts(written, shown(moved), unlisted), false, "put changed"],
  ["changed there", facts(written, shown(content), there("2", moved)), false, "put restored"],
  ["changed there as in the book", facts(written, shown(moved), there("2", moved)), false, "note"],
  [
    "moved there, with edits",
    facts(written, shown(content), there("2", moved)),
    true,
    "take over at",
  ],
  [
    "renamed there, with edits",
    facts(written, shown(content), there("2", renamed)),
    true,
    "take over title",
  ],
  [
    "another description, with edits",
    facts(written, shown(content), there("2", { ...content, description: "" })),
    true,
    "put restored",
  ],
  [
    "changed on both sides, with edits",
    facts(written, shown(moved), there("2", renamed)),
    true,
    "put conflict",
  ],
  ["deleted there", facts(written, shown(content), deleted), false, "put missing"],
  ["deleted there, with edits", facts(written, shown(content), deleted), true, "cancel"],
  ["missing from a list, with edits", facts(written, shown(content), missing), true, "doubt"],
  [
    "missing from a second list, with edits",
    facts({ ...written, missingSince: 1 }, shown(content), missing),
    true,
    "cancel",
  ],
  [
    "found again",
    facts({ ...written, missingSince: 1 }, shown(content), there("1", content)),
    true,
    "note",
  ],
  [
    "deleted there, changed in the book",
    facts(written, shown(moved), deleted),
    true,
    "put conflict",
  ],
  ["delivered", facts(written, gone("finished"), unlisted), false, "remove finished"],
  ["delivered, and gone already", facts(written, gone("finished"), deleted), false, "note removed"],
  [
    "delivered before it was written",
    facts(nothingKnown, gone("finished"), unlisted),
    false,
    "note removed",
  ],
  [
    "delivered after a write whose answer was lost",
    facts({ ...nothingKnown, failures: 1 }, gone("finished"), unlisted),
    false,
    "remove finished",
  ],
  ["paused", facts(written, gone("hidden"), unlisted), false, "remove hidden"],
  ["paused before", facts(nothingKnown, gone("hidden"), unlisted), false, "nothing"],
  ["of no record", facts(null, gone("orphan"), there("1", content)), false, "remove orphan"],
  ["delivered, and kept", facts(written, kept, unlisted), false, "put ended kept"],
  [
    "kept already",
    facts({ ...written, content: { ...content, isDone: true } }, kept, unlisted),
    false,
    "note kept",
  ],
  ["being sent", facts(written, { is: "open" }, deleted), false, "nothing"],
  [
    "failed a moment ago",
    facts({ ...written, failures: 1, retryAt: 99 }, shown(moved), unlisted),
    false,
    "wait",
  ],
];

function said(step: Step): string {
  const edited = "edited" in step ? Object.keys(step.edited).join(" ") : undefined;
  const words = [
    step.do,
    "why" in step ? step.why : edited,
    "ends" in step ? step.ends : undefined,
  ];
  return words.filter((word) => word !== undefined).join(" ");
}

describe("the plan of an entry", () => {
  for (const [name, given, edits, wanted] of cases) {
    test(`that is ${name}: ${wanted}`, () => {
      assert.equal(said(planEntry(given, { edits, now: 50 })), wanted);
    });
  }
  test("has nothing to do after its step was done, whatever was there", () => {
    const text = fc.constantFrom("a", "b");
    const some = fc
      .record({ title: text, at: fc.constantFrom(1_000, 2_000) })
      .map((part) => ({ ...content, ...part }));
    const wish = some.map(shown);
    const entry = fc.option(some.map((each) => ({ ...written, content: each })));
    const sight = fc.oneof(
      fc.constant(unlisted),
      fc.constant(deleted),
      fc.tuple(fc.constantFrom("1", "2"), some).map(([etag, each]) => there(etag, each)),
    );
    fc.assert(
      fc.property(entry, wish, sight, (known, wanted, seen) => {
        // A version that we know has the content that we know.
        const isOwn = seen.seen === "there" && seen.entry.location.etag === "1" && known !== null;
        const clean = isOwn ? there("1", known.content ?? content) : seen;
        const step = planEntry(facts(known, wanted, clean), { edits: false, now: 50 });
        const after = outcomeOf(step, known);
        const next = facts(after, wanted, unlisted);
        assert.equal(planEntry(next, { edits: false, now: 50 }).do, "nothing");
      }),
    );
  });
});

function outcomeOf(step: Step, before: Facts["entry"]): Facts["entry"] {
  if (step.do === "put") return { ...nothingKnown, location: at("3"), content: step.content };
  if (step.do !== "note") return before;
  return {
    ...nothingKnown,
    location: step.location as EntryKind["outcome"]["location"],
    content: step.content,
  };
}

describe("the brake", () => {
  const hidden: Step = { do: "remove", why: "hidden", known: null };
  const finished: Step = { do: "remove", why: "finished", known: null };
  const many = (step: Step, count: number): Step[] => Array.from({ length: count }, () => step);
  test("is on above three removals, and above a tenth of the entries", () => {
    assert.equal(brakeFor(many(hidden, 3), 3, 0), null);
    assert.deepEqual(brakeFor(many(hidden, 4), 10, 0), { removals: 4, entries: 10 });
    assert.equal(brakeFor(many(hidden, 10), 100, 0), null);
    assert.deepEqual(brakeFor(many(hidden, 11), 100, 0), { removals: 11, entries: 100 });
  });
  test("lets go of as many as were confirmed, and no more", () => {
    assert.equal(brakeFor(many(hidden, 8), 8, 8), null);
    assert.deepEqual(brakeFor(many(hidden, 9), 9, 8), { removals: 9, entries: 9 });
  });
  test("does not count entries of records that have ended", () => {
    assert.equal(brakeFor(many(finished, 50), 50, 0), null);
  });
});

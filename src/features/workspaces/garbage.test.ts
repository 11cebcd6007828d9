import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { archiveKeyOf, unitPrefix } from "./archives.ts";
import { collect, nameOf, orphanMsMin, type ArchiveUnit, type Orphans } from "./garbage.ts";
import type { WorkspaceOutcome, WorkspaceKind } from "./kind.ts";

type Workspace = LedgerRecord<WorkspaceKind>;

const now = 100 * 60 * 60_000;
const longAgo = now - orphanMsMin;

function unit(opId: string, workspaceId = "w1"): ArchiveUnit {
  const key = archiveKeyOf(workspaceId, opId);
  return { workspaceId, opId, keys: [key, `${key}.meta`], size: 10 };
}

function workspace(
  outcome: Partial<WorkspaceOutcome>,
  parts: { id?: string; state?: Workspace["state"]; deletedAt?: number } = {},
): Workspace {
  const { id = "w1", state = "standby", deletedAt = null } = parts;
  return claimedWorkspace({ record: { id, state }, body: { deletedAt }, outcome });
}

function since(at: number, ...units: readonly ArchiveUnit[]): Orphans {
  return Object.fromEntries(units.map((each) => [nameOf(each), at]));
}

/** What goes of these when nobody has needed them for long, unless somebody does now. */
function gone(units: readonly ArchiveUnit[], ...workspaces: readonly Workspace[]): string[] {
  const before = since(longAgo, ...units);
  return collect({ units, workspaces, before, now }).remove.map(({ opId }) => opId);
}

describe("an archive is kept", () => {
  test("that stands for a volume, or is being made, and no other of the same workspace", () => {
    const units = [unit("op1"), unit("op2"), unit("op3")];
    const live = workspace({ archiveKey: archiveKeyOf("w1", "op1"), opId: "op2" });
    assert.deepEqual(gone(units, live), ["op3"]);
  });

  test("in ERROR and whatever is in course", () => {
    for (const state of ["pending", "standby", "running", "error"] as const)
      for (const operation of [null, "ARCHIVING", "RESTORING"] as const) {
        const kept = { archiveKey: archiveKeyOf("w1", "op1"), opId: "op2", operation };
        assert.deepEqual(gone([unit("op1"), unit("op2")], workspace(kept, { state })), []);
      }
  });

  test("by its whole name: one whose name begins alike is another", () => {
    const units = [unit("op1"), unit("op10"), unit("op"), unit("op1", "w10"), unit("op1", "w")];
    const live = workspace({ opId: "op1" });
    const before = since(longAgo, ...units);
    const { orphans } = collect({ units, workspaces: [live], before, now });
    assert.deepEqual(Object.keys(orphans), units.slice(1).map(nameOf));
    const byKey = workspace({ archiveKey: archiveKeyOf("w1", "op1") });
    assert.deepEqual(
      Object.keys(collect({ units, workspaces: [byKey], before, now }).orphans),
      units.slice(1).map(nameOf),
    );
  });

  test("that was packed otherwise, by where it is", () => {
    const live = workspace({ archiveKey: `${unitPrefix("w1", "op1")}home.tar.gz` });
    assert.deepEqual(gone([unit("op1"), unit("op2")], live), ["op2"]);
  });

  test("A10-9: as one unit with what is written beside it, after its op_id is cleared too", () => {
    const live = workspace({ archiveKey: archiveKeyOf("w1", "op1"), opId: null });
    assert.deepEqual(gone([unit("op1")], live), []);
    const { remove } = collect({
      units: [unit("op1")],
      workspaces: [],
      before: since(longAgo, unit("op1")),
      now,
    });
    const key = archiveKeyOf("w1", "op1");
    assert.deepEqual(
      remove.flatMap(({ keys }) => keys),
      [key, `${key}.meta`],
    );
  });

  test("of nobody that was deleted, or was never seen", () => {
    const kept = { archiveKey: archiveKeyOf("w1", "op1"), opId: "op2" };
    const units = [unit("op1"), unit("op2")];
    assert.deepEqual(gone(units, workspace(kept, { deletedAt: 5 })), ["op1", "op2"]);
    assert.deepEqual(gone(units, { ...workspace({}), outcome: null }), ["op1", "op2"]);
    assert.deepEqual(gone(units, workspace({})), ["op1", "op2"]);
  });
});

describe("what nobody needs", () => {
  test("goes after two hours, counted from when that was first seen", () => {
    const units = [unit("op1")];
    const first = collect({ units, workspaces: [], before: {}, now });
    assert.deepEqual(first, { remove: [], orphans: since(now, unit("op1")), isBraked: false });
    const before = first.orphans;
    const almost = collect({ units, workspaces: [], before, now: now + orphanMsMin - 1 });
    assert.deepEqual(almost, first);
    const over = collect({ units, workspaces: [], before, now: now + 2 * 60 * 60_000 });
    assert.deepEqual(over.remove, units);
  });

  test("must be needed by nobody for all that time: a need in between begins it anew", () => {
    const units = [unit("op1")];
    const live = workspace({ opId: "op1" });
    const needed = collect({ units, workspaces: [live], before: since(longAgo, ...units), now });
    assert.deepEqual(needed.orphans, {});
    const again = collect({ units, workspaces: [], before: needed.orphans, now: now + 1 });
    assert.deepEqual(again.remove, []);
    assert.deepEqual(again.orphans, since(now + 1, ...units));
  });

  test("is forgotten once it is no more", () => {
    const { orphans } = collect({
      units: [],
      workspaces: [],
      before: since(longAgo, unit("op1")),
      now,
    });
    assert.deepEqual(orphans, {});
  });

  test("does not go early when the clock goes back", () => {
    const units = [unit("op1")];
    const before = since(now + orphanMsMin, ...units);
    assert.deepEqual(collect({ units, workspaces: [], before, now }).remove, []);
  });
});

describe("the brake", () => {
  function many(orphans: number, needed: number): Parameters<typeof collect>[0] {
    const old = Array.from({ length: orphans }, (_, index) => unit(`old${index}`));
    const kept = Array.from({ length: needed }, (_, index) => unit("op", `k${index}`));
    const workspaces = kept.map(({ workspaceId: id }) => workspace({ opId: "op" }, { id }));
    return { units: [...old, ...kept], workspaces, before: since(longAgo, ...old), now };
  }
  const cases: readonly [orphans: number, needed: number, isBraked: boolean][] = [
    [3, 0, false],
    [4, 0, true],
    [4, 36, false],
    [4, 35, true],
    [10, 90, false],
    [11, 90, true],
    [0, 0, false],
  ];
  for (const [orphans, needed, isBraked] of cases) {
    test(`${isBraked ? "stops" : "lets go"} ${orphans} of ${orphans + needed}`, () => {
      const collected = collect(many(orphans, needed));
      assert.equal(collected.isBraked, isBraked);
      assert.equal(collected.remove.length, isBraked ? 0 : orphans);
      assert.equal(Object.keys(collected.orphans).length, orphans, "its time goes on");
    });
  }

  test("is let off by who confirms it", () => {
    const confirmed = collect({ ...many(50, 0), isConfirmed: true });
    assert.equal(confirmed.isBraked, false);
    assert.equal(confirmed.remove.length, 50);
  });
});

test("over any course of time nothing goes that was needed within two hours, or is braked", () => {
  const names = ["op", "op1", "op10"].flatMap((opId) => ["w1", "w10"].map((id) => ({ opId, id })));
  const round = fc.record({
    passedMs: fc.nat({ max: orphanMsMin }),
    needed: fc.subarray(names),
    stored: fc.subarray(names),
    isKey: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
      let at = now;
      let before: Orphans = {};
      const neededAt = new Map<string, number>();
      const seenAt = new Map<string, number>();
      for (const { passedMs, needed, stored, isKey } of rounds) {
        at += passedMs;
        const workspaces = needed.map(({ opId, id }) =>
          workspace(isKey ? { archiveKey: archiveKeyOf(id, opId) } : { opId }, { id }),
        );
        const units = stored.map(({ opId, id }) => unit(opId, id));
        for (const { opId, id } of needed) neededAt.set(unitPrefix(id, opId), at);
        for (const each of units) {
          if (!seenAt.has(nameOf(each))) seenAt.set(nameOf(each), at);
        }
        const collected = collect({ units, workspaces, before, now: at });
        for (const each of collected.remove) {
          const last = Math.max(neededAt.get(nameOf(each)) ?? 0, seenAt.get(nameOf(each)) ?? 0);
          assert.ok(at - last >= orphanMsMin, nameOf(each));
        }
        assert.ok(!collected.isBraked || collected.remove.length === 0);
        before = collected.orphans;
      }
    }),
    { numRuns: 500 },
  );
});

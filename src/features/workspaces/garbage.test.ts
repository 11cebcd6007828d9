import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { archiveKeyOf, unitPrefix } from "./archives.ts";
import { garbageIn, nameOf, orphanMsMin, type ArchiveUnit, type Orphans } from "./garbage.ts";
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
  return garbageIn({ units, workspaces, before, now }).remove.map(({ opId }) => opId);
}

describe("an archive is kept", () => {
  test("that replaces a volume, or is being made, and no other of the workspace", () => {
    const units = [unit("op1"), unit("op2"), unit("op3")];
    const live = workspace({ archiveKey: archiveKeyOf("w1", "op1"), opId: "op2" });
    assert.deepEqual(gone(units, live), ["op3"]);
  });

  test("in ERROR and during any operation", () => {
    for (const state of ["pending", "standby", "running", "error"] as const)
      for (const operation of [null, "ARCHIVING", "RESTORING"] as const) {
        const kept = { archiveKey: archiveKeyOf("w1", "op1"), opId: "op2", operation };
        assert.deepEqual(gone([unit("op1"), unit("op2")], workspace(kept, { state })), []);
      }
  });

  test("by its full name: a name with the same start is another", () => {
    const units = [unit("op1"), unit("op10"), unit("op"), unit("op1", "w10"), unit("op1", "w")];
    const live = workspace({ opId: "op1" });
    const before = since(longAgo, ...units);
    const { orphans } = garbageIn({ units, workspaces: [live], before, now });
    assert.deepEqual(Object.keys(orphans), units.slice(1).map(nameOf));
    const byKey = workspace({ archiveKey: archiveKeyOf("w1", "op1") });
    assert.deepEqual(
      Object.keys(garbageIn({ units, workspaces: [byKey], before, now }).orphans),
      units.slice(1).map(nameOf),
    );
  });

  test("of another format, by its location", () => {
    const live = workspace({ archiveKey: `${unitPrefix("w1", "op1")}home.tar.gz` });
    assert.deepEqual(gone([unit("op1"), unit("op2")], live), ["op2"]);
  });

  test("A10-9: as one unit with what is written beside it, after its op_id is cleared too", () => {
    const live = workspace({ archiveKey: archiveKeyOf("w1", "op1"), opId: null });
    assert.deepEqual(gone([unit("op1")], live), []);
    const { remove } = garbageIn({
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

  test("of no workspace that was deleted, or was never observed", () => {
    const kept = { archiveKey: archiveKeyOf("w1", "op1"), opId: "op2" };
    const units = [unit("op1"), unit("op2")];
    assert.deepEqual(gone(units, workspace(kept, { deletedAt: 5 })), ["op1", "op2"]);
    assert.deepEqual(gone(units, { ...workspace({}), outcome: null }), ["op1", "op2"]);
    assert.deepEqual(gone(units, workspace({})), ["op1", "op2"]);
  });
});

describe("an orphan", () => {
  test("is removed two hours after it was first found", () => {
    const units = [unit("op1")];
    const first = garbageIn({ units, workspaces: [], before: {}, now });
    assert.deepEqual(first, { remove: [], orphans: since(now, unit("op1")), isBraked: false });
    const before = first.orphans;
    const almost = garbageIn({ units, workspaces: [], before, now: now + orphanMsMin - 1 });
    assert.deepEqual(almost, first);
    const over = garbageIn({ units, workspaces: [], before, now: now + 2 * 60 * 60_000 });
    assert.deepEqual(over.remove, units);
  });

  test("counts from the start again after a need in between", () => {
    const units = [unit("op1")];
    const live = workspace({ opId: "op1" });
    const needed = garbageIn({ units, workspaces: [live], before: since(longAgo, ...units), now });
    assert.deepEqual(needed.orphans, {});
    const again = garbageIn({ units, workspaces: [], before: needed.orphans, now: now + 1 });
    assert.deepEqual(again.remove, []);
    assert.deepEqual(again.orphans, since(now + 1, ...units));
  });

  test("is dropped from the list once it no longer exists", () => {
    const { orphans } = garbageIn({
      units: [],
      workspaces: [],
      before: since(longAgo, unit("op1")),
      now,
    });
    assert.deepEqual(orphans, {});
  });

  test("is not removed early when the clock goes back", () => {
    const units = [unit("op1")];
    const before = since(now + orphanMsMin, ...units);
    assert.deepEqual(garbageIn({ units, workspaces: [], before, now }).remove, []);
  });
});

describe("the brake", () => {
  function many(orphans: number, needed: number): Parameters<typeof garbageIn>[0] {
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
    test(`${isBraked ? "stops" : "allows"} ${orphans} of ${orphans + needed}`, () => {
      const collected = garbageIn(many(orphans, needed));
      assert.equal(collected.isBraked, isBraked);
      assert.equal(collected.remove.length, isBraked ? 0 : orphans);
      assert.equal(Object.keys(collected.orphans).length, orphans, "its time goes on");
    });
  }

  test("is released by a confirmation", () => {
    const confirmed = garbageIn({ ...many(50, 0), isConfirmed: true });
    assert.equal(confirmed.isBraked, false);
    assert.equal(confirmed.remove.length, 50);
  });
});

test("at no time is an archive removed that was needed within two hours, or is braked", () => {
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
      const observedAt = new Map<string, number>();
      for (const { passedMs, needed, stored, isKey } of rounds) {
        at += passedMs;
        const workspaces = needed.map(({ opId, id }) =>
          workspace(isKey ? { archiveKey: archiveKeyOf(id, opId) } : { opId }, { id }),
        );
        const units = stored.map(({ opId, id }) => unit(opId, id));
        for (const { opId, id } of needed) neededAt.set(unitPrefix(id, opId), at);
        for (const each of units) {
          if (!observedAt.has(nameOf(each))) observedAt.set(nameOf(each), at);
        }
        const collected = garbageIn({ units, workspaces, before, now: at });
        for (const each of collected.remove) {
          const last = Math.max(neededAt.get(nameOf(each)) ?? 0, observedAt.get(nameOf(each)) ?? 0);
          assert.ok(at - last >= orphanMsMin, nameOf(each));
        }
        assert.ok(!collected.isBraked || collected.remove.length === 0);
        before = collected.orphans;
      }
    }),
    { numRuns: 500 },
  );
});

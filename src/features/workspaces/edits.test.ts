import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { EditOf } from "../../kernel/unit.ts";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { makeWorkspace, type NewWorkspace } from "./draft.ts";
import {
  levelEdit,
  deletionEdit,
  settingsEdit,
  recoveryEdit,
  renameEdit,
  touchEdit,
  taskRequestEdit,
} from "./edits.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import { levels, unobservedWorkspace, type Level, type WorkspaceKind } from "./kind.ts";

type Workspace = LedgerRecord<WorkspaceKind>;
type Edit = EditOf<WorkspaceKind>;

const limits = { perOwner: 2, inAll: 100 };
const now = 1_000_000;
const asked = { now, limits };
const name = workspaceHold("mina", "dev");
const places = workspaceSlots("mina", limits);

const fresh: NewWorkspace = {
  owner: "mina",
  name: "dev",
  imageRef: "node:24",
  machine: { memoryMb: 512, cpus: 1, pids: 256 },
  desired: "RUNNING",
  standbyTtlSeconds: 300,
  archiveTtlSeconds: 86_400,
  wakeAheadSeconds: 120,
  target: "inbox:mina",
  origin: null,
};

function bodyOf(edit: Edit): WorkspaceKind["body"] {
  assert.ok(edit.body);
  return edit.body;
}

describe("a new workspace", () => {
  test("is claimed at once, where its machines are", () => {
    const draft = makeWorkspace({ ...fresh, waiting: ["t1"] }, "here", asked);
    assert.equal(draft.queue, "workspace@here");
    assert.ok("state" in draft);
    assert.equal(draft.state, "pending");
    assert.equal(draft.wakeAt, 0);
    assert.deepEqual(draft.outcome, unobservedWorkspace);
    const { owner: _, ...given } = fresh;
    const expected = { asks: 1, lastAccessAt: now, deletedAt: null, waiting: ["t1"] };
    assert.deepEqual(draft.body, { ...given, ...expected, description: null, memo: null });
  });

  test("A10-12: takes its slot in the unit that creates it, if it will run", () => {
    const { holds } = makeWorkspace(fresh, "here", asked);
    assert.deepEqual(holds, [name, ...places]);
    for (const desired of ["PENDING", "STANDBY"] as const) {
      const resting = makeWorkspace({ ...fresh, desired }, "here", asked);
      assert.deepEqual(resting.holds, [name], desired);
    }
  });

  test("has a unique name for its owner, in any case", () => {
    const [held] = makeWorkspace({ ...fresh, name: "DEV" }, "here", asked).holds ?? [];
    assert.equal(held, name);
    const [other] = makeWorkspace({ ...fresh, owner: "jun" }, "here", asked).holds ?? [];
    assert.notEqual(other, name);
  });
});

describe("an invalid input", () => {
  const nameRule = /is not a workspace name: start with a letter or a digit/;
  const cases: Record<string, [Partial<NewWorkspace>, RegExp]> = {
    "no name": [{ name: "" }, nameRule],
    "a name that begins with a sign": [{ name: "-dev" }, nameRule],
    "a name that begins with a space": [{ name: " dev" }, nameRule],
    "a name with a slash": [{ name: "a/b" }, nameRule],
    "a name of two lines": [{ name: "a\nb" }, nameRule],
    "a name with a line end": [{ name: "a\n" }, nameRule],
    "a long name": [{ name: "x".repeat(101) }, nameRule],
    "a long description": [
      { description: "x".repeat(2_001) },
      /2001 characters: shorten it to 2000/,
    ],
    "a long memo": [{ memo: "x".repeat(2_001) }, /2001 characters: shorten it to 2000/],
    "no image": [{ imageRef: "" }, /is not an image: write it like node:24/],
    "an image of two words": [{ imageRef: "node 24" }, /is not an image: write it like node:24/],
    "a long image": [{ imageRef: "x".repeat(513) }, /is not an image: write it like node:24/],
    "a target of nowhere": [{ target: "nowhere" }, /write it as channel:address/],
    "no memory": [
      { machine: { memoryMb: 1, cpus: 1, pids: 256 } },
      /"memoryMb" must be a number from 16 to/,
    ],
    "no processor": [
      { machine: { memoryMb: 512, cpus: Number.NaN, pids: 256 } },
      /"cpus" must be a number from 0.05 to/,
    ],
    "no processes": [
      { machine: { memoryMb: 512, cpus: 1, pids: 0 } },
      /"pids" must be a number from 8 to/,
    ],
    "no time until it sleeps": [{ standbyTtlSeconds: 0 }, /"standby_ttl_seconds" must be/],
    "endless time until its archive": [
      { archiveTtlSeconds: Infinity },
      /"archive_ttl_seconds" must be/,
    ],
    "a wake after the slot": [{ wakeAheadSeconds: -1 }, /"wake_ahead_seconds" must be/],
  };
  for (const [what, [change, sentence]] of Object.entries(cases)) {
    test(`${what} is refused, with advice`, () => {
      const make = (): unknown => makeWorkspace({ ...fresh, ...change }, "here", asked);
      assert.throws(make, { code: "invalid", message: sentence });
    });
  }

  test("is refused in an edit as well", () => {
    const record = claimedWorkspace();
    const invalid = { code: "invalid" };
    assert.throws(() => renameEdit(record, "a/b", asked), invalid);
    assert.throws(() => settingsEdit(record, { memo: "x".repeat(2_001) }, asked), invalid);
    assert.throws(() => settingsEdit(record, { archiveTtlSeconds: 0 }, asked), invalid);
  });

  test("names as people write them are accepted", () => {
    for (const each of ["d", "Dev 2", "개발-환경", "a.b_c-d", "7", "x".repeat(100)])
      assert.doesNotThrow(() => makeWorkspace({ ...fresh, name: each }, "here", asked), each);
  });

  test("images as people write them are accepted", () => {
    const images = ["local", "node:24", "ghcr.io/me/dev:v1", `node@sha256:${"a".repeat(64)}`];
    for (const imageRef of images)
      assert.doesNotThrow(() => makeWorkspace({ ...fresh, imageRef }, "here", asked), imageRef);
  });
});

describe("a request for a level", () => {
  test("is numbered, counts as a use, wakes the record, and is for this revision only", () => {
    const record = claimedWorkspace({ body: { desired: "STANDBY", asks: 4 } });
    const edit = levelEdit(record, "PENDING", asked);
    const body = { ...record.body, desired: "PENDING", asks: 5, lastAccessAt: now } as const;
    assert.deepEqual(edit, { kind: "workspace", id: "w1", ifRevision: 3, body, wakeAt: 0 });
  });

  test("is a request also at the same level: it voids a choice", () => {
    const own = { desired: "STANDBY", asks: 1, because: "idle" } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome: { own } });
    const edit = levelEdit(record, "RUNNING", asked);
    assert.equal(bodyOf(edit).asks, 2);
    assert.deepEqual(edit.holds, [name, ...places]);
  });

  const states = ["pending", "standby", "running"] as const;
  for (const state of states)
    for (const from of levels)
      for (const to of levels) {
        const had = state === "running" || from === "RUNNING";
        const has = state === "running" || to === "RUNNING";
        // One that runs unasked may have no place.
        const isAnew = to === "RUNNING" && from !== "RUNNING";
        const isSame = had === has && !isAnew;
        const words = isSame ? "keeps its holds" : has ? "takes a place" : "gives it back";
        test(`A10-12: from ${from} to ${to} while ${state} ${words}`, () => {
          const record = claimedWorkspace({ record: { state }, body: { desired: from } });
          const { holds } = levelEdit(record, to, asked);
          const expected = has ? [name, ...places] : [name];
          assert.deepEqual(holds, isSame ? undefined : expected);
        });
      }

  test("keeps the slot of a workspace that is starting, even to be stopped", () => {
    const outcome = { operation: "STARTING", operationStartedAt: 1 } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome });
    assert.equal(levelEdit(record, "STANDBY", asked).holds, undefined);
  });

  test("keeps the slot of a workspace that ran before ERROR, and may still run", () => {
    const outcome = { previousStatus: "RUNNING" } as const;
    const record = claimedWorkspace({ record: { state: "error" }, outcome });
    assert.equal(levelEdit(record, "STANDBY", asked).holds, undefined);
  });
});

describe("a waiting task", () => {
  test("requests RUNNING, and is woken once with the other waiting tasks", () => {
    const body = { desired: "STANDBY", waiting: ["t1", "t2"], asks: 4 } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, body });
    const edit = taskRequestEdit(record, "t1", asked);
    assert.deepEqual(bodyOf(edit).waiting, ["t2", "t1"]);
    assert.equal(bodyOf(edit).desired, "RUNNING");
    assert.equal(bodyOf(edit).asks, 5);
    assert.equal(bodyOf(edit).lastAccessAt, now);
    assert.deepEqual(edit.holds, [name, ...places]);
  });

  test("is the only one once the earlier ones were woken", () => {
    const body = { waiting: ["t1", "t2"] };
    const record = claimedWorkspace({ record: { state: "running" }, body });
    assert.deepEqual(bodyOf(taskRequestEdit(record, "t3", asked)).waiting, ["t3"]);
  });

  test("is stored although many others wait: the oldest poll", () => {
    const waiting = Array.from({ length: 500 }, (_, index) => `t${index}`);
    const record = claimedWorkspace({ body: { waiting } });
    const after = bodyOf(taskRequestEdit(record, "new", asked)).waiting;
    assert.ok(after.length <= 201);
    assert.deepEqual(after.slice(-2), ["t499", "new"]);
  });
});

describe("a use", () => {
  test("is written, and wakes the record, when it is new", () => {
    const record = claimedWorkspace({ body: { lastAccessAt: now - 10_000, asks: 4 } });
    const edit = touchEdit(record, now, limits);
    assert.ok(edit);
    assert.equal(bodyOf(edit).lastAccessAt, now);
    assert.equal(bodyOf(edit).asks, 4, "to use it is not to ask for a level");
    assert.equal(edit.holds, undefined);
    assert.equal(touchEdit(record, now - 1, limits), undefined);
  });

  test("A10-17: in any order of uses, the time of the last use only rises", () => {
    const change = fc.record({
      what: fc.constantFrom("touch", "ask", "wait", "describe"),
      at: fc.nat({ max: 1_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1 }), (changes) => {
        let record: Workspace = claimedWorkspace();
        for (const { what, at } of changes) {
          const when = { now: at, limits };
          const edit = {
            touch: () => touchEdit(record, at, limits),
            ask: () => levelEdit(record, "STANDBY", when),
            wait: () => taskRequestEdit(record, "t1", when),
            describe: () => settingsEdit(record, { memo: "x" }, when),
          }[what]();
          const before = record.body.lastAccessAt;
          if (edit !== undefined) record = { ...record, body: bodyOf(edit) };
          const after = record.body.lastAccessAt;
          assert.ok(after >= before);
          if (what !== "touch") assert.equal(after, Math.max(before, at));
          else assert.ok(after > at - 10_000);
        }
      }),
    );
  });
});

test("a new description changes neither the level nor its request", () => {
  const record = claimedWorkspace({ body: { asks: 4 } });
  const edit = settingsEdit(record, { memo: "m", standbyTtlSeconds: 9 }, asked);
  const said = { memo: "m", standbyTtlSeconds: 9, lastAccessAt: now };
  assert.deepEqual(bodyOf(edit), { ...record.body, ...said });
  assert.equal(edit.holds, undefined);
});

test("a new name replaces the held one, with the same slots", () => {
  const newName = workspaceHold("mina", "lab");
  const up = renameEdit(claimedWorkspace(), "lab", asked);
  assert.deepEqual(up.holds, [newName, ...places]);
  assert.equal(bodyOf(up).name, "lab");
  const down = renameEdit(claimedWorkspace({ body: { desired: "PENDING" } }), "lab", asked);
  assert.deepEqual(down.holds, [newName]);
});

describe("a recovery", () => {
  const fault = { reason: "Timeout", message: "m", context: {}, occurredAt: 1 } as const;
  const kept = { opId: "op7", archiveKey: "k", restoreMarker: "m" };

  for (const previousStatus of [null, ...levels] as const) {
    test(`returns to ${previousStatus ?? "PENDING by default"}, resets the count, and keeps the saved outcome`, () => {
      const outcome = { ...kept, previousStatus, errorInfo: fault, errorCount: 4 };
      const record = claimedWorkspace({ record: { state: "error" }, outcome });
      const edit = recoveryEdit(record);
      assert.ok("state" in edit);
      assert.equal(edit.state, (previousStatus ?? "PENDING").toLowerCase());
      assert.deepEqual(edit.outcome, { ...unobservedWorkspace, ...kept });
      assert.equal(edit.wakeAt, 0);
      assert.equal(edit.ifRevision, 3);
    });
  }

  for (const state of ["pending", "standby", "running", "deleted", "cancelled"] as const) {
    test(`is refused for a workspace that is ${state}`, () => {
      const record = claimedWorkspace({ record: { state } });
      const expected = { code: "invalid", message: /nothing to recover/ };
      assert.throws(() => recoveryEdit(record), expected);
    });
  }
});

describe("a deletion", () => {
  test("is recorded with its time, and wakes the record, in ERROR too", () => {
    for (const state of ["pending", "standby", "running", "error"] as const) {
      const record = claimedWorkspace({ record: { state } });
      const edit = deletionEdit(record, now);
      assert.deepEqual(bodyOf(edit), { ...record.body, deletedAt: now });
      assert.ok("wakeAt" in edit && edit.wakeAt === 0);
      assert.equal(edit.holds, undefined, "its name and its place are its own until it is gone");
    }
  });

  test("twice is the same as once: the first time stays", () => {
    const record = claimedWorkspace({ body: { deletedAt: 5 } });
    assert.equal(bodyOf(deletionEdit(record, now)).deletedAt, 5);
  });
});

const unasked: readonly Level[] = ["PENDING", "STANDBY"];
test("A10-12: a sleeping workspace needs no slot, whoever put it to sleep", () => {
  for (const desired of unasked) {
    const own = { desired, asks: 1, because: "idle" } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome: { own } });
    assert.deepEqual(renameEdit(record, "lab", asked).holds?.length, 1);
  }
});

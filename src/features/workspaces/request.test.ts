import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { EditOf } from "../../kernel/unit.ts";
import { claimedWorkspace } from "../../testing/workspace-records.ts";
import { makeWorkspace, type NewWorkspace } from "./draft.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import { levels, unobservedWorkspace, type Level, type WorkspaceKind } from "./kind.ts";
import {
  requestLevel,
  deleted,
  describes,
  recovered,
  renamed,
  touched,
  requestForTask,
} from "./request.ts";

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
  test("is looked at at once, where its machines are", () => {
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

  test("A10-12: takes its place in the unit that makes it, if it is to run", () => {
    const { holds } = makeWorkspace(fresh, "here", asked);
    assert.deepEqual(holds, [name, ...places]);
    for (const desired of ["PENDING", "STANDBY"] as const) {
      const resting = makeWorkspace({ ...fresh, desired }, "here", asked);
      assert.deepEqual(resting.holds, [name], desired);
    }
  });

  test("has a name that no other of its owner has, however it is written", () => {
    const [held] = makeWorkspace({ ...fresh, name: "DEV" }, "here", asked).holds ?? [];
    assert.equal(held, name);
    const [other] = makeWorkspace({ ...fresh, owner: "jun" }, "here", asked).holds ?? [];
    assert.notEqual(other, name);
  });
});

describe("bad input", () => {
  const nameRule = /is no name of a workspace: begin with a letter or a digit/;
  const cases: Record<string, [Partial<NewWorkspace>, RegExp]> = {
    "no name": [{ name: "" }, nameRule],
    "a name that begins with a sign": [{ name: "-dev" }, nameRule],
    "a name that begins with a space": [{ name: " dev" }, nameRule],
    "a name with a slash": [{ name: "a/b" }, nameRule],
    "a name of two lines": [{ name: "a\nb" }, nameRule],
    "a name with a line end": [{ name: "a\n" }, nameRule],
    "a long name": [{ name: "x".repeat(101) }, nameRule],
    "a long description": [{ description: "x".repeat(2_001) }, /2000 characters at most/],
    "a long memo": [{ memo: "x".repeat(2_001) }, /2000 characters at most/],
    "no image": [{ imageRef: "" }, /is no image: write it like node:24/],
    "an image of two words": [{ imageRef: "node 24" }, /is no image: write it like node:24/],
    "a long image": [{ imageRef: "x".repeat(513) }, /is no image: write it like node:24/],
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
    test(`${what} is refused, with what to write`, () => {
      const make = (): unknown => makeWorkspace({ ...fresh, ...change }, "here", asked);
      assert.throws(make, { code: "invalid", message: sentence });
    });
  }

  test("is refused in a change as well", () => {
    const record = claimedWorkspace();
    const invalid = { code: "invalid" };
    assert.throws(() => renamed(record, "a/b", asked), invalid);
    assert.throws(() => describes(record, { memo: "x".repeat(2_001) }, asked), invalid);
    assert.throws(() => describes(record, { archiveTtlSeconds: 0 }, asked), invalid);
  });

  test("names as people write them are taken", () => {
    for (const each of ["d", "Dev 2", "개발-환경", "a.b_c-d", "7", "x".repeat(100)])
      assert.doesNotThrow(() => makeWorkspace({ ...fresh, name: each }, "here", asked), each);
  });

  test("images as people write them are taken", () => {
    const images = ["local", "node:24", "ghcr.io/me/dev:v1", `node@sha256:${"a".repeat(64)}`];
    for (const imageRef of images)
      assert.doesNotThrow(() => makeWorkspace({ ...fresh, imageRef }, "here", asked), imageRef);
  });
});

describe("asking for a level", () => {
  test("is the next asking, counts as a use, is looked at at once, and holds for this revision only", () => {
    const record = claimedWorkspace({ body: { desired: "STANDBY", asks: 4 } });
    const edit = requestLevel(record, "PENDING", asked);
    const body = { ...record.body, desired: "PENDING", asks: 5, lastAccessAt: now } as const;
    assert.deepEqual(edit, { kind: "workspace", id: "w1", ifRevision: 3, body, wakeAt: 0 });
  });

  test("is an asking also when the level is the same: it voids what was chosen without one", () => {
    const own = { desired: "STANDBY", asks: 1, because: "idle" } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome: { own } });
    const edit = requestLevel(record, "RUNNING", asked);
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
          const { holds } = requestLevel(record, to, asked);
          const expected = has ? [name, ...places] : [name];
          assert.deepEqual(holds, isSame ? undefined : expected);
        });
      }

  test("keeps the place of one that is being started: it will run, if only to be stopped", () => {
    const outcome = { operation: "STARTING", operationStartedAt: 1 } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome });
    assert.equal(requestLevel(record, "STANDBY", asked).holds, undefined);
  });

  test("keeps the place of one that ran before ERROR: its machine may run still", () => {
    const outcome = { previousStatus: "RUNNING" } as const;
    const record = claimedWorkspace({ record: { state: "error" }, outcome });
    assert.equal(requestLevel(record, "STANDBY", asked).holds, undefined);
  });
});

describe("a task that waits for it", () => {
  test("asks for it to run, and is woken with the others that wait, once", () => {
    const body = { desired: "STANDBY", waiting: ["t1", "t2"], asks: 4 } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, body });
    const edit = requestForTask(record, "t1", asked);
    assert.deepEqual(bodyOf(edit).waiting, ["t2", "t1"]);
    assert.equal(bodyOf(edit).desired, "RUNNING");
    assert.equal(bodyOf(edit).asks, 5);
    assert.equal(bodyOf(edit).lastAccessAt, now);
    assert.deepEqual(edit.holds, [name, ...places]);
  });

  test("stands alone once those before were woken", () => {
    const body = { waiting: ["t1", "t2"] };
    const record = claimedWorkspace({ record: { state: "running" }, body });
    assert.deepEqual(bodyOf(requestForTask(record, "t3", asked)).waiting, ["t3"]);
  });

  test("is written although very many do: the oldest look by themselves", () => {
    const waiting = Array.from({ length: 500 }, (_, index) => `t${index}`);
    const record = claimedWorkspace({ body: { waiting } });
    const after = bodyOf(requestForTask(record, "new", asked)).waiting;
    assert.ok(after.length <= 201);
    assert.deepEqual(after.slice(-2), ["t499", "new"]);
  });
});

describe("a use", () => {
  test("is written, and looked at, when it is news", () => {
    const record = claimedWorkspace({ body: { lastAccessAt: now - 10_000, asks: 4 } });
    const edit = touched(record, now, limits);
    assert.ok(edit);
    assert.equal(bodyOf(edit).lastAccessAt, now);
    assert.equal(bodyOf(edit).asks, 4, "to use it is not to ask for a level");
    assert.equal(edit.holds, undefined);
    assert.equal(touched(record, now - 1, limits), undefined);
  });

  test("A10-17: in whatever order uses come, the time of the last one only rises", () => {
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
            touch: () => touched(record, at, limits),
            ask: () => requestLevel(record, "STANDBY", when),
            wait: () => requestForTask(record, "t1", when),
            describe: () => describes(record, { memo: "x" }, when),
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

test("what is said of it changes neither its level nor who asked for it", () => {
  const record = claimedWorkspace({ body: { asks: 4 } });
  const edit = describes(record, { memo: "m", standbyTtlSeconds: 9 }, asked);
  const said = { memo: "m", standbyTtlSeconds: 9, lastAccessAt: now };
  assert.deepEqual(bodyOf(edit), { ...record.body, ...said });
  assert.equal(edit.holds, undefined);
});

test("a new name is held in place of the old one, with the place it has", () => {
  const newName = workspaceHold("mina", "lab");
  const up = renamed(claimedWorkspace(), "lab", asked);
  assert.deepEqual(up.holds, [newName, ...places]);
  assert.equal(bodyOf(up).name, "lab");
  const down = renamed(claimedWorkspace({ body: { desired: "PENDING" } }), "lab", asked);
  assert.deepEqual(down.holds, [newName]);
});

describe("recovering", () => {
  const fault = { reason: "Timeout", message: "m", context: {}, occurredAt: 1 } as const;
  const kept = { opId: "op7", archiveKey: "k", restoreMarker: "m" };

  for (const previousStatus of [null, ...levels] as const) {
    test(`goes back to ${previousStatus ?? "PENDING if nothing was known"}, counts anew, and keeps what was saved`, () => {
      const outcome = { ...kept, previousStatus, errorInfo: fault, errorCount: 4 };
      const record = claimedWorkspace({ record: { state: "error" }, outcome });
      const edit = recovered(record);
      assert.ok("state" in edit);
      assert.equal(edit.state, (previousStatus ?? "PENDING").toLowerCase());
      assert.deepEqual(edit.outcome, { ...unobservedWorkspace, ...kept });
      assert.equal(edit.wakeAt, 0);
      assert.equal(edit.ifRevision, 3);
    });
  }

  for (const state of ["pending", "standby", "running", "deleted", "cancelled"] as const) {
    test(`is refused of one that is ${state}`, () => {
      const record = claimedWorkspace({ record: { state } });
      const expected = { code: "invalid", message: /nothing to recover/ };
      assert.throws(() => recovered(record), expected);
    });
  }
});

describe("deleting", () => {
  test("is written down with its time, and looked at at once, in ERROR too", () => {
    for (const state of ["pending", "standby", "running", "error"] as const) {
      const record = claimedWorkspace({ record: { state } });
      const edit = deleted(record, now);
      assert.deepEqual(bodyOf(edit), { ...record.body, deletedAt: now });
      assert.ok("wakeAt" in edit && edit.wakeAt === 0);
      assert.equal(edit.holds, undefined, "its name and its place are its own until it is gone");
    }
  });

  test("twice is the same as once: the first time stands", () => {
    const record = claimedWorkspace({ body: { deletedAt: 5 } });
    assert.equal(bodyOf(deleted(record, now)).deletedAt, 5);
  });
});

const unasked: readonly Level[] = ["PENDING", "STANDBY"];
test("A10-12: what a person put to sleep and what sleeps by itself need no place", () => {
  for (const desired of unasked) {
    const own = { desired, asks: 1, because: "idle" } as const;
    const record = claimedWorkspace({ record: { state: "standby" }, outcome: { own } });
    assert.deepEqual(renamed(record, "lab", asked).holds?.length, 1);
  }
});

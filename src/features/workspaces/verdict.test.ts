import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { claimedWorkspace, verdictContext, observedAt } from "../../testing/workspace-records.ts";
import { notificationKind } from "../notifications/kind.ts";
import { archiveKeyOf } from "./archives.ts";
import { levelEdit, deletionEdit, recoveryEdit, touchEdit, taskRequestEdit } from "./edits.ts";
import { mismatchError } from "./error-info.ts";
import { errorCheckMs } from "./error-verdict.ts";
import { workspaceHold, workspaceSlots } from "./holds.ts";
import {
  levels,
  unobservedWorkspace,
  type Level,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
  stateOf,
} from "./kind.ts";
import type { VerdictContext } from "./verdict-context.ts";
import { workspaceVerdict, type WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;
type Shown = Exclude<Verdict<WorkspaceKind>, { unchanged: number } | { ends: unknown }>;

const hourMs = 60 * 60_000;
const now = 1_000 * hourMs;
const facts = { now, jitter: 0 };
const limits = { perOwner: 2, inAll: 3 };
const asked = { now, limits };
const name = workspaceHold("mina", "dev");
const places = workspaceSlots("mina", limits);

type Parts = NonNullable<Parameters<typeof claimedWorkspace>[0]>;

/** One that is at the level it should have, and was used and seen just now. */
function resting(level: Level, { record, body, outcome }: Parts = {}): Workspace {
  return claimedWorkspace({
    record: { state: stateOf(level), ...record },
    body: { desired: level, lastAccessAt: now, ...body },
    outcome: { observedAt: now, ...outcome },
  });
}

function looked(level: Level, context: Partial<VerdictContext> = {}): WorkspaceObserved {
  return { saw: "observed", observation: observedAt[level], context: verdictContext(context) };
}

function done(
  operation: WorkspaceOperation,
  level: Level,
  outcome: Partial<WorkspaceOutcome> = {},
): WorkspaceObserved {
  const saved = { ...unobservedWorkspace, operation, operationStartedAt: 5, ...outcome };
  return {
    saw: "done",
    operation,
    outcome: saved,
    observation: observedAt[level],
    context: verdictContext(),
  };
}

function shown(verdict: Verdict<WorkspaceKind>): Shown & { outcome: WorkspaceOutcome } {
  assert.ok("state" in verdict && verdict.outcome !== undefined, JSON.stringify(verdict));
  return { ...verdict, outcome: verdict.outcome };
}

describe("a reconciled workspace", () => {
  for (const level of levels) {
    test(`at ${level} is unchanged until the next observation, without a write`, () => {
      const verdict = workspaceVerdict(resting(level), looked(level), facts);
      assert.deepEqual(verdict, { unchanged: now + 60_000 });
    });

    test(`at ${level} is written once an hour, without a note`, () => {
      const at = (observedAt: number | null): Verdict<WorkspaceKind> =>
        workspaceVerdict(resting(level, { outcome: { observedAt } }), looked(level), facts);
      assert.deepEqual(at(now - hourMs), { unchanged: now + 60_000 });
      const verdict = shown(at(now - hourMs - 1));
      assert.equal(verdict.state, stateOf(level));
      assert.equal(verdict.outcome.observedAt, now);
      assert.equal(verdict.wakeAt, now + 60_000);
      assert.equal(verdict.note, undefined);
      assert.equal(verdict.holds, undefined);
      assert.equal(verdict.consequences, undefined);
      assert.equal(shown(at(null)).outcome.observedAt, now);
    });
  }

  test("is observed sooner when it would sleep or wake sooner", () => {
    const body = { lastAccessAt: now - 290_000 };
    const verdict = workspaceVerdict(resting("RUNNING", { body }), looked("RUNNING"), facts);
    assert.deepEqual(verdict, { unchanged: now + 10_000 });
    const slot = looked("STANDBY", { slotAt: now + 125_000 });
    assert.deepEqual(workspaceVerdict(resting("STANDBY"), slot, facts), { unchanged: now + 5_000 });
  });
});

describe("an observation", () => {
  test("A10-3: of a dead machine lets the next operation start at once", () => {
    const verdict = shown(workspaceVerdict(resting("RUNNING"), looked("STANDBY"), facts));
    assert.equal(verdict.state, "standby");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined, "it is to run: its place stays");
  });

  test("A10-4: of nothing records PENDING", () => {
    const verdict = shown(workspaceVerdict(resting("STANDBY"), looked("PENDING"), facts));
    assert.equal(verdict.state, "pending");
    assert.equal(verdict.wakeAt, now);
  });

  test("of an unrequested machine takes a slot, and stops it at once", () => {
    const verdict = shown(workspaceVerdict(resting("STANDBY"), looked("RUNNING"), facts));
    assert.equal(verdict.state, "running");
    assert.deepEqual(verdict.holds, [name, ...places]);
    assert.equal(verdict.wakeAt, now);
  });

  test("of an unrequested machine is recorded without a free slot too, to stop it", () => {
    const seen = looked("RUNNING", { isFull: true });
    const verdict = shown(workspaceVerdict(resting("STANDBY"), seen, facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.holds, undefined);
    assert.equal(verdict.wakeAt, now);
  });

  test("clears earlier errors and failed observations", () => {
    const error = mismatchError({ expected: "a", actual: "b" }, null, 5);
    const before: readonly Partial<WorkspaceOutcome>[] = [
      { unseen: "no engine" },
      { errorCount: 2 },
      { errorInfo: error, errorCount: 1 },
    ];
    for (const outcome of before) {
      const verdict = shown(
        workspaceVerdict(resting("STANDBY", { outcome }), looked("STANDBY"), facts),
      );
      const { unseen, errorInfo, errorCount } = verdict.outcome;
      assert.deepEqual(
        { unseen, errorInfo, errorCount },
        { unseen: null, errorInfo: null, errorCount: 0 },
      );
    }
  });

  test("of a machine without a volume is a Mismatch, in ERROR at the fourth time", () => {
    const seen = { saw: "observed", observation: { machine: "running", volume: null } } as const;
    let record = resting("RUNNING");
    for (const state of ["running", "running", "running", "error"] as const) {
      const verdict = shown(
        workspaceVerdict(record, { ...seen, context: verdictContext() }, facts),
      );
      assert.equal(verdict.state, state);
      assert.equal(verdict.outcome.errorInfo?.reason, "Mismatch");
      record = { ...record, state, outcome: verdict.outcome };
    }
    const rests = workspaceVerdict(record, { ...seen, context: verdictContext() }, facts);
    assert.deepEqual(rests, { unchanged: now + errorCheckMs });
  });

  test("A10-5: changes nothing in ERROR, whatever it is", () => {
    for (const level of levels) {
      const record = resting(level, { record: { state: "error" } });
      for (const seen of levels)
        assert.deepEqual(workspaceVerdict(record, looked(seen), facts), {
          unchanged: now + errorCheckMs,
        });
    }
  });

  test("of a deleted workspace without machine and volume ends it", () => {
    for (const state of ["pending", "running", "error"] as const) {
      const outcome = { operation: "DELETING", archiveKey: "k" } as const;
      const record = resting("RUNNING", { record: { state }, body: { deletedAt: 5 }, outcome });
      const verdict = workspaceVerdict(record, looked("PENDING"), facts);
      assert.ok("ends" in verdict);
      assert.equal(verdict.ends, "deleted");
      assert.equal(verdict.outcome?.operation, null);
      assert.equal(verdict.outcome?.archiveKey, "k");
    }
  });
});

describe("an operation that is done", () => {
  const key = archiveKeyOf("w1", "op1");
  const cases: readonly [WorkspaceOperation, Level, Level, Level][] = [
    ["PROVISIONING", "PENDING", "STANDBY", "STANDBY"],
    ["PROVISIONING", "PENDING", "RUNNING", "STANDBY"],
    ["STARTING", "STANDBY", "RUNNING", "RUNNING"],
    ["STOPPING", "RUNNING", "STANDBY", "STANDBY"],
    ["STOPPING", "RUNNING", "PENDING", "STANDBY"],
  ];
  for (const [operation, from, desired, to] of cases) {
    test(`${operation} leaves it ${to}, ${to === desired ? "reconciled" : "due at once"} if ${desired} is desired`, () => {
      const record = resting(desired, { record: { state: stateOf(from) } });
      const seen = done(operation, to, { errorCount: 2, opId: "op1" });
      const verdict = shown(workspaceVerdict(record, seen, facts));
      assert.equal(verdict.state, stateOf(to));
      assert.equal(verdict.note, `${operation} is done`);
      assert.equal(verdict.wakeAt, to === desired ? now + 60_000 : now);
      const { operationStartedAt, errorCount, observedAt, opId } = verdict.outcome;
      assert.equal(verdict.outcome.operation, null);
      const kept = { operationStartedAt, errorCount, observedAt, opId };
      const expected = { operationStartedAt: null, errorCount: 0, observedAt: now, opId: "op1" };
      assert.deepEqual(kept, expected);
    });
  }

  test("RESTORING leaves it STANDBY with the marker of its volume", () => {
    const saved = { ...unobservedWorkspace, archiveKey: key, restoreMarker: key };
    const observation = { machine: null, volume: { marker: key } };
    const context = verdictContext();
    const seen = {
      saw: "done",
      operation: "RESTORING",
      outcome: saved,
      observation,
      context,
    } as const;
    const verdict = shown(workspaceVerdict(resting("STANDBY"), seen, facts));
    assert.equal(verdict.state, "standby");
    assert.equal(verdict.outcome.restoreMarker, key);
    assert.equal(verdict.outcome.archiveKey, key);
  });

  test("ARCHIVING leaves it PENDING with its archive, without op_id and marker", () => {
    const saved = { opId: "op1", archiveKey: key, restoreMarker: archiveKeyOf("w1", "op0") };
    const record = resting("PENDING", { record: { state: "standby" } });
    const verdict = shown(workspaceVerdict(record, done("ARCHIVING", "PENDING", saved), facts));
    assert.equal(verdict.state, "pending");
    const { opId, archiveKey, restoreMarker } = verdict.outcome;
    assert.deepEqual(
      { opId, archiveKey, restoreMarker },
      { opId: null, archiveKey: key, restoreMarker: null },
    );
  });

  test("STOPPING releases its slot, and STARTING holds it already", () => {
    const down = resting("STANDBY", { record: { state: "running" } });
    assert.deepEqual(shown(workspaceVerdict(down, done("STOPPING", "STANDBY"), facts)).holds, [
      name,
    ]);
    const up = resting("RUNNING", { record: { state: "standby" } });
    assert.equal(shown(workspaceVerdict(up, done("STARTING", "RUNNING"), facts)).holds, undefined);
  });

  test("DELETING ends it, with the key of its archive", () => {
    const record = resting("RUNNING", { body: { deletedAt: 5 } });
    const verdict = workspaceVerdict(
      record,
      done("DELETING", "PENDING", { archiveKey: key }),
      facts,
    );
    assert.ok("ends" in verdict);
    assert.equal(verdict.ends, "deleted");
    assert.equal(verdict.outcome?.archiveKey, key);
    assert.equal(verdict.outcome?.operation, null);
  });
});

describe("waiting tasks", () => {
  const body = { waiting: ["t1", "t2"] };
  const woken = { wake: [{ id: "t1" }, { id: "t2" }] };

  test("are woken in the unit that records RUNNING", () => {
    const record = resting("RUNNING", { record: { state: "standby" }, body });
    assert.deepEqual(
      shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts)).consequences,
      woken,
    );
    assert.deepEqual(shown(workspaceVerdict(record, looked("RUNNING"), facts)).consequences, woken);
  });

  test("are woken also after a start that replaced a dead machine", () => {
    const record = resting("RUNNING", { body });
    assert.deepEqual(
      shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts)).consequences,
      woken,
    );
  });

  test("are woken by nothing else", () => {
    const record = resting("RUNNING", { record: { state: "pending" }, body });
    const provisioned = workspaceVerdict(record, done("PROVISIONING", "STANDBY"), facts);
    assert.equal(shown(provisioned).consequences, undefined);
    const old = resting("RUNNING", { body, outcome: { observedAt: 0 } });
    assert.equal(shown(workspaceVerdict(old, looked("RUNNING"), facts)).consequences, undefined);
  });
});

describe("a failed, unreachable or aborted attempt", () => {
  const record = resting("RUNNING", { record: { state: "standby" } });
  const saved = { ...unobservedWorkspace, operation: "STARTING", opId: "op9" } as const;

  test("keeps the outcome that the operation saved before an error", () => {
    const error = mismatchError({ expected: "a", actual: "b" }, "STARTING", now);
    const seen = { saw: "error", error, outcome: saved, context: verdictContext() } as const;
    const verdict = shown(workspaceVerdict(record, seen, facts));
    const { operation, opId, errorCount } = verdict.outcome;
    assert.deepEqual(
      { operation, opId, errorCount },
      { operation: "STARTING", opId: "op9", errorCount: 1 },
    );
    assert.equal(verdict.state, "standby");
  });

  test("names the operation in the notice of ERROR, and releases its slot", () => {
    const error = { reason: "Timeout", message: "Look.", context: {}, occurredAt: now } as const;
    const seen = { saw: "error", error, outcome: saved, context: verdictContext() } as const;
    const verdict = shown(workspaceVerdict(record, seen, facts));
    const [own] = verdict.consequences?.append ?? [];
    assert.ok(is(notificationKind, own));
    assert.match(own.body.message, /while STARTING \(Timeout\): Look\./);
    assert.equal(verdict.holds, undefined, "it is to run");
    const unwanted = { ...resting("STANDBY"), outcome: saved };
    assert.deepEqual(shown(workspaceVerdict(unwanted, seen, facts)).holds, [name]);
  });

  test("does not take an unreachable machine for absent: the level stays", () => {
    const seen = { saw: "unreachable", reason: "no engine", context: verdictContext() } as const;
    const verdict = shown(workspaceVerdict(resting("RUNNING"), seen, facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.outcome.unseen, "no engine");
    const blind = { ...resting("RUNNING"), outcome: verdict.outcome };
    assert.deepEqual(workspaceVerdict(blind, seen, facts), { unchanged: now + 60_000 });
  });

  test("of a node that stops is continued at once by another, from the saved outcome", () => {
    const verdict = shown(workspaceVerdict(record, { saw: "stopped", outcome: saved }, facts));
    assert.equal(verdict.state, "standby");
    assert.deepEqual(verdict.outcome, saved);
    assert.equal(verdict.wakeAt, now);
  });
});

describe("a workspace with a new request during an observation", () => {
  const idle = resting("RUNNING", { body: { lastAccessAt: now - hourMs } });
  const moved = (edit: { body?: Workspace["body"] | undefined }): Workspace => ({
    ...idle,
    revision: 4,
    body: edit.body ?? idle.body,
  });

  test("A10-11: stays awake after a request, although it would have slept", () => {
    assert.equal(
      shown(workspaceVerdict(idle, looked("RUNNING"), facts)).outcome.own?.desired,
      "STANDBY",
    );
    const edits = [
      levelEdit(idle, "RUNNING", asked),
      taskRequestEdit(idle, "t1", asked),
      touchEdit(idle, now, limits) ?? {},
    ];
    for (const edit of edits)
      assert.deepEqual(workspaceVerdict(moved(edit), looked("RUNNING"), facts), {
        unchanged: now + 60_000,
      });
  });

  test("goes to another level at once", () => {
    const record = moved(levelEdit(idle, "STANDBY", asked));
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), { unchanged: now });
  });

  test("A10-2: is taken down at once if it was deleted, after an operation or without", () => {
    const record = moved(deletionEdit(idle, now));
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), { unchanged: now });
    const verdict = shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts));
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.outcome.own, null, "no level is chosen for it any more");
  });

  test("A10-5: stays in ERROR until it is removed if it was deleted, at once", () => {
    const failed = { ...moved(deletionEdit(idle, now)), state: "error" } as const;
    assert.deepEqual(workspaceVerdict(failed, looked("RUNNING"), facts), { unchanged: now });
  });

  test("is at its observed level if it was recovered", () => {
    const failed = resting("RUNNING", {
      record: { state: "error" },
      outcome: { previousStatus: "RUNNING" },
    });
    const { outcome } = recoveryEdit(failed);
    assert.ok(outcome);
    const record = { ...failed, state: "running", outcome } as const;
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), {
      unchanged: now + 60_000,
    });
    assert.equal(shown(workspaceVerdict(record, looked("STANDBY"), facts)).state, "standby");
  });

  test("records a start that is no longer desired, and stops it at once", () => {
    const starting = resting("STANDBY", { outcome: { operation: "STARTING" } });
    const verdict = shown(workspaceVerdict(starting, done("STARTING", "RUNNING"), facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined, "it kept its place");
  });
});

describe("a choice without a request", () => {
  const asleep = resting("RUNNING", {
    record: { state: "standby" },
    outcome: { own: { desired: "STANDBY", asks: 1, because: "idle" } },
  });
  const slotAt = now + 60_000;

  test("to sleep has a reason, starts at once, and frees the slot at its end", () => {
    const idle = resting("RUNNING", { body: { lastAccessAt: now - hourMs } });
    const verdict = shown(workspaceVerdict(idle, looked("RUNNING"), facts));
    assert.deepEqual(verdict.outcome.own, { desired: "STANDBY", asks: 1, because: "idle" });
    assert.equal(verdict.note, "STANDBY: it was not used for a while");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined);
  });

  test("to wake for a slot takes capacity in the same unit", () => {
    const verdict = shown(workspaceVerdict(asleep, looked("STANDBY", { slotAt }), facts));
    assert.deepEqual(verdict.outcome.own, { desired: "RUNNING", asks: 1, because: "slot" });
    assert.deepEqual(verdict.holds, [name, ...places]);
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.note, "woken ahead of its next slot");
  });

  test("A10-12: to wake for a slot waits for capacity, until the next observation", () => {
    const seen = looked("STANDBY", { slotAt, isFull: true });
    assert.deepEqual(workspaceVerdict(asleep, seen, facts), { unchanged: now + 60_000 });
  });

  test("is never made for a deleted workspace", () => {
    const gone = { ...asleep, body: { ...asleep.body, deletedAt: 5 } };
    assert.deepEqual(workspaceVerdict(gone, looked("STANDBY", { slotAt }), facts), {
      unchanged: now,
    });
  });
});

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { claimedWorkspace, keptAbout, seenAt } from "../../testing/workspace-records.ts";
import { notificationKind } from "../notifications/kind.ts";
import { archiveKeyOf } from "./archives.ts";
import type { WorkspaceFacts } from "./facts.ts";
import { errorCheckMs } from "./failure.ts";
import { mismatch } from "./fault.ts";
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
import { requestLevel, deleted, recovered, touched, requestForTask } from "./request.ts";
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

function looked(level: Level, about: Partial<WorkspaceFacts> = {}): WorkspaceObserved {
  return { saw: "observed", observation: seenAt[level], about: keptAbout(about) };
}

function done(
  operation: WorkspaceOperation,
  level: Level,
  outcome: Partial<WorkspaceOutcome> = {},
): WorkspaceObserved {
  const saved = { ...unobservedWorkspace, operation, operationStartedAt: 5, ...outcome };
  return { saw: "done", operation, outcome: saved, observation: seenAt[level], about: keptAbout() };
}

function shown(verdict: Verdict<WorkspaceKind>): Shown & { outcome: WorkspaceOutcome } {
  assert.ok("state" in verdict && verdict.outcome !== undefined, JSON.stringify(verdict));
  return { ...verdict, outcome: verdict.outcome };
}

describe("one that is as it should be", () => {
  for (const level of levels) {
    test(`${level} rests until the next look, and nothing is written`, () => {
      const verdict = workspaceVerdict(resting(level), looked(level), facts);
      assert.deepEqual(verdict, { unchanged: now + 60_000 });
    });

    test(`${level} is written once an hour, as seen and with nothing to say`, () => {
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

  test("is looked at sooner when it would sleep or wake sooner", () => {
    const body = { lastAccessAt: now - 290_000 };
    const verdict = workspaceVerdict(resting("RUNNING", { body }), looked("RUNNING"), facts);
    assert.deepEqual(verdict, { unchanged: now + 10_000 });
    const slot = looked("STANDBY", { slotAt: now + 125_000 });
    assert.deepEqual(workspaceVerdict(resting("STANDBY"), slot, facts), { unchanged: now + 5_000 });
  });
});

describe("a look", () => {
  test("A10-3: shows that a machine has died outside, and what follows is done at once", () => {
    const verdict = shown(workspaceVerdict(resting("RUNNING"), looked("STANDBY"), facts));
    assert.equal(verdict.state, "standby");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined, "it is to run: its place stays");
  });

  test("A10-4: shows that all is gone", () => {
    const verdict = shown(workspaceVerdict(resting("STANDBY"), looked("PENDING"), facts));
    assert.equal(verdict.state, "pending");
    assert.equal(verdict.wakeAt, now);
  });

  test("of a machine that nobody asked for takes a place, and it is stopped at once", () => {
    const verdict = shown(workspaceVerdict(resting("STANDBY"), looked("RUNNING"), facts));
    assert.equal(verdict.state, "running");
    assert.deepEqual(verdict.holds, [name, ...places]);
    assert.equal(verdict.wakeAt, now);
  });

  test("of a machine that nobody asked for is written also when there is no place: it must be stopped", () => {
    const seen = looked("RUNNING", { isFull: true });
    const verdict = shown(workspaceVerdict(resting("STANDBY"), seen, facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.holds, undefined);
    assert.equal(verdict.wakeAt, now);
  });

  test("clears what was not seen and what went wrong before", () => {
    const fault = mismatch({ expected: "a", actual: "b" }, null, 5);
    const before: readonly Partial<WorkspaceOutcome>[] = [
      { unseen: "no engine" },
      { errorCount: 2 },
      { errorInfo: fault, errorCount: 1 },
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
      const verdict = shown(workspaceVerdict(record, { ...seen, about: keptAbout() }, facts));
      assert.equal(verdict.state, state);
      assert.equal(verdict.outcome.errorInfo?.reason, "Mismatch");
      record = { ...record, state, outcome: verdict.outcome };
    }
    const rests = workspaceVerdict(record, { ...seen, about: keptAbout() }, facts);
    assert.deepEqual(rests, { unchanged: now + errorCheckMs });
  });

  test("A10-5: changes nothing of what is in ERROR, whatever it shows", () => {
    for (const level of levels) {
      const record = resting(level, { record: { state: "error" } });
      for (const seen of levels)
        assert.deepEqual(workspaceVerdict(record, looked(seen), facts), {
          unchanged: now + errorCheckMs,
        });
    }
  });

  test("of what was deleted and is gone is its end", () => {
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
    test(`${operation} leaves it ${to}, and ${to === desired ? "it rests" : "it goes on at once"} when ${desired} is asked for`, () => {
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

  test("RESTORING leaves it STANDBY with what its volume was restored from", () => {
    const saved = { ...unobservedWorkspace, archiveKey: key, restoreMarker: key };
    const observation = { machine: null, volume: { marker: key } };
    const about = keptAbout();
    const seen = {
      saw: "done",
      operation: "RESTORING",
      outcome: saved,
      observation,
      about,
    } as const;
    const verdict = shown(workspaceVerdict(resting("STANDBY"), seen, facts));
    assert.equal(verdict.state, "standby");
    assert.equal(verdict.outcome.restoreMarker, key);
    assert.equal(verdict.outcome.archiveKey, key);
  });

  test("ARCHIVING leaves it PENDING with its archive, and no op_id or restore is left", () => {
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

  test("STOPPING gives its place back, and STARTING has it already", () => {
    const down = resting("STANDBY", { record: { state: "running" } });
    assert.deepEqual(shown(workspaceVerdict(down, done("STOPPING", "STANDBY"), facts)).holds, [
      name,
    ]);
    const up = resting("RUNNING", { record: { state: "standby" } });
    assert.equal(shown(workspaceVerdict(up, done("STARTING", "RUNNING"), facts)).holds, undefined);
  });

  test("DELETING is the end of it, with its archive known for as long as it is kept", () => {
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

describe("tasks that wait for it", () => {
  const body = { waiting: ["t1", "t2"] };
  const woken = { wake: [{ id: "t1" }, { id: "t2" }] };

  test("are woken in the unit that says it runs", () => {
    const record = resting("RUNNING", { record: { state: "standby" }, body });
    assert.deepEqual(
      shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts)).consequences,
      woken,
    );
    assert.deepEqual(shown(workspaceVerdict(record, looked("RUNNING"), facts)).consequences, woken);
  });

  test("are woken also when it was started anew after it had died unseen", () => {
    const record = resting("RUNNING", { body });
    assert.deepEqual(
      shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts)).consequences,
      woken,
    );
  });

  test("are not woken by anything else", () => {
    const record = resting("RUNNING", { record: { state: "pending" }, body });
    const provisioned = workspaceVerdict(record, done("PROVISIONING", "STANDBY"), facts);
    assert.equal(shown(provisioned).consequences, undefined);
    const old = resting("RUNNING", { body, outcome: { observedAt: 0 } });
    assert.equal(shown(workspaceVerdict(old, looked("RUNNING"), facts)).consequences, undefined);
  });
});

describe("what went wrong, was not seen, or was given back", () => {
  const record = resting("RUNNING", { record: { state: "standby" } });
  const saved = { ...unobservedWorkspace, operation: "STARTING", opId: "op9" } as const;

  test("a fault keeps what was saved in the course of the operation", () => {
    const fault = mismatch({ expected: "a", actual: "b" }, "STARTING", now);
    const seen = { saw: "fault", fault, outcome: saved, about: keptAbout() } as const;
    const verdict = shown(workspaceVerdict(record, seen, facts));
    const { operation, opId, errorCount } = verdict.outcome;
    assert.deepEqual(
      { operation, opId, errorCount },
      { operation: "STARTING", opId: "op9", errorCount: 1 },
    );
    assert.equal(verdict.state, "standby");
  });

  test("a fault that leads to ERROR tells which operation it was, and gives back a place it is not to have", () => {
    const fault = { reason: "Timeout", message: "Look.", context: {}, occurredAt: now } as const;
    const seen = { saw: "fault", fault, outcome: saved, about: keptAbout() } as const;
    const verdict = shown(workspaceVerdict(record, seen, facts));
    const [own] = verdict.consequences?.append ?? [];
    assert.ok(is(notificationKind, own));
    assert.match(own.body.message, /while STARTING \(Timeout\): Look\./);
    assert.equal(verdict.holds, undefined, "it is to run");
    const unwanted = { ...resting("STANDBY"), outcome: saved };
    assert.deepEqual(shown(workspaceVerdict(unwanted, seen, facts)).holds, [name]);
  });

  test("blindness is not absence: the level stays, and it is written once", () => {
    const seen = { saw: "unseen", reason: "no engine", about: keptAbout() } as const;
    const verdict = shown(workspaceVerdict(resting("RUNNING"), seen, facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.outcome.unseen, "no engine");
    const blind = { ...resting("RUNNING"), outcome: verdict.outcome };
    assert.deepEqual(workspaceVerdict(blind, seen, facts), { unchanged: now + 60_000 });
  });

  test("what a node that stops was at is looked at at once by another, from what was saved", () => {
    const verdict = shown(workspaceVerdict(record, { saw: "stopped", outcome: saved }, facts));
    assert.equal(verdict.state, "standby");
    assert.deepEqual(verdict.outcome, saved);
    assert.equal(verdict.wakeAt, now);
  });
});

describe("asked otherwise while it was looked after", () => {
  const idle = resting("RUNNING", { body: { lastAccessAt: now - hourMs } });
  const moved = (edit: { body?: Workspace["body"] | undefined }): Workspace => ({
    ...idle,
    revision: 4,
    body: edit.body ?? idle.body,
  });

  test("A10-11: what would have been put to sleep stays awake when somebody asked for it", () => {
    assert.equal(
      shown(workspaceVerdict(idle, looked("RUNNING"), facts)).outcome.own?.desired,
      "STANDBY",
    );
    const edits = [
      requestLevel(idle, "RUNNING", asked),
      requestForTask(idle, "t1", asked),
      touched(idle, now, limits) ?? {},
    ];
    for (const edit of edits)
      assert.deepEqual(workspaceVerdict(moved(edit), looked("RUNNING"), facts), {
        unchanged: now + 60_000,
      });
  });

  test("another level is gone for at once", () => {
    const record = moved(requestLevel(idle, "STANDBY", asked));
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), { unchanged: now });
  });

  test("A10-2: what was deleted meanwhile is taken down at once, after an operation or without", () => {
    const record = moved(deleted(idle, now));
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), { unchanged: now });
    const verdict = shown(workspaceVerdict(record, done("STARTING", "RUNNING"), facts));
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.outcome.own, null, "no level is chosen for it any more");
  });

  test("A10-5: what was deleted in ERROR stays in ERROR until it is gone, and is taken down at once", () => {
    const failed = { ...moved(deleted(idle, now)), state: "error" } as const;
    assert.deepEqual(workspaceVerdict(failed, looked("RUNNING"), facts), { unchanged: now });
  });

  test("what was recovered meanwhile is as it is seen", () => {
    const failed = resting("RUNNING", {
      record: { state: "error" },
      outcome: { previousStatus: "RUNNING" },
    });
    const { outcome } = recovered(failed);
    assert.ok(outcome);
    const record = { ...failed, state: "running", outcome } as const;
    assert.deepEqual(workspaceVerdict(record, looked("RUNNING"), facts), {
      unchanged: now + 60_000,
    });
    assert.equal(shown(workspaceVerdict(record, looked("STANDBY"), facts)).state, "standby");
  });

  test("a start that nobody wants any more is written as it is, and undone at once", () => {
    const starting = resting("STANDBY", { outcome: { operation: "STARTING" } });
    const verdict = shown(workspaceVerdict(starting, done("STARTING", "RUNNING"), facts));
    assert.equal(verdict.state, "running");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined, "it kept its place");
  });
});

describe("what is chosen without being asked", () => {
  const asleep = resting("RUNNING", {
    record: { state: "standby" },
    outcome: { own: { desired: "STANDBY", asks: 1, because: "idle" } },
  });
  const slotAt = now + 60_000;

  test("to sleep is written with why, and done at once; its place is given back when it has stopped", () => {
    const idle = resting("RUNNING", { body: { lastAccessAt: now - hourMs } });
    const verdict = shown(workspaceVerdict(idle, looked("RUNNING"), facts));
    assert.deepEqual(verdict.outcome.own, { desired: "STANDBY", asks: 1, because: "idle" });
    assert.equal(verdict.note, "STANDBY: it was not used for a while");
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.holds, undefined);
  });

  test("to wake for a slot takes a place in the same unit", () => {
    const verdict = shown(workspaceVerdict(asleep, looked("STANDBY", { slotAt }), facts));
    assert.deepEqual(verdict.outcome.own, { desired: "RUNNING", asks: 1, because: "slot" });
    assert.deepEqual(verdict.holds, [name, ...places]);
    assert.equal(verdict.wakeAt, now);
    assert.equal(verdict.note, "woken ahead of its next slot");
  });

  test("A10-12: to wake for a slot without a place does not happen: it rests, and tries at the next look", () => {
    const seen = looked("STANDBY", { slotAt, isFull: true });
    assert.deepEqual(workspaceVerdict(asleep, seen, facts), { unchanged: now + 60_000 });
  });

  test("is nothing for what was deleted", () => {
    const gone = { ...asleep, body: { ...asleep.body, deletedAt: 5 } };
    assert.deepEqual(workspaceVerdict(gone, looked("STANDBY", { slotAt }), facts), {
      unchanged: now,
    });
  });
});

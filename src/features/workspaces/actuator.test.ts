import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Claimed } from "../../kernel/record.ts";
import { claimedWorkspace, verdictContext } from "../../testing/workspace-records.ts";
import { startedOutcome } from "./actuator.ts";
import { archiveKeyOf } from "./archives.ts";
import { levelEdit, recoveryEdit } from "./edits.ts";
import { mismatchError } from "./error-info.ts";
import {
  levels,
  unobservedWorkspace,
  workspaceOperations,
  type Level,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import { type Observation, hasVolume } from "./observation.ts";
import { missingFrom, planFor } from "./plan.ts";
import { workspaceVerdict, type WorkspaceObserved } from "./verdict.ts";

describe("the outcome before an operation", () => {
  test("names the operation and its start, over all attempts at it", () => {
    for (const operation of workspaceOperations) {
      const first = startedOutcome({ ...unobservedWorkspace, progress: "old" }, operation, 5);
      assert.equal(first.operation, operation);
      assert.equal(first.operationStartedAt, 5);
      assert.equal(first.progress, null);
      const again = startedOutcome({ ...first, progress: "half" }, operation, 9);
      assert.equal(again.operationStartedAt, 5);
      assert.equal(again.progress, "half");
    }
  });

  test("starts again after another operation", () => {
    const stopping = startedOutcome(unobservedWorkspace, "STOPPING", 5);
    assert.equal(startedOutcome(stopping, "DELETING", 9).operationStartedAt, 9);
  });

  test("A10-6: clears the marker of an earlier restore at each attempt", () => {
    const whole = { ...unobservedWorkspace, archiveKey: "k", restoreMarker: "k" };
    const first = startedOutcome(whole, "RESTORING", 5);
    assert.equal(first.restoreMarker, null);
    assert.equal(
      startedOutcome({ ...first, restoreMarker: "k" }, "RESTORING", 9).restoreMarker,
      null,
    );
    assert.equal(startedOutcome(whole, "STARTING", 5).restoreMarker, "k");
  });

  test("drops the archive of an earlier ARCHIVING, and keeps that of the same one", () => {
    const before = { ...unobservedWorkspace, opId: "op1", archiveKey: archiveKeyOf("w1", "op1") };
    const first = startedOutcome(before, "ARCHIVING", 5);
    assert.equal(first.opId, null);
    assert.equal(first.archiveKey, before.archiveKey);
    assert.equal(startedOutcome({ ...first, opId: "op2" }, "ARCHIVING", 9).opId, "op2");
    assert.equal(startedOutcome(before, "STARTING", 5).opId, "op1");
  });
});

type Workspace = Claimed<WorkspaceKind>;

/** A place with data of which it is known how new it is, and whether all of it is there. */
interface World {
  record: Workspace;
  machine: Observation["machine"];
  volume: { marker: string | null; data: number; isWhole: boolean } | null;
  archives: Map<string, number>;
  /** The newest that was ever written. */
  newest: number;
  opIds: number;
  now: number;
}

function seenIn({ machine, volume }: World): Observation {
  return { machine, volume: volume === null ? null : { marker: volume.marker } };
}

function outcomeIn({ record }: World): WorkspaceOutcome {
  return record.outcome ?? unobservedWorkspace;
}

function save(world: World, change: Partial<WorkspaceOutcome>): void {
  world.record = { ...world.record, outcome: { ...outcomeIn(world), ...change } };
}

/** Each step is whole or is not made; between any two of them everything may stop. */
const steps: Readonly<Record<WorkspaceOperation, readonly ((world: World) => void)[]>> = {
  PROVISIONING: [
    (world) => {
      world.volume ??= { marker: null, data: world.newest, isWhole: true };
    },
  ],
  RESTORING: [
    (world) => {
      world.volume = { marker: outcomeIn(world).archiveKey, data: 0, isWhole: false };
    },
    (world) => {
      const { archiveKey } = outcomeIn(world);
      const data = world.archives.get(archiveKey ?? "") ?? 0;
      world.volume = { marker: archiveKey, data, isWhole: true };
    },
    (world) => save(world, { restoreMarker: outcomeIn(world).archiveKey }),
  ],
  STARTING: [
    (world) => {
      world.machine = "running";
      // Whoever works in it writes from the first moment on.
      world.newest += 1;
      if (world.volume !== null) world.volume.data = world.newest;
    },
  ],
  STOPPING: [(world) => (world.machine = null)],
  ARCHIVING: [
    (world) => (world.machine = null),
    (world) => {
      if (!isStored(world)) save(world, { opId: `op${(world.opIds += 1)}` });
    },
    (world) => {
      const { volume } = world;
      const archiveKey = archiveKeyOf("w1", outcomeIn(world).opId ?? "");
      if (isStored(world) || volume === null) return;
      world.archives.set(archiveKey, volume.isWhole ? volume.data : -1);
    },
    (world) => save(world, { archiveKey: archiveKeyOf("w1", outcomeIn(world).opId ?? "") }),
    (world) => (world.volume = null),
  ],
  DELETING: [],
};

/** As the first design has it: what was stored under this very name is not stored again. */
function isStored(world: World): boolean {
  const { opId, archiveKey } = outcomeIn(world);
  return opId !== null && archiveKey === archiveKeyOf("w1", opId);
}

/** The newest is in a volume that is whole, or in the archive that stands for it. */
function check(world: World): void {
  const { volume } = world;
  const outcome = outcomeIn(world);
  const counts = hasVolume(seenIn(world), outcome.restoreMarker);
  if (counts) assert.ok(volume?.isWhole === true, "half a volume counts as one");
  const inVolume = counts && volume?.data === world.newest;
  const inArchive = world.archives.get(outcome.archiveKey ?? "") === world.newest;
  assert.ok(inVolume || inArchive || world.newest === 0, "the newest data are nowhere");
}

type Event =
  | { is: "ask"; desired: Level }
  | { is: "pass"; steps: number; fate: "crash" | "fault" }
  | { is: "recover" }
  | { is: "lost machine" };

function happen(world: World, event: Event): void {
  const limits = { perOwner: 2, inAll: 100 };
  world.now += 1_000;
  switch (event.is) {
    case "ask": {
      const { body } = levelEdit(world.record, event.desired, { now: world.now, limits });
      world.record = { ...world.record, body: body ?? world.record.body };
      return;
    }
    case "recover": {
      if (world.record.state !== "error") return;
      const { state, outcome } = recoveryEdit(world.record) as Partial<Workspace>;
      world.record = { ...world.record, ...(state && { state }), ...(outcome && { outcome }) };
      return;
    }
    case "lost machine":
      world.machine = null;
      return;
    case "pass":
      pass(world, event);
  }
}

function pass(world: World, { steps: stepsMax, fate }: Event & { is: "pass" }): void {
  const context = verdictContext();
  const { do: operation } = planFor(world.record, seenIn(world));
  if (operation === "blame" || operation === "end") throw new Error("there is nothing to blame");
  if (operation === null) {
    settle(world, { saw: "observed", observation: seenIn(world), context });
    return;
  }
  save(world, startedOutcome(outcomeIn(world), operation, world.now));
  for (const step of steps[operation].slice(0, stepsMax)) {
    step(world);
    check(world);
  }
  if (stepsMax <= steps[operation].length) {
    if (fate === "crash") return;
    const error = mismatchError({ expected: "x", actual: "y" }, operation, world.now);
    settle(world, { saw: "error", error, outcome: outcomeIn(world), context });
    return;
  }
  const outcome = outcomeIn(world);
  assert.equal(missingFrom(operation, seenIn(world), { id: "w1", outcome }), null, operation);
  settle(world, { saw: "done", operation, outcome, observation: seenIn(world), context });
}

function settle(world: World, seen: WorkspaceObserved): void {
  const verdict = workspaceVerdict(world.record, seen, { now: world.now, jitter: 0 });
  if ("unchanged" in verdict) return;
  assert.ok("state" in verdict);
  world.record = {
    ...world.record,
    state: verdict.state,
    outcome: verdict.outcome ?? world.record.outcome,
  };
}

test("the newest data survive any cut, error and request; half a restore never counts", () => {
  const event: fc.Arbitrary<Event> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        is: fc.constant("pass" as const),
        steps: fc.oneof(fc.constant(9), fc.nat({ max: 5 })),
        fate: fc.constantFrom("crash", "fault"),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant("ask" as const),
        desired: fc.constantFrom(...levels),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ is: "recover" } as const) },
    { weight: 1, arbitrary: fc.constant({ is: "lost machine" } as const) },
  );
  fc.assert(
    fc.property(fc.array(event, { minLength: 10, maxLength: 80, size: "max" }), (events) => {
      const world: World = {
        record: claimedWorkspace(),
        machine: null,
        volume: null,
        archives: new Map(),
        newest: 0,
        opIds: 0,
        now: 1_000,
      };
      for (const each of events) {
        happen(world, each);
        check(world);
      }
    }),
    { numRuns: 2_000 },
  );
});

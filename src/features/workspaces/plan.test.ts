import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { LedgerRecord } from "../../kernel/record.ts";
import { claimedWorkspace, observedAt } from "../../testing/workspace-records.ts";
import { startedOutcome } from "./actuator.ts";
import { archiveKeyOf } from "./archives.ts";
import {
  levels,
  unobservedWorkspace,
  workspaceOperations,
  type Level,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import type { Observation } from "./observation.ts";
import { desiredOf, missingFrom, operationTimeoutMs, planFor } from "./plan.ts";

const key = archiveKeyOf("w1", "op1");

/** What is there, whatever is kept about it: a volume is one of these, or of a restore that was cut off. */
const observations: readonly [seen: Level | "wrong", Observation][] = [
  ["PENDING", observedAt.PENDING],
  ["PENDING", { machine: null, volume: { marker: "half" } }],
  ["STANDBY", observedAt.STANDBY],
  ["STANDBY", { machine: null, volume: { marker: key } }],
  ["STANDBY", { machine: "stopped", volume: { marker: null } }],
  ["STANDBY", { machine: "starting", volume: { marker: key } }],
  ["RUNNING", observedAt.RUNNING],
  ["RUNNING", { machine: "running", volume: { marker: key } }],
  ["wrong", { machine: "running", volume: null }],
  ["wrong", { machine: "stopped", volume: null }],
  ["wrong", { machine: "starting", volume: { marker: "half" } }],
];

/** As it was laid down: what is seen, what is asked for, without and with an archive. */
const laidDown: Readonly<
  Record<Level, Record<Level, [none: WorkspaceOperation | null, kept: WorkspaceOperation | null]>>
> = {
  PENDING: {
    PENDING: [null, null],
    STANDBY: ["PROVISIONING", "RESTORING"],
    RUNNING: ["PROVISIONING", "RESTORING"],
  },
  STANDBY: {
    PENDING: ["ARCHIVING", "ARCHIVING"],
    STANDBY: [null, null],
    RUNNING: ["STARTING", "STARTING"],
  },
  RUNNING: {
    PENDING: ["STOPPING", "STOPPING"],
    STANDBY: ["STOPPING", "STOPPING"],
    RUNNING: [null, null],
  },
};

interface Case {
  seen: Level | "wrong";
  observation: Observation;
  state: "pending" | "standby" | "running" | "error";
  desired: Level;
  hasArchive: boolean;
  isDeleted: boolean;
  operation: WorkspaceOperation | null;
}

const states = ["pending", "standby", "running", "error"] as const;
const bothWays = [false, true];

const allCases: readonly Case[] = observations
  .flatMap(([seen, observation]) => states.map((state) => ({ seen, observation, state })))
  .flatMap((each) => levels.map((desired) => ({ ...each, desired })))
  .flatMap((each) => bothWays.map((hasArchive) => ({ ...each, hasArchive })))
  .flatMap((each) => bothWays.map((isDeleted) => ({ ...each, isDeleted })))
  .flatMap((each) => [null, ...workspaceOperations].map((operation) => ({ ...each, operation })));

/** Deletion comes first, then ERROR, then what was begun, then what cannot be, then the table. */
function laidDownFor(each: Case): string | null {
  const { seen, observation } = each;
  const isNothing = observation.machine === null && observation.volume === null;
  if (each.isDeleted) return isNothing ? "end" : "DELETING";
  if (each.state === "error") return null;
  if (each.operation !== null) return each.operation;
  if (seen === "wrong") return "blame";
  return laidDown[seen][each.desired][each.hasArchive ? 1 : 0];
}

function recordOf({ state, desired, hasArchive, isDeleted, operation }: Case): Workspace {
  return claimedWorkspace({
    record: { state },
    body: { desired, deletedAt: isDeleted ? 5 : null },
    outcome: { archiveKey: hasArchive ? key : null, restoreMarker: key, operation },
  });
}

type Workspace = LedgerRecord<WorkspaceKind>;

describe("the plan", () => {
  test("is defined for all states, desired levels, archives, deletions and operations", () => {
    assert.equal(allCases.length, 11 * 4 * 3 * 2 * 2 * 7);
    for (const each of allCases) {
      const plan = planFor(recordOf(each), each.observation);
      assert.equal(plan.do, laidDownFor(each), JSON.stringify(each));
    }
  });

  test("does not depend on the recorded level", () => {
    for (const each of allCases) {
      if (each.state === "error") continue;
      const other = { ...each, state: "pending" } as const;
      const plans = [each, other].map((one) => planFor(recordOf(one), one.observation));
      assert.deepEqual(plans[0], plans[1]);
    }
  });

  test("of a workspace that was never observed starts with its volume", () => {
    const record = { ...claimedWorkspace(), outcome: null };
    assert.equal(planFor(record, observedAt.PENDING).do, "PROVISIONING");
  });

  test("gives the reason", () => {
    const plan = planFor(claimedWorkspace({ record: { state: "standby" } }), observedAt.STANDBY);
    assert.deepEqual(plan, { do: "STARTING", why: "it is STANDBY, and RUNNING is desired" });
  });

  test("A10-1: continues a started operation, whichever node started it", () => {
    for (const operation of workspaceOperations) {
      const record = claimedWorkspace({ outcome: { operation, operationStartedAt: 1 } });
      assert.equal(planFor(record, observedAt.STANDBY).do, operation);
    }
  });

  test("A10-2: takes down a deleted workspace although it is at the desired level", () => {
    for (const level of ["STANDBY", "RUNNING"] as const) {
      const record = claimedWorkspace({ body: { desired: level, deletedAt: 5 } });
      assert.equal(planFor(record, observedAt[level]).do, "DELETING");
    }
    // Also what counts for nothing: a volume that was half restored is not left behind.
    const gone = claimedWorkspace({ body: { desired: "PENDING", deletedAt: 5 } });
    assert.equal(planFor(gone, { machine: null, volume: { marker: "half" } }).do, "DELETING");
    assert.equal(planFor(gone, { machine: "stopped", volume: null }).do, "DELETING");
    assert.equal(planFor(gone, observedAt.PENDING).do, "end");
  });

  test("A10-5: leaves a workspace in ERROR alone, whatever is observed or desired", () => {
    for (const each of allCases) {
      if (each.isDeleted || each.state !== "error") continue;
      assert.equal(planFor(recordOf(each), each.observation).do, null);
    }
  });

  test("A10-6: restores half a restore again, and never archives it", () => {
    const observation: Observation = { machine: null, volume: { marker: key } };
    for (const restoreMarker of [null, archiveKeyOf("w1", "op0")]) {
      const outcome = { archiveKey: key, restoreMarker };
      const wanted = claimedWorkspace({ outcome });
      assert.equal(planFor(wanted, observation).do, "RESTORING");
      const unwanted = claimedWorkspace({ body: { desired: "PENDING" }, outcome });
      assert.equal(planFor(unwanted, observation).do, null);
    }
  });

  test("A10-20: of a new workspace without volume and archive is to make a volume", () => {
    assert.equal(planFor(claimedWorkspace(), observedAt.PENDING).do, "PROVISIONING");
    const resting = claimedWorkspace({ body: { desired: "PENDING" } });
    assert.equal(planFor(resting, observedAt.PENDING).do, null);
  });
});

describe("the desired level", () => {
  test("is the requested one, unless another was chosen since", () => {
    const own = { desired: "STANDBY", asks: 4, because: "idle" } as const;
    assert.equal(desiredOf({ desired: "RUNNING", asks: 4 }, null), "RUNNING");
    assert.equal(desiredOf({ desired: "RUNNING", asks: 4 }, { own: null }), "RUNNING");
    assert.equal(desiredOf({ desired: "RUNNING", asks: 4 }, { own }), "STANDBY");
  });

  test("A10-11: is the last requested one, whatever was chosen before", () => {
    const level = fc.constantFrom(...levels);
    fc.assert(
      fc.property(level, level, fc.nat(), fc.integer({ min: 1 }), (asked, chosen, asks, more) => {
        const own = { desired: chosen, asks, because: "idle" } as const;
        assert.equal(desiredOf({ desired: asked, asks: asks + more }, { own }), asked);
      }),
    );
  });
});

describe("an operation", () => {
  const old = archiveKeyOf("w1", "op0");
  const machines = [null, "stopped", "starting", "running"] as const;
  const kept: Record<string, Partial<WorkspaceOutcome>> = {
    nothing: {},
    restored: { archiveKey: key, restoreMarker: key },
    "not yet restored": { archiveKey: key, restoreMarker: null },
    "restored from another": { archiveKey: key, restoreMarker: old },
    "stored as asked": { opId: "op1", archiveKey: key, restoreMarker: old },
    "stored earlier": { opId: "op1", archiveKey: old, restoreMarker: old },
    "stored by nobody": { opId: "op1" },
  };
  const there: Record<string, Observation["volume"]> = {
    none: null,
    empty: { marker: null },
    key: { marker: key },
    old: { marker: old },
  };
  const afterwards = machines
    .flatMap((machine) =>
      Object.entries(there).map(([name, volume]) => ({ machine, name, volume })),
    )
    .flatMap(({ machine, name, volume }) =>
      Object.entries(kept).map(([keptName, change]): [string, Observation, WorkspaceOutcome] => [
        `${machine} ${name} ${keptName}`,
        { machine, volume },
        { ...unobservedWorkspace, ...change },
      ]),
    );
  /** With what there is then, it has come to its end: machine, volume, what is kept. */
  const ends: Record<WorkspaceOperation, readonly string[]> = {
    PROVISIONING: machines.flatMap((machine) => [
      ...Object.keys(kept).map((each) => `${machine} empty ${each}`),
      `${machine} key restored`,
      `${machine} old restored from another`,
      `${machine} old stored as asked`,
      `${machine} old stored earlier`,
    ]),
    RESTORING: machines.map((machine) => `${machine} key restored`),
    STARTING: [
      ...Object.keys(kept).map((each) => `running empty ${each}`),
      "running key restored",
      "running old restored from another",
      "running old stored as asked",
      "running old stored earlier",
    ],
    STOPPING: [
      ...Object.keys(kept).map((each) => `null empty ${each}`),
      "null key restored",
      "null old restored from another",
      "null old stored as asked",
      "null old stored earlier",
    ],
    ARCHIVING: machines.map((machine) => `${machine} none stored as asked`),
    DELETING: Object.keys(kept).map((each) => `null none ${each}`),
  };
  /** A restore ends the same whether an archive was being made before. */
  const alsoRestored = machines.map((machine) => `${machine} old stored earlier`);
  const minutes = {
    PROVISIONING: 5,
    RESTORING: 30,
    ARCHIVING: 30,
    STARTING: 5,
    STOPPING: 5,
    DELETING: 10,
  };

  for (const operation of workspaceOperations) {
    const expected =
      operation === "RESTORING" ? [...ends.RESTORING, ...alsoRestored] : ends[operation];
    test(`${operation} is done by the observation alone, or what is missing is named`, () => {
      for (const [name, observation, outcome] of afterwards) {
        const missing = missingFrom(operation, observation, { id: "w1", outcome });
        assert.equal(missing === null, expected.includes(name), name);
        if (missing !== null) assert.match(`${missing.expected}; ${missing.actual}`, /\w; \w/);
      }
    });

    test(`${operation} may take ${minutes[operation]} minutes`, () => {
      assert.equal(operationTimeoutMs(operation), minutes[operation] * 60_000);
    });
  }
});

/** What is there after an operation, done as it should be. */
function performed(
  operation: WorkspaceOperation,
  { observation, outcome }: { observation: Observation; outcome: WorkspaceOutcome },
): { observation: Observation; outcome: WorkspaceOutcome } {
  const { archiveKey } = outcome;
  const { machine, volume } = observation;
  switch (operation) {
    case "PROVISIONING":
      return { observation: { machine, volume: volume ?? { marker: null } }, outcome };
    case "RESTORING":
      return {
        observation: { machine, volume: { marker: archiveKey } },
        outcome: { ...outcome, restoreMarker: archiveKey },
      };
    case "STARTING":
      return { observation: { machine: "running", volume }, outcome };
    case "STOPPING":
      return { observation: { machine: null, volume }, outcome };
    case "ARCHIVING": {
      const opId = outcome.opId ?? "op2";
      const stored = { ...outcome, opId, archiveKey: archiveKeyOf("w1", opId) };
      return { observation: observedAt.PENDING, outcome: stored };
    }
    case "DELETING":
      return { observation: observedAt.PENDING, outcome };
  }
}

test("from any state, every level is reached in four operations, none of them twice", () => {
  const begins = fc.constantFrom(...observations.filter(([seen]) => seen !== "wrong"));
  const operations = fc.constantFrom(
    null,
    ...workspaceOperations.filter((one) => one !== "DELETING"),
  );
  const level = fc.constantFrom(...levels);
  const ask = fc.record({ desired: level, isDeleted: fc.boolean(), operation: operations });
  fc.assert(
    fc.property(begins, ask, ([, first], { desired, isDeleted, operation }) => {
      // An operation was begun from where it begins, or not at all.
      const isBegun = operation !== null && begunAt[operation](first);
      let outcome: WorkspaceOutcome = {
        ...unobservedWorkspace,
        archiveKey: key,
        restoreMarker: key,
        operation: isBegun ? operation : null,
      };
      let observation = first;
      const done: WorkspaceOperation[] = [];
      for (;;) {
        const body = { desired, deletedAt: isDeleted ? 5 : null };
        const plan = planFor(claimedWorkspace({ body, outcome }), observation);
        assert.notEqual(plan.do, "blame");
        if (plan.do === null || plan.do === "end" || plan.do === "blame") break;
        done.push(plan.do);
        assert.ok(done.length <= 4 && new Set(done).size === done.length, done.join(" "));
        const now = performed(plan.do, {
          observation,
          outcome: startedOutcome(outcome, plan.do, 1),
        });
        assert.equal(missingFrom(plan.do, now.observation, { id: "w1", ...now }), null, plan.do);
        ({ observation } = now);
        const isOver = plan.do === "ARCHIVING" ? { opId: null, restoreMarker: null } : {};
        outcome = { ...now.outcome, operation: null, ...isOver };
      }
      if (isDeleted) assert.deepEqual(observation, observedAt.PENDING);
      else assert.equal(plainLevel(observation), desired, done.join(" "));
    }),
    { numRuns: 1_000 },
  );
});

function plainLevel({ machine, volume }: Observation): Level {
  if (volume === null || volume.marker === "half") return "PENDING";
  return machine === "running" ? "RUNNING" : "STANDBY";
}

const begunAt: Readonly<Record<WorkspaceOperation, (observation: Observation) => boolean>> = {
  PROVISIONING: ({ volume }) => volume === null,
  RESTORING: ({ machine }) => machine === null,
  STARTING: ({ volume }) => volume !== null && volume.marker !== "half",
  STOPPING: ({ volume }) => volume !== null && volume.marker !== "half",
  ARCHIVING: ({ volume }) => volume !== null && volume.marker !== "half",
  DELETING: () => true,
};

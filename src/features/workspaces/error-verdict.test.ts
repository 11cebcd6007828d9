import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Claimed } from "../../kernel/record.ts";
import type { Verdict, WrittenVerdict } from "../../kernel/verdict.ts";
import { claimedWorkspace, verdictContext } from "../../testing/workspace-records.ts";
import { errorReasons, type ErrorInfo, type ErrorReason } from "./error-info.ts";
import { unreachableVerdict, errorVerdict, errorCheckMs } from "./error-verdict.ts";
import {
  levels,
  unobservedWorkspace,
  type Level,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";

type Workspace = Claimed<WorkspaceKind>;
const now = 1_000_000;
const facts = { now, jitter: 0 };

function faultFor(reason: ErrorReason): ErrorInfo {
  return { reason, message: "Look there.", context: { operation: "STARTING" }, occurredAt: now };
}

/** One that shows, and lives on. */
function lives(verdict: Verdict<WorkspaceKind>): WrittenVerdict<WorkspaceKind> & {
  state: string;
  wakeAt?: number | undefined;
  outcome: WorkspaceOutcome;
} {
  assert.ok("state" in verdict && verdict.outcome !== undefined, JSON.stringify(verdict));
  return { ...verdict, outcome: verdict.outcome };
}

function later(record: Workspace, verdict: Verdict<WorkspaceKind>): Workspace {
  const { state, outcome } = lives(verdict);
  return { ...record, state: state as Workspace["state"], outcome };
}

const atWork = claimedWorkspace({
  record: { state: "standby" },
  body: { waiting: ["t1", "t2"] },
  outcome: { operation: "STARTING", operationStartedAt: now - 1_000, opId: "op7" },
});

describe("an error", () => {
  const tries = { Mismatch: 4, Unreachable: 4, ActionFailed: 4, Timeout: 1, DataLost: 1 };
  for (const reason of errorReasons) {
    test(`${reason} leads to ERROR at attempt ${tries[reason]}, with one notice`, () => {
      let record = atWork;
      const notices: number[] = [];
      for (let attempt = 1; attempt <= tries[reason] + 3; attempt += 1) {
        const verdict = lives(errorVerdict(record, faultFor(reason), verdictContext(), facts));
        const isOver = attempt >= tries[reason];
        assert.equal(verdict.state, isOver ? "error" : "standby", `attempt ${attempt}`);
        assert.equal(verdict.outcome.errorCount, attempt);
        assert.deepEqual(verdict.outcome.errorInfo, faultFor(reason));
        if (verdict.consequences?.append !== undefined) notices.push(attempt);
        record = later(record, verdict);
      }
      assert.deepEqual(notices, [tries[reason]]);
    });
  }

  test("that is retried keeps the operation, and waits longer each time", () => {
    let record = atWork;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const verdict = lives(
        errorVerdict(record, faultFor("ActionFailed"), verdictContext(), facts),
      );
      assert.equal(verdict.outcome.operation, "STARTING");
      assert.equal(verdict.outcome.operationStartedAt, now - 1_000);
      assert.equal(verdict.outcome.opId, "op7");
      assert.equal(verdict.consequences, undefined);
      assert.equal(verdict.note, "ActionFailed: Look there.");
      waits.push((verdict.wakeAt ?? 0) - now);
      record = later(record, verdict);
    }
    assert.deepEqual(waits, [2_500, 7_500, 22_500]);
  });

  test("of another reason counts with the earlier ones", () => {
    const record = claimedWorkspace({ outcome: { errorCount: 2 } });
    const third = later(
      record,
      errorVerdict(record, faultFor("Unreachable"), verdictContext(), facts),
    );
    assert.equal(third.state, "pending");
    const fourth = errorVerdict(third, faultFor("Mismatch"), verdictContext(), facts);
    assert.equal(lives(fourth).state, "error");
  });
});

describe("a workspace in ERROR", () => {
  const levelOfState = { pending: "PENDING", standby: "STANDBY", running: "RUNNING" } as const;
  for (const state of ["pending", "standby", "running"] as const) {
    test(`records that it was ${state}, keeps its op_id, and has no operation`, () => {
      const record = { ...atWork, state };
      const { outcome } = lives(errorVerdict(record, faultFor("Timeout"), verdictContext(), facts));
      assert.equal(outcome.previousStatus, levelOfState[state]);
      assert.equal(outcome.opId, "op7");
      assert.equal(outcome.operation, null);
      assert.equal(outcome.operationStartedAt, null);
    });
  }

  test("notifies the owner and the administrator, and wakes waiting tasks, at once", () => {
    const { consequences } = lives(
      errorVerdict(atWork, faultFor("DataLost"), verdictContext(), facts),
    );
    assert.deepEqual(consequences?.wake, [{ id: "t1" }, { id: "t2" }]);
    const said = consequences?.append?.map(({ kind, body }) => {
      assert.equal(kind, "notification");
      const { target, type } = body as { target: string; type: string };
      return `${type} ${target}`;
    });
    assert.deepEqual(said, ["notice inbox:mina", "notice slack:ops"]);
  });

  test("notifies a target once that is the owner's and the administrator's", () => {
    for (const administrator of [null, "inbox:mina"]) {
      const about = verdictContext({ administrator });
      const { consequences } = lives(errorVerdict(atWork, faultFor("DataLost"), about, facts));
      assert.equal(consequences?.append?.length, 1, String(administrator));
    }
  });

  test("is checked once a day", () => {
    const verdict = lives(errorVerdict(atWork, faultFor("Timeout"), verdictContext(), facts));
    assert.equal(verdict.wakeAt, now + errorCheckMs);
  });

  test("is taken down soon if it was deleted, not in a day", () => {
    const record = { ...atWork, body: { ...atWork.body, deletedAt: now } };
    const verdict = lives(errorVerdict(record, faultFor("Timeout"), verdictContext(), facts));
    assert.equal(verdict.state, "error");
    assert.ok((verdict.wakeAt ?? Infinity) <= now + 5 * 60_000);
  });

  test("A10-5: keeps ERROR and its earlier level, without an operation, after any error", () => {
    const reason = fc.constantFrom(...errorReasons);
    const before: fc.Arbitrary<Level> = fc.constantFrom(...levels);
    fc.assert(
      fc.property(fc.array(reason, { minLength: 1 }), before, (reasons, previousStatus) => {
        let record = claimedWorkspace({
          record: { state: "error" },
          body: { deletedAt: 5 },
          outcome: { previousStatus, errorCount: 4 },
        });
        for (const each of reasons) {
          // A deletion goes on in ERROR, and each attempt at it has its whole time.
          const startedOutcome = { operation: "DELETING", operationStartedAt: 1 } as const;
          record = {
            ...record,
            outcome: { ...unobservedWorkspace, ...record.outcome, ...startedOutcome },
          };
          const verdict = lives(errorVerdict(record, faultFor(each), verdictContext(), facts));
          assert.equal(verdict.state, "error");
          assert.equal(verdict.consequences, undefined);
          assert.equal(verdict.outcome.previousStatus, previousStatus);
          assert.equal(verdict.outcome.operation, null);
          assert.equal(verdict.outcome.operationStartedAt, null);
          assert.ok((verdict.wakeAt ?? Infinity) <= now + 5 * 60_000);
          record = later(record, verdict);
        }
      }),
    );
  });
});

describe("an unreachable workspace", () => {
  const about = verdictContext({ pollMs: 30_000 });

  test("keeps its observed level, its error count and its operation", () => {
    for (const state of ["pending", "standby", "running", "error"] as const) {
      const record = { ...atWork, state };
      const verdict = lives(unreachableVerdict(record, "no engine", about, facts));
      assert.equal(verdict.state, state);
      assert.deepEqual(verdict.outcome, { ...record.outcome, unseen: "no engine" });
      assert.equal(verdict.wakeAt, now + 30_000);
      assert.equal(verdict.consequences, undefined);
    }
  });

  test("is recorded once, however often and for whatever reason", () => {
    const first = later(atWork, unreachableVerdict(atWork, "no engine", about, facts));
    for (const reason of ["no engine", "another"]) {
      const verdict = unreachableVerdict(first, reason, about, facts);
      assert.deepEqual(verdict, { unchanged: now + 30_000 });
    }
  });
});

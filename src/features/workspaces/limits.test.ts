import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Claimed } from "../../kernel/record.ts";
import type { Hold } from "../../kernel/unit.ts";
import { claimedWorkspace, verdictContext } from "../../testing/workspace-records.ts";
import { startedOutcome } from "./actuator.ts";
import {
  levelEdit,
  deletionEdit,
  settingsEdit,
  recoveryEdit,
  renameEdit,
  touchEdit,
  taskRequestEdit,
} from "./edits.ts";
import { errorReasons, type ErrorReason } from "./error-info.ts";
import {
  levels,
  unobservedWorkspace,
  type Level,
  type WorkspaceOperation,
  type WorkspaceOutcome,
  type WorkspaceKind,
} from "./kind.ts";
import type { Observation } from "./observation.ts";
import { desiredOf, planFor } from "./plan.ts";
import type { VerdictContext } from "./verdict-context.ts";
import { workspaceVerdict, type WorkspaceObserved } from "./verdict.ts";

type Workspace = Claimed<WorkspaceKind>;

interface World {
  record: Workspace;
  observation: Observation;
  needsCapacity: boolean;
  now: number;
}

interface Change {
  outcome?: WorkspaceOutcome | undefined;
  body?: Workspace["body"] | undefined;
  state?: Workspace["state"] | undefined;
  holds?: readonly Hold[] | undefined;
}

const limits = { perOwner: 2, inAll: 3 };

function write(world: World, change: Change): void {
  const { outcome, body, state, holds } = change;
  world.record = {
    ...world.record,
    ...(outcome && { outcome }),
    ...(body && { body }),
    ...(state && { state }),
  };
  if (holds !== undefined) world.needsCapacity = holds.length === 3;
}

const changes = ["touch", "describe", "rename", "wait", "recover", "delete", ...levels] as const;
type Asked = (typeof changes)[number];

function ask(world: World, what: Asked): void {
  const { record, now } = world;
  const at = { now, limits };
  if (what === "touch") write(world, touchEdit(record, now, limits) ?? {});
  else if (what === "describe") write(world, settingsEdit(record, { memo: "m" }, at));
  else if (what === "rename") write(world, renameEdit(record, "lab", at));
  else if (what === "wait") write(world, taskRequestEdit(record, "t1", at));
  else if (what === "delete") write(world, deletionEdit(record, now));
  else if (what !== "recover") write(world, levelEdit(record, what, at));
  else if (record.state === "error") write(world, recoveryEdit(record));
}

const ends: Readonly<Record<WorkspaceOperation, (before: Observation) => Observation>> = {
  PROVISIONING: () => ({ machine: null, volume: { marker: null } }),
  RESTORING: () => ({ machine: null, volume: { marker: null } }),
  STARTING: ({ volume }) => ({ machine: "running", volume }),
  STOPPING: ({ volume }) => ({ machine: null, volume }),
  ARCHIVING: () => ({ machine: null, volume: null }),
  DELETING: () => ({ machine: null, volume: null }),
};

interface Pass {
  /** What is asked between its begin and its end. */
  meanwhile: readonly Asked[];
  fate: "done" | "stopped" | ErrorReason;
  isSlotNear: boolean;
}

/** Looks, does, and settles what is seen of it; answers whether it is over. */
function pass(world: World, { meanwhile, fate, isSlotNear }: Pass): boolean {
  const context = verdictContext({ limits, slotAt: isSlotNear ? world.now : null });
  const { do: operation } = planFor(world.record, world.observation);
  if (operation === "blame") throw new Error("there is nothing to blame");
  if (operation === null || operation === "end") {
    for (const each of meanwhile) ask(world, each);
    return settle(world, { saw: "observed", observation: world.observation, context });
  }
  write(world, {
    outcome: startedOutcome(world.record.outcome ?? unobservedWorkspace, operation, world.now),
  });
  for (const each of meanwhile) ask(world, each);
  return settle(world, seenOf(world, { operation, fate, context }));
}

function seenOf(
  world: World,
  {
    operation,
    fate,
    context,
  }: Pick<Pass, "fate"> & { operation: WorkspaceOperation; context: VerdictContext },
): WorkspaceObserved {
  const outcome = world.record.outcome ?? unobservedWorkspace;
  if (fate === "stopped") return { saw: "stopped", outcome };
  if (fate !== "done") {
    const error = { reason: fate, message: "m", context: {}, occurredAt: world.now };
    return { saw: "error", error, outcome, context };
  }
  world.observation = ends[operation](world.observation);
  return { saw: "done", operation, outcome, observation: world.observation, context };
}

function settle(world: World, seen: WorkspaceObserved): boolean {
  const verdict = workspaceVerdict(world.record, seen, { now: world.now, jitter: 0 });
  if ("ends" in verdict) return true;
  if (!("unchanged" in verdict)) write(world, verdict);
  return false;
}

function check({ record, observation, needsCapacity }: World): void {
  const { state, body, outcome } = record;
  const isToRun = desiredOf(body, outcome) === "RUNNING";
  const said = JSON.stringify({ state, observation, desired: body.desired, outcome });
  if (isToRun || observation.machine === "running")
    assert.ok(needsCapacity, `it has no place: ${said}`);
  const ranBefore = state === "error" && outcome?.previousStatus === "RUNNING";
  const mayRun = state === "running" || ranBefore || outcome?.operation === "STARTING";
  // What is being taken down keeps what it has until its end frees it all.
  const isLeft = !isToRun && !mayRun && body.deletedAt === null;
  if (isLeft) assert.ok(!needsCapacity, `its place was not given back: ${said}`);
}

type Event = { ask: Asked } | { pass: Pass } | { passedMs: number } | { dies: true };

test("A10-12: in any history, a workspace holds a slot only while it needs one", () => {
  const asking: fc.Arbitrary<Asked> = fc.constantFrom(...changes);
  const rarely = { weight: 1, arbitrary: fc.constantFrom("stopped" as const, ...errorReasons) };
  const passing: fc.Arbitrary<Pass> = fc.record({
    meanwhile: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(asking, { maxLength: 2 }) },
    ),
    fate: fc.oneof({ weight: 3, arbitrary: fc.constant("done" as const) }, rarely),
    isSlotNear: fc.boolean(),
  });
  const event: fc.Arbitrary<Event> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ ask: asking }) },
    { weight: 8, arbitrary: fc.record({ pass: passing }) },
    { weight: 1, arbitrary: fc.record({ passedMs: fc.constantFrom(300_000, 86_400_000) }) },
    { weight: 1, arbitrary: fc.constant({ dies: true } as const) },
  );
  const begin: fc.Arbitrary<Level> = fc.constantFrom(...levels);
  fc.assert(
    fc.property(begin, fc.array(event, { maxLength: 60, size: "max" }), (desired, events) => {
      const world: World = {
        record: claimedWorkspace({ body: { desired } }),
        observation: { machine: null, volume: null },
        needsCapacity: desired === "RUNNING",
        now: 1_000,
      };
      for (const each of events) {
        world.now += 1_000;
        if ("ask" in each) ask(world, each.ask);
        else if ("passedMs" in each) world.now += each.passedMs;
        else if ("dies" in each) world.observation = { ...world.observation, machine: null };
        else if (pass(world, each.pass)) return;
        check(world);
      }
    }),
    { numRuns: 3_000 },
  );
});

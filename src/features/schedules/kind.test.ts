import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerRecord } from "../../kernel/record.ts";
import type { Body, Outcome, State } from "../../kernel/shape.ts";
import type { DraftOf } from "../../kernel/unit.ts";
import type { Cadence } from "../../time/cadence.ts";
import { editedSchedule, pausedSchedule, resumedSchedule } from "./change.ts";
import { makeSchedule } from "./draft.ts";
import { type ScheduleKind } from "./kind.ts";
import { nextFires } from "./next-fire.ts";
import { backfillSlots, runNow } from "./slot.ts";

const now = Date.parse("2027-01-15T08:30:00Z");
const hourMs = 3_600_000;
const hourly: Cadence = { type: "cron", expression: "0 * * * *", zone: "UTC" };
const making = { owner: "mina", now, limit: 3 };

const asked: Body<ScheduleKind> = {
  name: "backup",
  cadence: hourly,
  whenText: "every hour",
  run: { command: ["./backup.sh"] },
  notify: "always",
  target: "inbox:mina",
  origin: "session:s1",
  misfire: "latest",
  overlap: "skip",
  rerun: false,
  timeoutMs: 60_000,
  notifyAfterFailures: 3,
  disableAfterFailures: 5,
};

type Schedule = LedgerRecord<ScheduleKind>;

function record(
  body: Partial<Body<ScheduleKind>> = {},
  state: State<ScheduleKind> = "active",
  outcome: Partial<Outcome<ScheduleKind>> = {},
): Schedule {
  const draft = makeSchedule({ ...asked, ...body }, making);
  assert.ok(draft.outcome !== undefined);
  return {
    kind: "schedule",
    id: "s1",
    owner: "mina",
    by: "mina",
    key: null,
    parent: null,
    state,
    priority: "normal",
    queue: "schedule",
    lane: null,
    revision: 7,
    attempt: 0,
    lapses: 0,
    body: draft.body,
    outcome: { ...draft.outcome, ...outcome },
    cancelling: false,
    readyAt: now,
    wakeAt: now,
    lease: null,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
  };
}

const draftOf = (body: Partial<Body<ScheduleKind>>): DraftOf<ScheduleKind> =>
  makeSchedule({ ...asked, ...body }, making);

test("a new schedule has its next time and holds a slot and its name", () => {
  const draft = draftOf({});
  assert.ok("state" in draft);
  assert.equal(draft.wakeAt, now + hourMs / 2);
  assert.equal(draft.outcome?.nextRunAt, draft.wakeAt);
  assert.equal(draft.outcome.cursor, now);
  const [capacity, name] = draft.holds ?? [];
  assert.ok(typeof capacity === "object" && typeof name === "string");
  assert.equal(capacity.oneOf.length, 3);
});

test("holds are per owner and ignore the case of names", () => {
  const [capacity, name] = draftOf({}).holds ?? [];
  const [samePlaces, sameName] = draftOf({ name: "Backup" }).holds ?? [];
  assert.deepEqual([samePlaces, sameName], [capacity, name]);
  const [otherPlaces, otherName] = makeSchedule(asked, { ...making, owner: "jun" }).holds ?? [];
  assert.notDeepEqual(otherPlaces, capacity);
  assert.notEqual(otherName, name);
});

const refused: readonly (readonly [string, Partial<Body<ScheduleKind>>, string])[] = [
  ["an empty name", { name: " " }, "invalid"],
  ["a name with spaces around it", { name: " backup" }, "invalid"],
  ["a name of two lines", { name: "back\nup" }, "invalid"],
  ["half a character", { name: "back\ud800" }, "invalid"],
  ["a long name", { name: "가".repeat(101) }, "too_large"],
  ["a long time", { whenText: "x".repeat(501) }, "too_large"],
  ["no command", { run: { command: [] } }, "invalid"],
  ["a command with a NUL", { run: { command: ["ls", "a\0b"] } }, "invalid"],
  ["a task without a name", { run: { task: "", input: null } }, "invalid"],
  ["a task that is none", { run: { task: "no such/name", input: null } }, "invalid"],
  ["a large input", { run: { task: "work", input: "x".repeat(70_000) } }, "too_large"],
  ["a goal without words", { run: { agent: "  " } }, "invalid"],
  ["a strange address", { run: { http: "file:///etc/passwd", secret: "s" } }, "invalid"],
  ["a ping without end", { run: { ping: "t", graceMs: Infinity } }, "invalid"],
  ["no time to run in", { timeoutMs: 0 }, "invalid"],
  ["part of a failure", { notifyAfterFailures: 1.5 }, "invalid"],
  ["an empty budget", { budget: { runsPerDay: 0 } }, "invalid"],
  ["a budget without end", { budget: { costPerDay: Infinity } }, "invalid"],
  ["a target that is none", { target: "nowhere" }, "invalid"],
  ["a time that is over", { cadence: { type: "once", at: now - 1 } }, "invalid"],
  ["too often", { cadence: { type: "interval", everyMs: 59_000, anchor: now } }, "invalid"],
];

for (const [what, body, code] of refused) {
  test(`${what} is refused`, () => {
    assert.throws(() => draftOf(body), { code });
    assert.throws(() => editedSchedule(record(), body, now), { code });
  });
}

test("an edit names the revision that was read, and keeps the outcome", () => {
  const edit = editedSchedule(record(), { notify: "never" }, now + 5);
  assert.equal(edit.ifRevision, 7);
  assert.equal(edit.body?.notify, "never");
  const { body: _, holds, ...rest } = edit;
  assert.deepEqual(rest, { kind: "schedule", id: edit.id, ifRevision: 7 });
  assert.equal(holds, undefined);
});

test("a new name is a new hold, beside the owner's slot", () => {
  const { holds } = editedSchedule(record(), { name: "copy" }, now);
  const [capacity, name] = holds ?? [];
  const [before] = draftOf({}).holds ?? [];
  assert.ok(typeof capacity === "object" && typeof before === "object");
  assert.deepEqual(capacity.oneOf.slice(0, 3), before.oneOf);
  assert.deepEqual(name, draftOf({ name: "copy" }).holds?.[1]);
});

test("a new cadence starts now, and never before decided slots", () => {
  const cadence: Cadence = { type: "cron", expression: "15 * * * *", zone: "UTC" };
  const aimOf = (given: Schedule, at: number) => {
    const edit = editedSchedule(given, { cadence }, at);
    assert.ok("wakeAt" in edit);
    return [edit.outcome?.cursor, edit.outcome?.nextRunAt, edit.wakeAt, edit.state];
  };
  const next = now + 3 * 15 * 60_000;
  assert.deepEqual(aimOf(record(), now + 10), [now + 10, next, next, "active"]);
  const ahead = record({}, "active", { cursor: next });
  assert.deepEqual(aimOf(ahead, now), [next, next + hourMs, next + hourMs, "active"]);
  assert.deepEqual(aimOf(record({}, "paused"), now), [now, null, next, "paused"]);
  assert.deepEqual(aimOf(record({}, "disabled"), now), [now, null, null, "disabled"]);
});

test("a pause stays due at each slot, and ends at its time", () => {
  const slot = now + hourMs / 2;
  const lasting = pausedSchedule(record(), { reason: "holiday" }, now);
  assert.ok("wakeAt" in lasting);
  assert.equal(lasting.state, "paused");
  assert.equal(lasting.wakeAt, slot);
  assert.equal(lasting.outcome?.nextRunAt, null);
  assert.equal(lasting.outcome.reason, "holiday");
  const ending = pausedSchedule(record(), { reason: "lunch", until: slot - 60_000 }, now);
  assert.ok("wakeAt" in ending);
  assert.equal(ending.wakeAt, slot - 60_000);
  assert.equal(ending.outcome?.nextRunAt, slot);
  assert.throws(() => pausedSchedule(record(), { reason: "", until: now }, now), {
    code: "invalid",
  });
  assert.throws(() => pausedSchedule(record({}, "disabled"), { reason: "" }, now), {
    code: "refused",
  });
});

test("a resume starts now and resets failures, but keeps the owed recovery notice", () => {
  const failing = { consecutiveFailures: 5, isNotified: true, reason: "it failed", pausedUntil: 1 };
  const edit = resumedSchedule(record({}, "disabled", failing), now + 5 * hourMs);
  assert.ok("wakeAt" in edit && edit.outcome !== undefined);
  assert.equal(edit.state, "active");
  assert.equal(edit.outcome.cursor, now + 5 * hourMs);
  assert.equal(edit.outcome.nextRunAt, now + 5.5 * hourMs);
  assert.equal(edit.wakeAt, now + 5.5 * hourMs);
  assert.equal(edit.outcome.consecutiveFailures, 0);
  assert.equal(edit.outcome.isNotified, true);
  assert.equal(edit.outcome.reason, null);
  assert.equal(edit.outcome.pausedUntil, undefined);
});

test("a resume of an active schedule loses no slot", () => {
  const edit = resumedSchedule(record(), now + 5 * hourMs);
  assert.equal(edit.outcome?.cursor, now);
});

test("a one-shot in the past is not resumed without a new time", () => {
  const once = record({ cadence: { type: "once", at: now + 1_000 } }, "disabled");
  assert.throws(() => resumedSchedule(once, now + 2_000), { code: "refused" });
});

test("a requested run holds the run's name, unless runs may overlap", () => {
  const draft = runNow(record(), now);
  assert.ok("state" in draft);
  assert.deepEqual(draft.holds, ["run:s1"]);
  assert.equal(draft.wakeAt, now);
  assert.equal(draft.parent, "s1");
  assert.equal(draft.body.slot?.because, "run now");
  assert.equal(draft.key, undefined);
  assert.deepEqual(runNow(record({ overlap: "allow" }), now).holds ?? [], []);
  assert.throws(() => runNow(record({ run: { ping: "t", graceMs: 1 } }), now), { code: "refused" });
});

test("a backfill has the past slots, in turn and with their own keys", () => {
  const given = record({}, "active", { cursor: now + 10 * hourMs });
  const drafts = backfillSlots(given, now, now + 3 * hourMs, 10);
  const slots = [0.5, 1.5, 2.5].map((hours) => now + hours * hourMs);
  assert.deepEqual(
    drafts.map(({ body }) => body.slot?.at),
    slots,
  );
  assert.deepEqual(
    drafts.map(({ key }) => key?.name),
    slots.map((at) => `slot:s1:${at}`),
  );
  for (const { body } of drafts) {
    assert.deepEqual(body.turns, ["run:s1"]);
    assert.equal(body.slot?.because, "backfill");
  }
  assert.throws(() => backfillSlots(given, now, now + 3 * hourMs, 2), { code: "too_large" });
  assert.throws(() => backfillSlots(given, now, now - 1, 2), { code: "invalid" });
});

test("a backfill includes both ends, and no undecided slots", () => {
  const slot = now + hourMs / 2;
  const given = record({}, "active", { cursor: slot });
  assert.equal(backfillSlots(given, slot, slot, 10).length, 1);
  assert.equal(backfillSlots(given, slot + 1, slot + 9 * hourMs, 10).length, 0);
});

test("a slot's task has the schedule's settings and an agent's limits", () => {
  const budget = { turnsPerRun: 4, costPerRun: 0.5 };
  const { body, queue } = runNow(record({ run: { agent: "look" }, budget, rerun: true }), now);
  assert.equal(queue, "task@agent");
  assert.deepEqual(body.input, { agent: "look" });
  assert.equal(body.origin, "session:s1");
  assert.deepEqual(body.slot, {
    schedule: "s1",
    name: "backup",
    at: now,
    because: "run now",
    notify: "always",
    rerun: true,
    turnsMax: 4,
    costMax: 0.5,
  });
});

test("the next fires are those that will run", () => {
  const half = hourMs / 2;
  assert.deepEqual(nextFires(record(), now, 2), [now + half, now + half + hourMs]);
  assert.deepEqual(nextFires(record({}, "paused"), now, 2), []);
  assert.deepEqual(nextFires(record({}, "disabled"), now, 2), []);
  const until = now + half + hourMs;
  assert.deepEqual(nextFires(record({}, "paused", { pausedUntil: until }), now, 1), [until]);
});

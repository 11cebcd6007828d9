import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { is } from "../../kernel/kind.ts";
import type { Claimed } from "../../kernel/record.ts";
import type { Body, Outcome } from "../../kernel/shape.ts";
import type { Draft, EditOf } from "../../kernel/unit.ts";
import type { Verdict } from "../../kernel/verdict.ts";
import { firesBetween, type Cadence } from "../../time/cadence.ts";
import type { Pause, PauseScope } from "../nodes/pause.ts";
import { taskKind } from "../tasks/kind.ts";
import { editedSchedule, pausedSchedule } from "./change.ts";
import { makeSchedule } from "./draft.ts";
import { runHold } from "./holds.ts";
import { type ScheduleKind } from "./kind.ts";
import { decideSlots, type SlotFacts } from "./verdict.ts";

type Schedule = Claimed<ScheduleKind>;
type Asked = Partial<Body<ScheduleKind>>;

const start = Date.parse("2027-01-15T08:00:00Z");
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const every = (everyMs: number): Cadence => ({ type: "interval", everyMs, anchor: start });

const nothingSeen: SlotFacts = { live: [], held: [], zone: "UTC" };

function made(asked: Asked = {}): Schedule {
  const body: Body<ScheduleKind> = {
    name: "backup",
    cadence: every(hourMs),
    whenText: "every hour",
    run: { task: "backup", input: { deep: true } },
    notify: "always",
    target: "inbox:mina",
    origin: "inbox:mina",
    misfire: "latest",
    overlap: "skip",
    rerun: false,
    timeoutMs: minuteMs,
    notifyAfterFailures: 3,
    disableAfterFailures: 5,
    ...asked,
  };
  const draft = makeSchedule(body, { owner: "mina", now: start, limit: 50, minGapMs: 1_000 });
  return {
    kind: "schedule",
    id: "s1",
    owner: "mina",
    by: "mina",
    key: null,
    parent: null,
    state: "active",
    priority: "normal",
    queue: "schedule",
    lane: null,
    revision: 1,
    attempt: 1,
    lapses: 0,
    body,
    outcome: draft.outcome ?? null,
    cancelling: false,
    readyAt: start,
    wakeAt: start + 15_000,
    lease: { holder: "n1", fence: 1, claimedAt: start },
    createdAt: start,
    updatedAt: start,
    endedAt: null,
  };
}

const seenOf = ({ outcome }: Schedule): Outcome<ScheduleKind> => {
  assert.ok(outcome !== null);
  return outcome;
};

/** The record as it is claimed at a time. */
const at = (record: Schedule, claimedAt: number): Schedule => ({
  ...record,
  lease: { ...record.lease, claimedAt },
});

const decide = (record: Schedule, now: number, seen: Partial<SlotFacts> = {}) =>
  decideSlots(at(record, now), { now, jitter: 0 }, { ...nothingSeen, ...seen });

const edited = (
  record: Schedule,
  { state, body, outcome }: Extract<EditOf<ScheduleKind>, { state?: unknown }>,
) => ({
  ...record,
  ...(state === undefined ? {} : { state }),
  ...(body === undefined ? {} : { body }),
  ...(outcome === undefined ? {} : { outcome }),
});

/** One line for each row: how many minutes after the start, and what became of it. */
function rows(verdict: Verdict<ScheduleKind>): readonly string[] {
  return (verdict.consequences?.append ?? []).map((draft) => {
    assert.ok(is(taskKind, draft));
    const slot = ((draft.body.slot?.at ?? 0) - start) / minuteMs;
    if ("ends" in draft) return `${slot} ${draft.ends}: ${draft.outcome?.reason}`;
    const turns = draft.body.turns === undefined ? "" : ` in turn`;
    const holds = draft.holds === undefined ? "" : ` with ${draft.holds.map(String).join()}`;
    return `${slot} runs${holds}${turns}`;
  });
}

test("a due slot is a task in the unit that moves the cursor", () => {
  const verdict = decide(made(), start + hourMs + 20);
  assert.deepEqual(rows(verdict), ["60 runs with run:s1"]);
  assert.ok("state" in verdict && verdict.state === "active");
  assert.equal(verdict.wakeAt, start + 2 * hourMs);
  assert.equal(verdict.outcome?.cursor, start + hourMs + 20);
  assert.equal(verdict.outcome.nextRunAt, start + 2 * hourMs);
  const [task] = verdict.consequences?.append ?? [];
  assert.ok(is(taskKind, task) && "state" in task);
  assert.deepEqual(task.key, {
    name: `slot:s1:${start + hourMs}`,
    asked: `slot:s1:${start + hourMs}`,
  });
  assert.equal(task.wakeAt, start + hourMs);
  assert.equal(task.queue, "task@backup");
  assert.equal(task.parent, "s1");
  assert.deepEqual(task.body.input, { deep: true });
});

test("a slot is not decided before its time", () => {
  const verdict = decide(made(), start + hourMs - 1);
  assert.deepEqual(rows(verdict), []);
  assert.ok("state" in verdict);
  assert.equal(verdict.wakeAt, start + hourMs);
});

interface Case {
  name: string;
  asked?: Asked;
  /** Minutes after the start. */
  after: number;
  seen?: Partial<SlotFacts>;
  rows: readonly string[];
}

/** One that began and ended so many minutes after the start. */
function pause(scope: PauseScope, from: number, to: number): Pause {
  const { outcome: _, ...rest } = made();
  return {
    ...rest,
    kind: "pause",
    id: "p1",
    outcome: null,
    body: { scope, reason: "holiday" },
    state: "over",
    createdAt: start + from * minuteMs,
    endedAt: start + to * minuteMs,
  };
}

const hold = runHold("s1");
const cases: readonly Case[] = [
  { name: "latest: half a period late still runs", after: 90, rows: ["60 runs with run:s1"] },
  { name: "latest: later than that is missed", after: 91, rows: ["60 missed: 1860 s late"] },
  {
    name: "latest: an hour late at most, however long the period",
    asked: { cadence: every(24 * hourMs) },
    after: 24 * 60 + 61,
    rows: ["1440 missed: 3660 s late"],
  },
  {
    name: "latest: of many only the last runs",
    after: 185,
    rows: ["60 missed: a later slot came", "120 missed: a later slot came", "180 runs with run:s1"],
  },
  {
    name: "latest: a slot that was due in a pause of a scope has that reason",
    after: 241,
    seen: { pauses: [pause({ all: true }, 50, 170)] },
    rows: [
      "60 missed: it was due while all was paused (holiday)",
      "120 missed: it was due while all was paused (holiday)",
      "180 missed: a later slot came",
      "240 runs with run:s1",
    ],
  },
  {
    name: "latest: a slot that is too late after a pause of a scope has that reason",
    after: 91,
    seen: { pauses: [pause({ owner: "mina" }, 50, 91)] },
    rows: ["60 missed: it was due while owner mina was paused (holiday)"],
  },
  {
    name: "latest: a pause of another scope is not the reason",
    after: 91,
    seen: { pauses: [pause({ owner: "jun" }, 50, 91), pause({ kind: "nag" }, 50, 91)] },
    rows: ["60 missed: 1860 s late"],
  },
  {
    name: "none: a minute late is on time",
    asked: { misfire: "none" },
    after: 61,
    rows: ["60 runs with run:s1"],
  },
  {
    name: "none: later is missed",
    asked: { misfire: "none" },
    after: 62,
    rows: ["60 missed: 120 s late"],
  },
  {
    name: "all: each runs, one after another",
    asked: { misfire: "all" },
    after: 185,
    rows: ["60 runs in turn", "120 runs in turn", "180 runs in turn"],
  },
  {
    name: "all: one alone runs as any other, however late",
    asked: { misfire: "all" },
    after: 119,
    rows: ["60 runs with run:s1"],
  },
  {
    name: "all that may overlap need no turn",
    asked: { misfire: "all", overlap: "allow" },
    after: 125,
    rows: ["60 runs", "120 runs"],
  },
  {
    name: "skip: passed over while another runs",
    after: 60,
    seen: { held: [hold] },
    rows: ["60 skipped: overlap"],
  },
  {
    name: "queue: waits for its turn",
    asked: { overlap: "queue" },
    after: 60,
    seen: { held: [hold] },
    rows: ["60 runs with queued:s1 in turn"],
  },
  {
    name: "queue: passed over when one waits already",
    asked: { overlap: "queue" },
    after: 60,
    seen: { held: ["queued:s1"] },
    rows: ["60 skipped: overlap"],
  },
  {
    name: "cancel: waits for the end of the one before",
    asked: { overlap: "cancel" },
    after: 60,
    rows: ["60 runs in turn"],
  },
  { name: "allow: needs nothing", asked: { overlap: "allow" }, after: 60, rows: ["60 runs"] },
];

for (const { name, asked, after, seen, rows: expected } of cases) {
  test(name, () => {
    assert.deepEqual(rows(decide(made(asked), start + after * minuteMs, seen)), expected);
  });
}

test("missed runs start a second apart, or a tenth of the period", () => {
  const gaps = (everyMs: number) => {
    const verdict = decide(made({ misfire: "all", cadence: every(everyMs) }), start + 4 * everyMs);
    const wakes = (verdict.consequences?.append ?? []).map((draft) =>
      "wakeAt" in draft ? draft.wakeAt : undefined,
    );
    return wakes.map((wake) => (wake ?? 0) - start - 4 * everyMs);
  };
  assert.deepEqual(gaps(hourMs), [0, 1_000, 2_000, 3_000]);
  assert.deepEqual(gaps(2_000), [0, 200, 400, 600]);
});

test("overlap cancel cancels the previous run in the unit of the next slot", () => {
  const record = made({ overlap: "cancel" });
  const cancelled = (now: number) =>
    decide(record, now, { live: ["t1", "t2"] }).consequences?.cancel;
  const reason = "a newer slot came";
  assert.deepEqual(cancelled(start + hourMs), [
    { id: "t1", reason },
    { id: "t2", reason },
  ]);
  assert.equal(cancelled(start + 110 * minuteMs), undefined); // too late to run
  const unknown = decide(record, start + hourMs, { live: undefined });
  assert.deepEqual(unknown, { state: "active", wakeAt: start + hourMs });
});

test("a budget of runs skips slots over it until the next local day", () => {
  const cadence: Cadence = { type: "cron", expression: "0 * * * *", zone: "Asia/Seoul" };
  let record = made({ cadence, budget: { runsPerDay: 2 } }); // 17:00 in Seoul
  const said: string[] = [];
  for (let hour = 1; hour <= 8; hour += 1) {
    const verdict = decide(record, start + hour * hourMs);
    said.push(...rows(verdict));
    record = { ...record, outcome: verdict.outcome ?? null };
  }
  assert.deepEqual(said, [
    "60 runs with run:s1",
    "120 runs with run:s1",
    "180 skipped: budget",
    "240 skipped: budget",
    "300 skipped: budget",
    "360 skipped: budget",
    "420 runs with run:s1",
    "480 runs with run:s1",
  ]);
});

test("spending counts on its day, in the owner's zone if the cadence has none", () => {
  const spend = (spent: Outcome<ScheduleKind>["spent"], zone: string) => {
    const record = made({ budget: { costPerDay: 1 } });
    const outcome = { ...seenOf(record), ...(spent === undefined ? {} : { spent }) };
    return rows(decide({ ...record, outcome }, start + hourMs, { zone }));
  };
  assert.deepEqual(spend({ day: "2027-01-15", runs: 1, cost: 1 }, "UTC"), ["60 skipped: budget"]);
  assert.deepEqual(spend({ day: "2027-01-15", runs: 1, cost: 0.9 }, "UTC"), [
    "60 runs with run:s1",
  ]);
  assert.deepEqual(spend({ day: "2027-01-14", runs: 1, cost: 5 }, "UTC"), ["60 runs with run:s1"]);
  assert.deepEqual(spend({ day: "2027-01-15", runs: 1, cost: 5 }, "Pacific/Kiritimati"), [
    "60 skipped: budget",
  ]);
});

test("a paused schedule skips its slots, and resumes when the pause ends", () => {
  const record = edited(
    made(),
    pausedSchedule(made(), { reason: "holiday", until: start + 150 * minuteMs }, start),
  );
  const first = decide(record, start + hourMs);
  assert.deepEqual(rows(first), ["60 skipped: paused"]);
  assert.ok("state" in first);
  assert.equal(first.state, "paused");
  assert.equal(first.wakeAt, start + 120 * minuteMs);
  assert.equal(first.outcome?.nextRunAt, start + 180 * minuteMs);
  assert.equal(first.outcome.reason, "holiday");
  const late = decide({ ...record, outcome: first.outcome }, start + 180 * minuteMs);
  assert.deepEqual(rows(late), ["120 skipped: paused", "180 runs with run:s1"]);
  assert.ok("state" in late);
  assert.equal(late.state, "active");
  assert.equal(late.outcome?.reason, null);
  assert.equal(late.outcome.pausedUntil, undefined);
});

test("a pause without an end lasts", () => {
  const record = edited(made(), pausedSchedule(made(), { reason: "holiday" }, start));
  const verdict = decide(record, start + 1_000 * hourMs);
  assert.ok("state" in verdict);
  assert.equal(verdict.state, "paused");
  assert.equal(verdict.outcome?.nextRunAt, null);
});

test("a disabled schedule is not due, and a deleted one ends without a run", () => {
  const disabled = decide({ ...made(), state: "disabled" }, start + 5 * hourMs);
  assert.deepEqual(disabled, { state: "disabled", freshStart: true });
  assert.deepEqual(decide({ ...made(), cancelling: true }, start + 5 * hourMs), {
    ends: "cancelled",
  });
});

test("after a year of minutes the newest thousand slots have a row each", () => {
  let record = made({ cadence: every(minuteMs) });
  const year = start + 365 * 24 * hourMs;
  const units: number[] = [];
  const all: Draft[] = [];
  for (let due = true; due;) {
    const verdict = decide(record, year);
    const appended = verdict.consequences?.append ?? [];
    units.push(appended.length);
    all.push(...appended);
    record = { ...record, outcome: verdict.outcome ?? null };
    due = "wakeAt" in verdict && verdict.wakeAt === year;
  }
  assert.deepEqual(units, [201, 200, 200, 200, 200]);
  const [first] = all;
  const count = 365 * 24 * 60 - 1_000;
  assert.ok(is(taskKind, first) && "ends" in first);
  assert.equal(first.ends, "missed");
  assert.equal(first.note, `${count} slots from 2027-01-15T08:01:00Z to 2028-01-14T15:20:00Z`);
  assert.equal(first.outcome?.reason, first.note);
  assert.equal(all.filter((draft) => "state" in draft).length, 1);
});

test("of over a hundred missed slots the oldest do not run", () => {
  const record = made({ cadence: every(minuteMs), misfire: "all" });
  const lines = rows(decide(record, start + 150 * minuteMs));
  assert.equal(lines.filter((line) => line.includes("runs in turn")).length, 100);
  assert.equal(lines[49], "50 missed: over 100 to make up for");
  assert.equal(lines[50], "51 runs in turn");
});

test("a one-shot waits for its run, and is rechecked", () => {
  const record = made({ cadence: { type: "once", at: start + hourMs } });
  const verdict = decide(record, start + hourMs);
  assert.deepEqual(rows(verdict), ["60 runs with run:s1"]);
  assert.ok("state" in verdict);
  assert.equal(verdict.outcome?.nextRunAt, null);
  assert.equal(verdict.wakeAt, start + hourMs + 30_000);
  const decided = { ...record, outcome: verdict.outcome };
  const waits = decide(decided, start + 2 * hourMs, { live: ["t1"] });
  assert.ok("state" in waits && waits.state === "active");
  assert.deepEqual(rows(waits), []);
  const over = decide(decided, start + 2 * hourMs, { live: [] });
  assert.ok("ends" in over && over.ends === "completed");
});

test("a one-shot that no node ran in time is missed and ends", () => {
  const record = made({ cadence: { type: "once", at: start + hourMs } });
  const verdict = decide(record, start + 2 * hourMs + 1_000);
  assert.deepEqual(rows(verdict), ["60 missed: 3601 s late"]);
  assert.ok("ends" in verdict && verdict.ends === "completed");
});

const cadences: fc.Arbitrary<Cadence> = fc.oneof(
  fc.integer({ min: 1, max: 300 }).map((minutes) => every(minutes * minuteMs)),
  fc
    .constantFrom("*/7 * * * *", "0 */3 * * *", "30 2 * * *", "15 9 * * 1-5")
    .chain((expression) =>
      fc
        .constantFrom("UTC", "America/New_York", "Asia/Seoul")
        .map((zone): Cadence => ({ type: "cron", expression, zone })),
    ),
  fc
    .integer({ min: 1, max: 2_000 })
    .map((minutes): Cadence => ({ type: "once", at: start + minutes * minuteMs })),
  fc.constantFrom("FREQ=HOURLY;INTERVAL=2", "FREQ=DAILY;COUNT=3").map((rule): Cadence => ({
    type: "rrule",
    rule,
    start: start + hourMs,
    zone: "Europe/London",
  })),
);
const ticks = fc.array(fc.integer({ min: 0, max: 3_000 * minuteMs }), { maxLength: 12 });
const asked = fc.record({
  cadence: cadences,
  misfire: fc.constantFrom("latest" as const, "all" as const, "none" as const),
  overlap: fc.constantFrom("skip" as const, "queue" as const, "cancel" as const, "allow" as const),
});
const lastTick = 3_000 * minuteMs;

/** Lets the ticks fall, and answers every row's slot; a tick may come by a clock that went back. */
function slotsBy(record: Schedule, times: readonly number[]): readonly number[] {
  const slots: number[] = [];
  let current = record;
  for (const time of times) {
    for (let due = true; due;) {
      const now = start + time;
      const verdict = decide(current, now);
      for (const draft of verdict.consequences?.append ?? []) {
        assert.ok(is(taskKind, draft));
        slots.push(draft.body.slot?.at ?? 0);
      }
      const { cursor } = verdict.outcome ?? seenOf(current);
      assert.ok(cursor >= seenOf(current).cursor, "the cursor never goes back");
      if ("ends" in verdict) return slots;
      current = { ...current, outcome: verdict.outcome ?? current.outcome };
      due = verdict.wakeAt !== undefined && verdict.wakeAt <= now;
    }
  }
  return slots;
}

test("each slot is a row once, for any times of claims", () => {
  fc.assert(
    fc.property(asked, ticks, (given, times) => {
      const record = made(given);
      const { fires } = firesBetween(record.body.cadence, start, start + lastTick, 5_000);
      if (fires.length > 1_000) return; // then the oldest share one
      assert.deepEqual(slotsBy(record, [...times, lastTick]), fires);
    }),
  );
});

test("an edit loses no due slot, and the new cadence starts at the edit", () => {
  fc.assert(
    fc.property(
      asked,
      ticks,
      cadences,
      fc.integer({ min: 0, max: 1_000 * minuteMs }),
      (given, times, cadence, when) => {
        const before = times.filter((time) => time < when).toSorted((a, b) => a - b);
        const record = made(given);
        const decided = before.reduce((last, time) => {
          const verdict = decide(last, start + time);
          return { ...last, outcome: verdict.outcome ?? last.outcome };
        }, record);
        if (cadence.type === "once" && cadence.at <= start + when) return;
        const edit = editedSchedule(decided, { cadence }, start + when, 1_000);
        const changed = edited(decided, edit);
        const [from, cursor] = [seenOf(decided).cursor, seenOf(changed).cursor];
        const owed = firesBetween(decided.body.cadence, from, cursor, 5_000).fires;
        const { fires } = firesBetween(cadence, cursor, start + lastTick, 5_000);
        if (Math.max(owed.length, fires.length) > 1_000) return;
        assert.deepEqual(slotsBy(changed, [lastTick]), [...owed, ...fires]);
        assert.ok(fires.every((at) => at > start + when || decided.outcome === changed.outcome));
      },
    ),
  );
});

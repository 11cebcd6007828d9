import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as z from "zod";
import { task } from "../features/tasks/function.ts";
import { fromIso, isoOf } from "../platform/iso-time.ts";
import { sampleSize } from "../testing/depth.ts";
import { testDaybook, type TestDaybook } from "./testing-kit/testing-kit.ts";

/**
 * `next`, `simulate` and a node that really runs must agree on what happens within a week, when, and why not sooner.
 * The time at which a node sends may be later by what its own steps take.
 */
const stepsMs = 2_000;
const dayMs = 86_400_000;

const zones = ["UTC", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"] as const;
const start = Date.parse("2027-03-09T10:07:13Z"); // the clocks of New York change on the 14th
/** Many of them within the first day, which the node is watched for. */
const minuteOfWeek = fc.oneof(
  fc.integer({ min: 1, max: 1_440 }),
  fc.integer({ min: 1, max: 6 * 1_440 }),
);
const timeOfDay = fc.integer({ min: 0, max: 95 }).map((quarter) =>
  Temporal.PlainTime.from("00:00")
    .add({ minutes: quarter * 15 })
    .toString(),
);

const world = fc.record({
  zone: fc.constantFrom(...zones),
  quiet: fc.option(
    fc
      .tuple(timeOfDay, timeOfDay)
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => `${from.slice(0, 5)}-${to.slice(0, 5)}`),
  ),
  reminders: fc.array(
    fc.record({
      minutes: minuteOfWeek,
      priority: fc.constantFrom("normal", "high", "low"),
      expires: fc.option(fc.integer({ min: 1, max: 600 })),
      target: fc.constantFrom("fake:me", "fake:you"),
    }),
    { maxLength: 5 },
  ),
  nags: fc.array(
    fc.record({
      minutes: minuteOfWeek,
      curve: fc.constantFrom("otu", "hourly", "daily", "weekdays"),
      priority: fc.constantFrom("normal", "high"),
    }),
    { maxLength: 2 },
  ),
  schedules: fc.array(
    fc.record({
      when: fc.constantFrom("every 5h", "daily 9:30am", "0 */8 * * *", "every weekday 6pm"),
      budget: fc.option(fc.integer({ min: 1, max: 2 })),
      misfire: fc.constantFrom("latest", "none"),
    }),
    { maxLength: 2 },
  ),
  pauses: fc.array(
    fc.record({
      scope: fc.constantFrom(
        {},
        { kind: "notification" } as const,
        { kind: "nag" } as const,
        { kind: "schedule" } as const,
        { kind: "task" } as const,
        { owner: "me" },
        { channel: "fake" },
      ),
      minutes: fc.integer({ min: 20, max: 400 }),
    }),
    { maxLength: 2 },
  ),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

const work = task({ name: "work", input: z.unknown(), run: () => null });

async function bookOf({ zone, ...made }: World): Promise<TestDaybook> {
  const t = await testDaybook({ now: start, timezone: zone, channels: ["fake"], tasks: [work] });
  if (made.quiet !== null) await t.setProfile({ quiet: made.quiet });
  for (const [index, { minutes, expires, ...more }] of made.reminders.entries()) {
    const end = expires === null ? {} : { expires_at: `+${minutes + expires}m` };
    await t.remind({ message: `reminder ${index}`, at: `+${minutes}m`, ...more, ...end });
  }
  for (const [index, { minutes, ...more }] of made.nags.entries()) {
    const request = { message: `nag ${index}`, at: `+${minutes}m`, target: "fake:me", ...more };
    await t.nag(request).catch((error: unknown) => {
      assert.match(String(error), /leave no time of day/);
    });
  }
  for (const [index, { budget, ...more }] of made.schedules.entries()) {
    const limits = budget === null ? {} : { budget: { runs_per_day: budget } };
    const run = { task: "work", input: null };
    const silent = { notify: "never" } as const; // a simulated run has no output
    await t.createSchedule({
      name: `schedule ${index}`,
      run,
      ...silent,
      target: "fake:me",
      ...more,
      ...limits,
    });
  }
  for (const { scope, minutes } of made.pauses) {
    await t.pauseEverything({ ...scope, until: `+${minutes}m` });
  }
  return t;
}

interface Happening {
  readonly what: string;
  readonly id: string;
  readonly at: string;
  readonly because: string | null;
}

function inOrder<Each extends Happening>(all: readonly Each[]): readonly Each[] {
  const key = ({ at, what, id }: Each): string => `${at} ${what} ${id}`;
  return all.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function foreseenBy(t: TestDaybook): Promise<readonly Happening[]> {
  const { lines } = await t.simulate({ to: "+7d", limit: 5_000 });
  return inOrder(
    lines.map(({ what, id, at, waiting }) => ({ what, id, at, because: waiting?.for ?? null })),
  );
}

/** Nags are listed once, at their next message. */
async function listedBy(t: TestDaybook): Promise<readonly Happening[]> {
  const { notifications, nags, runs } = await t.next({ within: "7d", limit: 500 });
  const say = { what: "say" } as const;
  return inOrder([
    ...notifications.map(({ id, next_at: at, waiting }) => {
      return { ...say, id, at: at ?? "never", because: waiting?.for ?? null };
    }),
    ...nags.map(({ id, next, waiting }) => {
      return { ...say, id, at: next?.utc ?? "never", because: waiting?.for ?? null };
    }),
    ...runs.map(({ schedule_id: id, due, waiting }) => {
      return { what: "run", id: id ?? "", at: due.utc, because: waiting?.for ?? null };
    }),
  ]);
}

function firstOfNags(
  foreseen: readonly Happening[],
  nags: ReadonlySet<string>,
): readonly Happening[] {
  const found = new Set<string>();
  return foreseen.filter(({ id }) => {
    const isRepeat = nags.has(id) && found.has(id);
    found.add(id);
    return !isRepeat;
  });
}

/** What the node of the book really does within a day. */
async function doneBy(t: TestDaybook): Promise<readonly Omit<Happening, "because">[]> {
  await t.advance("1 day");
  const { notifications } = await t.list({ all: true, limit: 500 });
  const said = notifications.flatMap(({ id, type, delivered_at: at, state }) => {
    if (type === "digest" || state !== "delivered" || at === null) return [];
    return [{ what: "say", id, type, at }];
  });
  const sent = await Promise.all(
    said.map(async ({ type, ...each }) => {
      if (type !== "nag") return each;
      const { because } = await t.as({}).explain({ id: each.id });
      return { ...each, id: because[0]?.id ?? each.id };
    }),
  );
  const { schedules } = await t.searchSchedules({ all: true });
  const runs = await Promise.all(
    schedules.map(async ({ id }) => {
      const { runs: found } = await t.scheduleRuns({ id, limit: 20 });
      return found.flatMap(({ started_at: at }) => (at === null ? [] : [{ what: "run", id, at }]));
    }),
  );
  return [...sent, ...runs.flat()];
}

function assertSame(
  done: readonly Omit<Happening, "because">[],
  foreseen: readonly Happening[],
): void {
  const left = [...done];
  for (const { what, id, at } of foreseen) {
    const place = left.findIndex((each) => {
      const lateMs = fromIso(each.at) - fromIso(at);
      return each.what === what && each.id === id && lateMs >= 0 && lateMs <= stepsMs;
    });
    assert.notEqual(place, -1, `not done: ${what} ${id} at ${at}, of ${JSON.stringify(done)}`);
    left.splice(place, 1);
  }
  assert.deepEqual(left, [], "done, and not foreseen");
}

test("next and simulate agree on a week: what, when and why", async (t) => {
  const numRuns = sampleSize(t, 300, { size: 30, of: "worlds" });
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const book = await bookOf(made);
      const { nags } = await book.listNags({ all: true, limit: 50 });
      const first = firstOfNags(await foreseenBy(book), new Set(nags.map(({ id }) => id)));
      assert.deepEqual(await listedBy(book), first);
    }),
    { numRuns, interruptAfterTimeLimit: 60_000 },
  );
});

test("a node does within a day what simulate foresees", async (t) => {
  const numRuns = sampleSize(t, 50, { size: 3, of: "worlds" });
  await fc.assert(
    fc.asyncProperty(world, async (made) => {
      const book = await bookOf(made);
      const foreseen = await foreseenBy(book);
      const end = isoOf(start + dayMs - stepsMs);
      const done = await doneBy(book);
      assertSame(
        done.filter(({ at }) => at < end),
        foreseen.filter(({ at }) => at < end),
      );
    }),
    { numRuns, endOnFailure: true },
  );
});
